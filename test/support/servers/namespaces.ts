// Two network namespaces with one cable between them: one for a run, and one for its database. Nothing in them reaches any
// other network.
import { execFileSync, spawnSync } from "node:child_process";
import { identity } from "./postgres-server.ts";

const ip = (...args: readonly string[]): void => {
  execFileSync("ip", args, { stdio: "pipe" });
};

/** Whether this user may make namespaces. */
export const hasNamespaces = (() => {
  const probe = `probe-${process.pid}`;
  const made = spawnSync("ip", ["netns", "add", probe]).status === 0;
  return made && spawnSync("ip", ["netns", "del", probe]).status === 0;
})();

/** Addresses of documentation, which nobody has. */
const ADDRESSES = { run: "192.0.2.1", database: "192.0.2.2" };

export const createNamespaces = () => {
  const [run, database] = ["run", "database"].map((name) => `${name}-${process.pid}`) as [
    string,
    string,
  ];
  for (const name of [run, database]) ip("netns", "add", name);
  ip("-n", run, "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", database);
  for (const [name, address] of [
    [run, ADDRESSES.run],
    [database, ADDRESSES.database],
  ] as const) {
    ip("-n", name, "addr", "add", `${address}/30`, "dev", "cable");
    for (const device of ["lo", "cable"]) ip("-n", name, "link", "set", device, "up");
  }
  const { uid, gid } = { uid: 0, gid: 0, ...identity };
  const enter = (name: string) => ["nsenter", `--net=/run/netns/${name}`];
  return {
    /** Command that starts a program beside the run. */
    ofRun: enter(run),
    /** Command that starts the database with the ids of its user. */
    ofDatabase: [...enter(database), `--setuid=${uid}`, `--setgid=${gid}`],
    address: ADDRESSES.database,
    addressOfRun: ADDRESSES.run,
    /** Pulls the cable out. */
    cut: () => ip("-n", database, "link", "set", "cable", "down"),
    /** Puts the cable in again. */
    mend: () => ip("-n", database, "link", "set", "cable", "up"),
    /** Drops what the database sends. What the run sends still arrives. */
    loseResponses: () => ip("-n", database, "route", "add", "blackhole", ADDRESSES.run),
    returnResponses: () => ip("-n", database, "route", "del", "blackhole", ADDRESSES.run),
    [Symbol.dispose]: () => {
      for (const name of [run, database]) ip("netns", "del", name);
    },
  };
};
