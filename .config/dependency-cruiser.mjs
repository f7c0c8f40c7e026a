import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";

/** The rooms of `src`, from top to bottom. A file imports only from lower lines or from its own room. */
const ROOMS = [
  ["command"],
  ["testing"],
  ["bulk", "reports", "opentelemetry"],
  ["core/clients"],
  ["core/resources"],
  ["core/paging"],
  ["core/call"],
  ["core/transport"],
  ["core/responses", "core/throttle"],
  ["core/wire"],
  ["core/schemas"],
  ["core/rules"],
  ["core/clock.ts"],
  ["core/wait-for.ts"],
  ["core/errors.ts", "core/options.ts", "core/isolate.ts", "core/runtime.ts", "core/yielder.ts"],
  ["core/quote.ts"],
];
/** Rooms that the fake service shares with the clients. */
const SHARED_WITH_TESTING = [
  "core/wire",
  "core/schemas",
  "core/rules",
  "core/wait-for.ts",
  "core/errors.ts",
  "core/options.ts",
  "core/quote.ts",
];

/** Returns a pattern for the files of rooms. A room may be a single file. */
const filesOf = (rooms) => `^src/(${rooms.join("|").replaceAll(".", "\\.")})(/|$)`;

const layers = ROOMS.flatMap((rooms, index) =>
  rooms.map((room) => {
    const allowed = [room, ...ROOMS.slice(index + 1).flat()];
    return {
      name: `${room} imports only what is below it`,
      severity: "error",
      from: { path: filesOf([room]) },
      to: { path: "^src/", pathNot: filesOf(allowed) },
    };
  }),
);

/** The folders of the fake service, from top to bottom. The files next to them compose the service. */
const FAKE_FOLDERS = ["node/", "control/", "[^/]+\\.ts$", "service/", "fake/"];

const fakeLayers = FAKE_FOLDERS.slice(1).map((folder, index) => ({
  name: `testing/${folder} imports nothing that is above it`,
  severity: "error",
  from: { path: `^src/testing/${folder}` },
  to: { path: `^src/testing/(${FAKE_FOLDERS.slice(0, index + 1).join("|")})` },
}));

/** Returns the folders that contain a path, without `src` itself. The layers order the files directly in `src`. */
const foldersOf = (path) => {
  const folder = dirname(path);
  return folder === "src" ? [] : [folder, ...foldersOf(folder)];
};
const holds = (folder, path) => path.startsWith(`${folder}/`);

/**
 * Pairs of patterns for two folders, where the first imports the second. If one folder contains the other, each pattern matches
 * only the files directly in its folder.
 */
const arrows = globSync("src/**/*.{ts,tsx}").flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(/(?:from|import) ?\(?"(\.[^"]+)"/g)].flatMap(([, to]) => {
    const target = join(dirname(file), to);
    const apart = foldersOf(file)
      .filter((folder) => !holds(folder, target))
      .flatMap((from) =>
        foldersOf(target)
          .filter((folder) => !holds(folder, file))
          .map((to) => [`^${from}/`, `^${to}/`]),
      );
    const [from, inTo] = [foldersOf(file)[0], foldersOf(target)[0]];
    const isNested = from && inTo && holds(from, target) !== holds(inTo, file);
    return isNested ? [...apart, [`^${from}/[^/]+$`, `^${inTo}/[^/]+$`]] : apart;
  }),
);
const known = new Set(arrows.map(String));

const mutualImports = [...known]
  .map((arrow) => arrow.split(","))
  .filter(([from, to]) => known.has(`${to},${from}`))
  .map(([from, to]) => ({
    name: `no two folders import each other: ${from} and ${to}`,
    severity: "error",
    from: { path: from },
    to: { path: to },
  }));

export default {
  forbidden: [
    ...layers,
    ...fakeLayers,
    ...mutualImports,
    {
      name: "no circle of folders",
      severity: "error",
      scope: "folder",
      from: {},
      to: { circular: true },
    },
    {
      name: "a room has its line in ROOMS",
      severity: "error",
      from: {
        path: "^src/",
        pathNot: [filesOf(ROOMS.flat()), "^src/[^/]+\\.ts$"],
      },
      to: { path: "^src/" },
    },
    {
      name: "core imports nothing outside of core",
      severity: "error",
      from: { path: "^src/core/" },
      to: { path: "^src/", pathNot: "^src/core/" },
    },
    {
      name: "only the entry point leads to the checks of ledgers, which need nothing of the fake",
      severity: "error",
      from: { path: "^src/testing/ledger-checks/" },
      to: { path: "^src/testing/", pathNot: "^src/testing/ledger-checks/" },
    },
    {
      name: "the fake service knows nothing of how the clients are made",
      severity: "error",
      from: { path: filesOf(["testing"]) },
      // `ledgerChecks` compares a ledger with the memory ledger.
      to: {
        path: "^src/",
        pathNot: [
          filesOf(["testing", ...SHARED_WITH_TESTING]),
          "^src/bulk/ledgers/(memory-)?ledger\\.ts$",
        ],
      },
    },
    {
      name: "only its entry points and its command lead to the fake service",
      severity: "error",
      from: { path: "^src/", pathNot: filesOf(["testing", "command/fake"]) },
      to: { path: filesOf(["testing"]) },
    },
    {
      name: "the page of the inbox knows the types of the control API and the table of faults, and nothing else",
      severity: "error",
      from: { path: filesOf(["testing/inbox"]) },
      to: {
        path: "^src/",
        pathNot: [
          filesOf(["testing/inbox"]),
          "^src/testing/control/schemas\\.ts$",
          "^src/testing/fake/fault-table\\.ts$",
        ],
      },
    },
    {
      name: "only the build leads to the page of the inbox",
      severity: "error",
      from: { path: "^src/", pathNot: filesOf(["testing/inbox"]) },
      to: { path: filesOf(["testing/inbox"]) },
    },
    {
      name: "no cycle, type imports included",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "src imports no test, example or tool",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(test|examples)/" },
    },
    {
      name: "every import leads somewhere",
      severity: "error",
      from: { path: "^src/" },
      // The build compiles and inlines the page of the inbox.
      to: { couldNotResolve: true, pathNot: "^virtual:" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
  },
};
