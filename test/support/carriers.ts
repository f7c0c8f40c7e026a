// The ways in which an attempt reaches the network, for the tests whose promises hold whichever way it goes.
import ky from "ky";
import { type FetchLike, fetchFrom } from "../../src/index.ts";

export interface Carrier {
  readonly carrier: string;
  /** The option of a client. */
  readonly fetch: FetchLike | undefined;
}

/** Hooks of every kind, none of which changes anything. */
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
    // All that `fetchFrom` must turn off is turned on.
    fetch: fetchFrom(ky.extend({ hooks, retry: 5, timeout: 50, totalTimeout: 60 })),
  },
];
