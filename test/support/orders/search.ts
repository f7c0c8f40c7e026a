// Searches the orders in which things may happen. Processes cannot be copied, so each history is played from the start.
import { type Setting, World } from "./world.ts";

/** History in which a promise is broken. */
export interface Failure {
  /** Numbers of its choices, which replay it. */
  readonly path: readonly number[];
  readonly broken: string;
  readonly story: readonly string[];
}

/** Maximum number of steps of a history. A longer history never ends. */
const MAX_STEPS = 300;

const open = async (setting: Setting): Promise<World> => {
  const world = new World(setting);
  await world.start();
  return world;
};

const take = async (world: World, path: number[], index: number): Promise<Failure | undefined> => {
  const choice = world.choices()[index];
  if (!choice) throw new Error(`there is no choice ${index} after ${world.story.join("\n")}`);
  path.push(index);
  await world.take(choice);
  const broken = path.length > MAX_STEPS ? "the runs do not end" : world.broken();
  return broken ? { path, broken, story: world.story } : undefined;
};

/** Plays the history of a path. */
export const replay = async (setting: Setting, path: readonly number[]): Promise<World> => {
  const world = await open(setting);
  for (const index of path) await take(world, [], index);
  return world;
};

export interface SearchResult {
  /** Number of orders of everything that may happen. */
  readonly orders: number;
  /** Number of different states. */
  readonly states: number;
  /** Number of histories that were played. */
  readonly histories: number;
  /** First failure, which ends the search. The orders are then not counted. */
  readonly failure?: Failure;
}

/** State on the current path, with the choices that were tried there. */
interface Branch {
  readonly state: string;
  readonly choices: number;
  index: number;
  orders: number;
}

/**
 * Visits every order, depth first. What follows a state does not depend on how it was reached, so a state that was seen before
 * is not entered again, because the number of orders that follow it is known.
 *
 * @param isPruned Whether to skip what follows a state that was seen before. Otherwise, each order is played.
 */
export const searchAll = async (setting: Setting, isPruned = true): Promise<SearchResult> => {
  const ordersAfter = new Map<string, number>();
  const branches: Branch[] = [];
  for (let histories = 1; ; histories += 1) {
    using world = await open(setting);
    const path: number[] = [];
    const end = (failure: Failure) => ({ orders: 0, states: ordersAfter.size, histories, failure });
    for (const branch of branches) {
      if (branch === branches.at(-1) && branch.state !== world.state()) {
        throw new Error(`a history had a different course before: ${world.story.join("; ")}`);
      }
      const failure = await take(world, path, branch.index);
      if (failure) return end(failure);
    }
    let orders: number | undefined;
    while (orders === undefined) {
      const state = world.state();
      const choices = world.choices().length;
      orders = choices === 0 ? 1 : isPruned ? ordersAfter.get(state) : undefined;
      if (orders !== undefined) break;
      branches.push({ state, choices, index: 0, orders: 0 });
      const failure = await take(world, path, 0);
      if (failure) return end(failure);
    }
    for (let branch = branches.at(-1); branch; branch = branches.at(-1)) {
      branch.orders += orders;
      branch.index += 1;
      if (branch.index < branch.choices) break;
      orders = branch.orders;
      ordersAfter.set(branch.state, orders);
      branches.pop();
    }
    if (branches.length === 0) return { orders, states: ordersAfter.size, histories };
  }
};

/** Share of the events among the choices of a random history. */
const EVENT_SHARE = 0.2;

/** Plays histories at random, each to its end. Returns the first failure. */
export const searchAtRandom = async (
  setting: Setting,
  histories: number,
  random: () => number,
): Promise<Failure | undefined> => {
  for (let history = 0; history < histories; history += 1) {
    using world = await open(setting);
    const path: number[] = [];
    for (let choices = world.choices(); choices.length > 0; choices = world.choices()) {
      const events = choices.filter(({ isEvent }) => isEvent).length;
      const expected = choices.length - events;
      const isEvent = expected === 0 || (events > 0 && random() < EVENT_SHARE);
      const index = isEvent ? expected + random() * events : random() * expected;
      const failure = await take(world, path, Math.floor(index));
      if (failure) return failure;
    }
  }
  return undefined;
};
