import type { FakeService } from "messaging-service-client/testing";

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

export const globalFetch: FakeService["fetch"] = (input, init) => fetch(input, init);

/** No socket, in any runtime. */
export const fetchDoor: Door = {
  name: "service.fetch",
  open: async (service) => ({
    baseUrl: service.v2BaseUrl,
    fetch: service.fetch,
    close: async () => {},
  }),
};
