/**
 * The fake service as a real HTTP server on loopback.
 *
 * @module messaging-service-client/testing/node
 */
import type { FakeService } from "../fake-service.ts";
import {
  type ListeningService,
  type ListenOptions,
  parseListenOptions,
  startServer,
} from "./server.ts";

export type { ListeningService, ListenOptions };

/**
 * Serves a fake service over HTTP. Requests whose `Host` header does not name the server are refused with 403, and so are
 * requests of web pages of other origins, except those of the option `allowedOrigins`.
 *
 * @throws TypeError when an option is unknown or malformed.
 * @example
 * const server = await listen(createFakeService());
 * const v2 = new V2Client({ baseUrl: server.v2BaseUrl, email, apiKey });
 * await server.close();
 */
export async function listen(
  service: FakeService,
  options: ListenOptions = {},
): Promise<ListeningService> {
  return startServer(service, parseListenOptions(options));
}
