/**
 * The fake service as msw request handlers.
 *
 * @module messaging-service-client/testing/msw
 */
import { type HttpHandler, HttpResponse, http } from "msw";
import { FILES_ORIGIN, readRequest, toResponse } from "./fake/exchange.ts";
import type { FakeService } from "./fake-service.ts";

/** Paths of both APIs on any host, and of the files of reports on the fake's own host. */
const PATH_PATTERNS = ["*/api/v2/*", "*/transactional_messages/*", `${FILES_ORIGIN}/reports/*`];

/**
 * Returns handlers for `setupServer` or `setupWorker`. They pass requests for either API, on any host, to the fake.
 *
 * @example
 * const server = setupServer(...handlersFor(createFakeService()));
 * server.listen({ onUnhandledFrame: "error" });
 */
export function handlersFor(service: FakeService): HttpHandler[] {
  return PATH_PATTERNS.map((path) =>
    http.all(path, async ({ request }) => {
      const response = service.handle(await readRequest(request));
      // msw expects a value where `fetch` would throw.
      return toResponse(response, request.signal).catch(() => HttpResponse.error());
    }),
  );
}
