// Platform-dependent code for browsers, workers and every other runtime except Node, Bun and Deno. There, this module replaces
// `platform.ts`, which has the same exports.
import { invalidOption } from "../options.ts";
import { asFetchAdapter, type FetchAdapter, FetchAttempt } from "./attempt.ts";
import type { DispatcherLike } from "./dispatcher.ts";

export { FetchAttempt as PlatformAttempt };

/** Always `false`, because a failure on these platforms does not reveal its cause. */
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

/** Headers of every request. In a browser, any further header would need the consent of the service. */
export const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  accept: "application/json",
  "content-type": "application/json",
};
