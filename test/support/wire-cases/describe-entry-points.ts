import type { FakeService } from "messaging-service-client/testing";
import { afterEach, beforeEach, describe } from "vitest";
import type { EntryPoint, OpenEntryPoint } from "./entry-point.ts";
import { openWorld } from "./world.ts";

/** The world of the current test, behind an entry point. */
export interface WorldBehind {
  readonly service: FakeService;
  /** Sends a request through the entry point. The target is the path and the query. */
  readonly fetch: (target: string, init?: RequestInit) => Promise<Response>;
}

/** Declares tests that run through every entry point, each test with a new world. */
export const describeEntryPoints = (
  entryPoints: readonly EntryPoint[],
  declareTests: (world: WorldBehind) => void,
): void =>
  describe.each(entryPoints)("the fake through $name", ({ open }) => {
    let service: FakeService;
    let entryPoint: OpenEntryPoint;

    beforeEach(async () => {
      service = openWorld();
      entryPoint = await open(service);
    });
    afterEach(() => entryPoint.close());

    declareTests({
      get service() {
        return service;
      },
      fetch: (target, init) => entryPoint.fetch(entryPoint.baseUrl + target, init),
    });
  });
