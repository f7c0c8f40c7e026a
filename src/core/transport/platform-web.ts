// What depends on the platform, in browsers, workers and every other runtime that is not Node. In their bundles, this module
// stands in for `platform.ts`, which has the same exports.
import { invalidOption } from "../options.ts";
import { asFetchAdapter, type FetchAdapter, FetchAttempt } from "./attempt.ts";
import type { DispatcherLike } from "./dispatcher.ts";

export { FetchAttempt as PlatformAttempt };

/** A failure never shows what it was. */
export const showsNoConnection = (_thrown: unknown, _service: URL): boolean => false;

export const adviceOn = (_thrown: unknown, _isUnsent: boolean): string => "";

export const createDefaultAdapter = (): FetchAdapter =>
  asFetchAdapter((url, init, attempt) =>
    attempt ? attempt.fetch(url, attempt.toOwnInit(init)) : globalThis.fetch(url, init),
  );

export const dispatchWith = (_dispatcher: DispatcherLike): FetchAdapter => {
  const why = "this code was resolved for the web; for Node, resolve it with the condition `node`";
  throw invalidOption("source", `a ky instance, as dispatchers work in Node only: ${why}`);
};

/** Headers of every request. A browser would ask the service for its consent to any other. */
export const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  accept: "application/json",
  "content-type": "application/json",
};
