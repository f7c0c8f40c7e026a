// Searches the orders in which things may happen. Processes cannot be copied, so each history is played from its start.
import { type Setting, World } from "./world.ts";

/** History in which a promise is broken. */
export interface Failure {
  /** Numbers of its choices, which replay it. */
  readonly path: readonly number[];
  readonly broken: string;
  readonly story: readonly string[];
}

/** Largest number of steps of a history. A longer one does not end. */
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
 * Goes through every order, depth first. What follows a state does not depend on how it was reached, so a state that was seen
 * before is not entered again: the number of orders that follow it is known.
 */
export const searchAll = async (setting: Setting): Promise<SearchResult> => {
  const ordersFrom = new Map<string, number>();
  const branches: Branch[] = [];
  let orders = 0;
  let histories = 0;
  do {
    histories += 1;
    using world = await open(setting);
    const path: number[] = [];
    let following: number | undefined;
    for (const { index } of branches) {
      const failure = await take(world, path, index);
      if (failure) return { orders, states: ordersFrom.size, histories, failure };
    }
    while (following === undefined) {
      const state = world.state();
      const choices = world.choices().length;
      following = ordersFrom.get(state) ?? (choices === 0 ? 1 : undefined);
      if (following !== undefined) break;
      branches.push({ state, choices, index: 0, orders: 0 });
      const failure = await take(world, path, 0);
      if (failure) return { orders, states: ordersFrom.size, histories, failure };
    }
    orders = 0;
    for (let branch = branches.at(-1); branch; branch = branches.at(-1)) {
      branch.orders += following;
      branch.index += 1;
      if (branch.index < branch.choices) break;
      following = branch.orders;
      ordersFrom.set(branch.state, following);
      branches.pop();
    }
    orders = following;
  } while (branches.length > 0);
  return { orders, states: ordersFrom.size, histories };
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
