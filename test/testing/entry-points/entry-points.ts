import { handlersFor } from "messaging-service-client/testing/msw";
import { listen } from "messaging-service-client/testing/node";
import { setupServer } from "msw/node";
import {
  type EntryPoint,
  fetchEntryPoint,
  globalFetch,
} from "../../support/wire-cases/entry-point.ts";

/** The entry points that work in Node. */
export const entryPoints: readonly EntryPoint[] = [
  fetchEntryPoint,
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
