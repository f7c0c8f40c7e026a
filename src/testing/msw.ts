/**
 * The fake service as msw request handlers.
 *
 * @module messaging-service-client/testing/msw
 */
import { type HttpHandler, HttpResponse, http } from "msw";
import { readRequest, toResponse } from "./fake-fetch.ts";
import type { FakeService } from "./fake-service.ts";

/** The paths of both APIs, on any host. */
const PATHS = ["*/api/v2/*", "*/transactional_messages/*"];

/**
 * Handlers for `setupServer` or `setupWorker`: requests to either API, on any host, go to the fake.
 *
 * @example
 * const server = setupServer(...handlersFor(createFakeService()));
 * server.listen({ onUnhandledFrame: "error" });
 */
export function handlersFor(service: FakeService): HttpHandler[] {
  return PATHS.map((path) =>
    http.all(path, async ({ request }) => {
      const answer = service.handle(await readRequest(request));
      // What `fetch` would throw, msw wants to be returned.
      return toResponse(answer, request.signal).catch(() => HttpResponse.error());
    }),
  );
}
