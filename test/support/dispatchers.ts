// undici in every major version that `fetchFrom` supports, and Node's own dispatcher.
import type * as Undici from "undici";
import type { DispatcherLike } from "../../src/index.ts";
import { type Carrier, dispatching } from "./carriers.ts";
import { requireFixture } from "./fixture.ts";

/** The part of each version that the tests use, with the types of undici 8. */
export interface UndiciVersion {
  readonly major: number;
  readonly undici: typeof Undici;
}

export const UNDICI: readonly UndiciVersion[] = [6, 7, 8].map((major) => ({
  major,
  undici: requireFixture("undici", `undici-${major}`),
}));

/**
 * Returns the dispatcher of Node's `fetch`, which Node creates when `fetch` or `Response` is first used.
 *
 * @throws Error if an undici that was loaded before has taken its place.
 */
export const nodeDispatcher = (): DispatcherLike => {
  void Response;
  const key = Symbol.for("undici.globalDispatcher.1");
  const dispatcher = (globalThis as unknown as Record<symbol, DispatcherLike>)[
    key
  ] as DispatcherLike;
  const isForeign =
    dispatcher.constructor.name !== "Agent" ||
    UNDICI.some(({ undici }) => dispatcher instanceof undici.Agent);
  if (isForeign) throw new Error("undici was loaded before Node's own fetch was used");
  return dispatcher;
};

/** An agent of each version, and Node's own. */
export const DISPATCHERS: readonly Carrier[] = [
  ...UNDICI.map(({ major, undici }) => dispatching(`undici ${major}`, new undici.Agent())),
  dispatching("Node's own dispatcher", nodeDispatcher()),
];
