import type { FakeService } from "messaging-service-client/testing";
import { handlersFor } from "messaging-service-client/testing/msw";
import { listen } from "messaging-service-client/testing/node";
import { setupServer } from "msw/node";

/** A way into a fake service, opened. */
export interface OpenDoor {
  readonly baseUrl: string;
  readonly fetch: FakeService["fetch"];
  readonly close: () => Promise<void>;
}

/** A way into a fake service. */
export interface Door {
  readonly name: string;
  readonly open: (service: FakeService) => Promise<OpenDoor>;
}

const globalFetch: FakeService["fetch"] = (input, init) => fetch(input, init);

export const doors: readonly Door[] = [
  {
    name: "service.fetch",
    open: async (service) => ({
      baseUrl: service.v2BaseUrl,
      fetch: service.fetch,
      close: async () => {},
    }),
  },
  {
    name: "msw in Node",
    open: async (service) => {
      const server = setupServer(...handlersFor(service));
      server.listen({ onUnhandledFrame: "error" });
      return {
        baseUrl: "https://app.example.com",
        fetch: globalFetch,
        close: async () => server.close(),
      };
    },
  },
  {
    name: "HTTP on loopback",
    open: async (service) => {
      const { v2BaseUrl, close } = await listen(service);
      return { baseUrl: v2BaseUrl, fetch: globalFetch, close };
    },
  },
];
