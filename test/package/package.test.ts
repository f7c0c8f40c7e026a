import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { V2Client } from "messaging-service-client";
import { describe, expect, inject, test } from "vitest";
import { ENTRY_POINTS } from "../../.config/entry-points.ts";
import { installed } from "../tools/bench/installed.ts";

const ROOT = new URL("../..", import.meta.url).pathname;

/** Program that runs as ESM and as CommonJS. It calls the fake service over HTTP with both clients. */
const program = (load: (specifier: string) => string) => `
const { V2Client, TransactionalClient, NotFoundError, toE164 } = ${load("messaging-service-client")};
const { V2Client: V2Alone } = ${load("messaging-service-client/v2")};
const { TransactionalClient: TransactionalAlone } = ${load("messaging-service-client/transactional")};
const { listSchema } = ${load("messaging-service-client/schemas")};
const { createFakeService } = ${load("messaging-service-client/testing")};
const { listen } = ${load("messaging-service-client/testing/node")};
const { memoryLedger, sendMany } = ${load("messaging-service-client/bulk")};
const { inspect } = ${load("node:util")};

const run = async () => {
  const service = createFakeService();
  const list = service.addList({ name: "VIP" });
  const server = await listen(service);
  const { email, apiKey } = service.account;
  const v2 = new V2Client({ baseUrl: server.v2BaseUrl, email, apiKey });
  const names = [];
  for await (const { name } of v2.lists.list()) names.push(name);
  const missing = await v2.lists.retrieve(list.id + 1).catch((error) => error);
  const rcs = new TransactionalClient({ baseUrl: server.transactionalBaseUrl, apiKey });
  const { transactionId } = await rcs.sendRcsText({
    phoneNumber: toE164("(206) 555-0123"),
    webhookUrl: "https://example.com/webhooks/messages",
    rcsPayload: { text: "Hi" },
    smsFailover: "Hi",
  });
  const pages = v2.lists.list();
  const sends = sendMany(rcs, [], { batch: "shown", ledger: memoryLedger() });
  const shown = inspect({ v2, rcs, pages, sends }, { breakLength: Infinity });
  await Promise.all([pages, sends]);
  await server.close();
  console.log(JSON.stringify({
    names,
    missing: missing instanceof NotFoundError,
    sent: service.outbox[0].transactionId === transactionId,
    same: V2Client === V2Alone && TransactionalClient === TransactionalAlone,
    parsed: listSchema.parse(list).name,
    shown,
  }));
};
run();
`;

