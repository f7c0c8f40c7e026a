/**
 * Categories of exports, in the order in which a reader needs them, and the code in `src` whose exports belong to each. The longest
 * path decides. An export that belongs elsewhere has a `@category`.
 */
export const CATEGORIES: readonly (readonly [title: string, ...paths: string[]])[] = [
  ["Clients", "core/clients/"],
  ["Methods of the clients", "core/resources/", "core/call/custom-request.ts", "core/wire/"],
  ["The fake service", "testing/"],
  ["Durable sends", "bulk/"],
  ["Ledgers", "bulk/ledgers/", "testing/ledger-checks/"],
  ["Reports", "reports/"],
  ["Tracing", "opentelemetry/"],
  ["Promises and pages", "core/paging/", "core/call/api-promise.ts", "core/schemas/page.ts"],
  ["The opt-in machine", "testing/fake/opt-in-transitions.ts"],
  ["Errors", "core/errors.ts"],
  ["Events", "core/call/events.ts", "testing/fake/fake-events.ts"],
  ["Throttle", "core/throttle/"],
  ["Rules", "core/rules/", "reports/check-file.ts"],
  ["Failures", "testing/service/", "testing/fake/fault-table.ts"],
  ["Options", "core/call/", "core/transport/", "core/clients/options.ts"],
  ["Test data", "testing/fake/"],
  ["Webhooks", "testing/fake/webhooks.ts"],
  [
    "Records of the fake service",
    "testing/fake/recorded-requests.ts",
    ...["messages", "saved-state", "store", "world"].map((name) => `testing/fake/${name}.ts`),
  ],
  ["Requests and responses", "testing/fake/exchange.ts"],
  ["Resources and messages", "core/schemas/"],
];

const BY_PATH = CATEGORIES.flatMap(([title, ...paths]) =>
  paths.map((path) => ({ title, path })),
).sort((a, b) => b.path.length - a.path.length);

/** Returns the category of the exports of a file, named by its path in `src`. */
export const categoryOf = (file: string): string => {
  const { title } = BY_PATH.find(({ path }) => file.startsWith(path)) ?? {};
  if (title === undefined) throw new Error(`the exports of src/${file} have no category`);
  return title;
};
