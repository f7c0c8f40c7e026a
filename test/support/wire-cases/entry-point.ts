import type { FakeService } from "messaging-service-client/testing";

/** An open entry point of a fake service. */
export interface OpenEntryPoint {
  readonly baseUrl: string;
  readonly fetch: FakeService["fetch"];
  readonly close: () => Promise<void>;
}

/** An entry point of a fake service. */
export interface EntryPoint {
  readonly name: string;
  readonly open: (service: FakeService) => Promise<OpenEntryPoint>;
}

export const globalFetch: FakeService["fetch"] = (input, init) => fetch(input, init);

/** The entry point that needs no socket, in any runtime. */
export const fetchEntryPoint: EntryPoint = {
  name: "service.fetch",
  open: async (service) => ({
    baseUrl: service.v2BaseUrl,
    fetch: service.fetch,
    close: async () => {},
  }),
};