describe("packed package", () => {
  const folder = inject("application");
  const packed = inject("packed");
  const INSTALLED = join(folder, "node_modules/messaging-service-client");
  const read = (path: string) => readFileSync(join(INSTALLED, path), "utf8");
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

  test("the packed package contains the build, the guides, the examples and the skill, and nothing else", () => {
    const others = packed.filter((path) => !/^(dist|docs|examples)\//.test(path));
    expect(others.toSorted()).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "package.json",
      "skills/messaging-service-client/SKILL.md",
    ]);
    const docs = packed.filter((path) => path.startsWith("docs/"));
    const isPage = (path: string) =>
      /^docs\/((guides\/)?[\w-]+\.md|llms\.txt|images\/inbox\.webp|openapi\/\w+\.json)$/.test(path);
    expect(docs.filter((path) => !isPage(path))).toEqual([]);
    expect(docs).toContain("docs/guides/getting-started.md");
    expect(packed).toContain("examples/with-packages/guests.csv");
    expect(
      packed.filter((path) => /\.map$|package-lock|node_modules|examples\/.*json$/.test(path)),
    ).toEqual([]);
  });

  test("every link on a packed page leads to a file of the package", () => {
    const links = packed
      .filter((path) => path.endsWith(".md"))
      .flatMap((page) =>
        [...read(page).matchAll(/\[[^\]]*\]\((?![a-z]+:)([^)#\s]+)/g)].map(([, target = ""]) => ({
          page,
          file: join(dirname(page), target),
        })),
      );
    expect(links.filter(({ page }) => page === "README.md").length).toBeGreaterThan(15);
    // A link may lead to a folder.
    const isFolder = (file: string) =>
      packed.some((path) => path.startsWith(`${file.replace(/\/$/, "")}/`));
    expect(links.filter(({ file }) => !packed.includes(file) && !isFolder(file))).toEqual([]);
  });

  test("every file named in `exports` is in the package", () => {
    const named = JSON.stringify(manifest.exports).match(/(?<=\.\/)(dist\/[\w/.]+)/g) ?? [];
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !packed.includes(path))).toEqual([]);
  });

  test("package.json has the entry points of tsconfig.json in every place that lists them", () => {
    const names = Object.keys(ENTRY_POINTS);
    const targets = (name: string) =>
      Object.fromEntries(
        [
          ["import", "ts", "js"],
          ["require", "cts", "cjs"],
        ].map(([condition, types, code]) => [
          condition,
          { types: `./dist/${name}.d.${types}`, default: `./dist/${name}.${code}` },
        ]),
      );
    expect(manifest.exports).toEqual({
      ...Object.fromEntries(
        names.map((name) => [name === "index" ? "." : `./${name}`, targets(name)]),
      ),
      "./package.json": "./package.json",
    });
    const typed = names.filter((name) => name !== "index");
    expect(manifest.typesVersions["*"]).toEqual(
      Object.fromEntries(typed.map((name) => [name, [`./dist/${name}.d.ts`]])),
    );
    const { entryPoints } = JSON.parse(readFileSync(join(ROOT, "typedoc.json"), "utf8"));
    expect(entryPoints.toSorted()).toEqual(Object.values(ENTRY_POINTS).toSorted());
  });

  test("the docs state the size of the installation", () => {
    const { packages, megabytes } = installed(folder);
    const page = readFileSync(join(ROOT, "docs/performance.md"), "utf8");
    const [, count, size] =
      /^\| this package, whole \|.*\| (\d+) \| ([\d.]+) \|$/m.exec(page) ?? [];
    expect(Number(count)).toBe(packages);
    expect(Math.abs(Number(size) - Number(megabytes))).toBeLessThanOrEqual(0.3);
  });

  test("npm installs the package beside any version of an optional peer", () => {
    expect(Object.keys(manifest.dependencies)).toEqual(["ky", "zod"]);
    for (const [name, range] of Object.entries(manifest.peerDependencies)) {
      expect([name, range, manifest.peerDependenciesMeta[name]]).toEqual([
        name,
        "*",
        { optional: true },
      ]);
    }
  });

  test("dist/LICENSES.txt contains the license of every package in the build", async () => {
    const { metafile } = await build({
      absWorkingDir: ROOT,
      entryPoints: [...Object.values(ENTRY_POINTS), "src/testing/inbox/inbox.tsx"],
      external: ["msw", "virtual:inbox-page"],
      outdir: "none",
      bundle: true,
      write: false,
      metafile: true,
      platform: "node",
      format: "esm",
      jsx: "automatic",
      jsxImportSource: "preact",
    });
    const bundled = Object.keys(metafile.inputs).flatMap(
      (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
    );
    const licensed = read("dist/LICENSES.txt").match(/^[\w@/-]+(?=\/licen[sc]e$)/gim) ?? [];
    expect(licensed.toSorted()).toEqual([...new Set(bundled)].toSorted());
    expect(read("dist/LICENSES.txt")).toContain("Apache License");
    expect(read("LICENSE")).toContain("dist/LICENSES.txt");
  });

  test("every file of the build is named in package.json, or imported by a file that is reached", () => {
    const reached = new Set(read("package.json").match(/(?<="\.\/)dist\/[\w/.-]+/g));
    for (const path of reached) {
      const code = read(path);
      const imports = /(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*["'](\.[^"'\n]+)["']/g;
      for (const [, specifier = ""] of code.matchAll(imports)) {
        const imported = join(dirname(path), specifier);
        // A declaration imports the code file that it describes, so the path is converted to its declaration.
        reached.add(/\.d\.c?ts$/.test(path) ? imported.replace(/(c?)js$/, "d.$1ts") : imported);
      }
    }
    const built = packed.filter((path) => /^dist\/.*\.[cm]?[jt]s$/.test(path));
    expect([...reached].toSorted()).toEqual(built.toSorted());
  });

  const unused = new V2Client({ baseUrl: "https://app.example.com", email: "a", apiKey: "b" });
  const parts = Object.entries(unused).map(([name, part]) => `${name}: ${part.constructor.name}`);
  const expected = {
    ...{ names: ["VIP"], missing: true, sent: true, same: true, parsed: "VIP" },
    shown: `{ v2: V2Client { ${parts.join(" {}, ")} {} }, rcs: TransactionalClient {}, pages: PagePromise {}, sends: BulkRun {} }`,
  };

  test.each([
    ["ESM", "user.mjs", (specifier: string) => `await import("${specifier}")`],
    ["CommonJS", "user.cjs", (specifier: string) => `require("${specifier}")`],
  ])("the packed package works from %s", (_, name, load) => {
    const file = join(folder, name);
    writeFileSync(file, program(load));
    const printed = execFileSync(process.execPath, [file], { encoding: "utf8" });
    expect(JSON.parse(printed)).toEqual(expected);
  });

  test("the packed types compile in strict mode from ESM and from CommonJS", () => {
    const source = `
      import { V2Client, type List } from "messaging-service-client";
      import { createFakeService } from "messaging-service-client/testing";
      import { accountSchema } from "messaging-service-client/schemas";
      const service = createFakeService();
      const v2 = new V2Client({ baseUrl: service.v2BaseUrl, fetch: service.fetch });
      export const first: Promise<List | undefined> = v2.lists.list().toArray().then(([list]) => list);
      export const account = accountSchema.parse({});
    `;
    for (const name of ["user.mts", "user.cts"]) writeFileSync(join(folder, name), source);
    const compilerOptions = {
      module: "nodenext",
      target: "es2022",
      lib: ["es2022", "dom", "dom.iterable"],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
    };
    const config = { compilerOptions, files: ["user.mts", "user.cts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(ROOT, "node_modules/typescript7/bin/tsc");
    expect(() =>
      execFileSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8", stdio: "pipe" }),
    ).not.toThrow();
  });
});
