// undici in every major version that `fetchFrom` supports, and Node's own dispatcher.
import type * as Undici from "undici";
import type { DispatcherLike } from "../../src/core/transport/dispatcher.ts";
import { type Carrier, dispatching, makeTimers } from "./carriers.ts";
import { requireFixture } from "./fixture.ts";

/** The exports of each version that the tests use, with the types of undici 8. */
export interface UndiciVersion {
  readonly major: number;
  readonly undici: typeof Undici;
}

export const UNDICI: readonly UndiciVersion[] = [6, 7, 8].map((major) => ({
  major,
  undici: requireFixture("first-ring", `undici-${major}`),
}));

const lowest: typeof Undici = requireFixture("first-ring", "undici-lowest");

await makeTimers([lowest.Agent, ...UNDICI.map(({ undici }) => undici.Agent)]);

const globals = globalThis as unknown as Record<symbol, DispatcherLike>;
const GLOBAL_KEYS = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));

/** Makes Node's `fetch` use a dispatcher until the result is disposed. undici 8 could restore only a wrapper of the old one. */
export const useGlobally = (
  { setGlobalDispatcher }: typeof Undici,
  dispatcher: Undici.Dispatcher,
): Disposable => {
  const before = GLOBAL_KEYS.map((key) => [key, globals[key]]);
  setGlobalDispatcher(dispatcher);
  return { [Symbol.dispose]: () => void Object.assign(globals, Object.fromEntries(before)) };
};

/**
 * Returns the dispatcher of Node's `fetch`, which Node creates when `fetch` or `Response` is first used.
 *
 * @throws Error if an undici that was loaded earlier has replaced it.
 */
export const nodeDispatcher = (): DispatcherLike => {
  void Response;
  const dispatcher = globals[GLOBAL_KEYS[0] as symbol] as DispatcherLike;
  const isForeign =
    dispatcher.constructor.name !== "Agent" ||
    UNDICI.some(({ undici }) => dispatcher instanceof undici.Agent);
  if (isForeign) throw new Error("undici was loaded before Node's own fetch was used");
  return dispatcher;
};

const agents = UNDICI.map(({ major, undici }) =>
  dispatching(`undici ${major}`, new undici.Agent()),
);

/** An agent of the newest version. */
export const NEWEST_DISPATCHER = agents.at(-1) as Carrier;

/** An agent of each version and of the lowest version in `peerDependencies`, and Node's own dispatcher. */
export const DISPATCHERS: readonly Carrier[] = [
  dispatching("the lowest undici", new lowest.Agent()),
  ...agents,
  dispatching("Node's own dispatcher", nodeDispatcher()),
];
