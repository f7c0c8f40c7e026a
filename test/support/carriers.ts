// The ways in which an attempt can reach the network, for tests that must pass with each of them.
import ky from "ky";
import { type FetchLike, fetchFrom } from "../../src/index.ts";

export interface Carrier {
  readonly carrier: string;
  /** Option `fetch` of the client. */
  readonly fetch: FetchLike | undefined;
}

/** Hooks of every type, which change nothing. */
const hooks = {
  init: [() => {}],
  beforeRequest: [() => {}],
  afterResponse: [() => {}],
  beforeError: [({ error }: { error: Error }) => new Error("told otherwise", { cause: error })],
};

export const CARRIERS: readonly Carrier[] = [
  { carrier: "fetch", fetch: undefined },
  {
    carrier: "an application's ky",
    // Turns on everything that `fetchFrom` must turn off.
    fetch: fetchFrom(ky.extend({ hooks, retry: 5, timeout: 50, totalTimeout: 60 })),
  },
];
