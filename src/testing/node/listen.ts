/**
 * The fake service as a real HTTP server on loopback.
 *
 * @module messaging-service-client/testing/node
 */
import { parseOptions } from "../fake/checks.ts";
import type { FakeService } from "../fake-service.ts";
import { type ListeningService, type ListenOptions, listenSchema, startServer } from "./server.ts";

export type { ListeningService, ListenOptions };

/**
 * Serves a fake service over HTTP. The server responds with 403 to requests whose `Host` header does not name it, and to
 * requests whose headers show a web page of another origin, except the origins in `allowedOrigins`. From any page, a link can
 * open the inbox and the file of a report.
 *
 * @throws TypeError that names a malformed or unknown option.
 * @throws Error of the system if the server cannot listen, such as `EADDRINUSE`.
 * @example
 * const server = await listen(createFakeService());
 * const v2 = new V2Client({ baseUrl: server.v2BaseUrl, email, apiKey });
 * await server.close();
 */
export async function listen(
  service: FakeService,
  options: ListenOptions = {},
): Promise<ListeningService> {
  return startServer(service, parseOptions("listen", listenSchema, options, "options"));
}
