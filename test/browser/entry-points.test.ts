import { handlersFor } from "messaging-service-client/testing/msw";
import { setupWorker } from "msw/browser";
import { afterAll, beforeAll } from "vitest";
import { fetchEntryPoint, globalFetch } from "../support/wire-cases/entry-point.ts";
import { testEntryPoints } from "../support/wire-cases/test-entry-points.ts";

const worker = setupWorker();
beforeAll(() => worker.start({ quiet: true, onUnhandledFrame: "bypass" }));
afterAll(() => void worker.stop());

testEntryPoints([
  fetchEntryPoint,
  {
    name: "msw in the page",
    open: async (service) => {
      worker.use(...handlersFor(service));
      return {
        baseUrl: "https://app.example.com",
        fetch: globalFetch,
        close: async () => worker.resetHandlers(),
      };
    },
  },
]);
