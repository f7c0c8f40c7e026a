import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, inject, test } from "vitest";

const ROOT = new URL("../..", import.meta.url).pathname;

/** Program that runs as ESM and as CommonJS: both clients against the fake service over HTTP. */
const program = (load: (specifier: string) => string) => `
const { V2Client, TransactionalClient, NotFoundError, toE164 } = ${load("messaging-service-client")};
const { V2Client: V2Alone } = ${load("messaging-service-client/v2")};
const { TransactionalClient: TransactionalAlone } = ${load("messaging-service-client/transactional")};
const { listSchema } = ${load("messaging-service-client/schemas")};
const { createFakeService } = ${load("messaging-service-client/testing")};
const { listen } = ${load("messaging-service-client/testing/node")};

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
  await server.close();
  console.log(JSON.stringify({
    names,
    missing: missing instanceof NotFoundError,
    sent: service.outbox[0].transactionId === transactionId,
    same: V2Client === V2Alone && TransactionalClient === TransactionalAlone,
    parsed: listSchema.parse(list).name,
  }));
};
run();
`;

describe("packed package", () => {
  const folder = inject("application");
  const packed = inject("packed");

  test("the packed package contains the build, the documentation and the skill, and nothing else", () => {
    const others = packed.filter((path) => !/^(dist|docs)\//.test(path));
    expect(others.toSorted()).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "package.json",
      "skills/messaging-service-client/SKILL.md",
    ]);
    const docs = packed.filter((path) => path.startsWith("docs/"));
    const isPage = (path: string) =>
      /^docs\/((guides\/)?[\w-]+\.md|llms\.txt|images\/[\w-]+\.png|openapi\/\w+\.json)$/.test(path);
    expect(docs.filter((path) => !isPage(path))).toEqual([]);
    expect(docs).toContain("docs/guides/getting-started.md");
    expect(packed).toContain("dist/index.js");
    expect(packed.filter((path) => path.endsWith(".map"))).toEqual([]);
  });

  test("every link and every picture on a packed page leads to a file of the package", () => {
    const read = (path: string) =>
      readFileSync(join(folder, "node_modules/messaging-service-client", path), "utf8");
    const links = packed
      .filter((path) => path.endsWith(".md"))
      .flatMap((page) =>
        [...read(page).matchAll(/\[[^\]]*\]\((?![a-z]+:)([^)#\s]+)/g)].map(([, target = ""]) => ({
          page,
          file: join(dirname(page), target),
        })),
      );
    expect(links.filter(({ page }) => page === "README.md").length).toBeGreaterThan(15);
    expect(links.filter(({ file }) => file.endsWith(".png")).length).toBeGreaterThan(1);
    expect(links.filter(({ file }) => !packed.includes(file))).toEqual([]);
  });

  test("every file named in `exports` is in the package", () => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const named = JSON.stringify(exports).match(/(?<=\.\/)(dist\/[\w/.]+)/g) ?? [];
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !packed.includes(path))).toEqual([]);
  });

  test("ky is a dependency, and the lowest and the newest major version of every optional peer run in the tests", () => {
    const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), "utf8"));
    const { dependencies, peerDependencies, peerDependenciesMeta } = read("package.json");
    expect(Object.keys(dependencies)).toEqual(["ky", "zod"]);
    const tested = ["peers-fetch", "peers-throttle", "undici"].flatMap((fixture) =>
      Object.values<string>(read(`test/fixtures/${fixture}/package.json`).devDependencies),
    );
    for (const [name, range] of Object.entries<string>(peerDependencies)) {
      expect(peerDependenciesMeta[name]).toEqual({ optional: true });
      const [lowest] = range.match(/\d+\.\d+\.\d+/) ?? [];
      expect(tested).toContain(`npm:${name}@${lowest}`);
      const [, upper = "", major] = /(<|\^)(\d+)\.0\.0$/.exec(range) ?? [];
      const newest = Number(major) - (upper === "<" ? 1 : 0);
      expect(tested).toContainEqual(expect.stringMatching(`^npm:${name}@${newest}\\.`));
    }
  });

  test("every file of the build is named in package.json, or imported by a file that is reached", () => {
    const root = join(folder, "node_modules/messaging-service-client");
    const manifest = readFileSync(join(root, "package.json"), "utf8");
    const reached = new Set(manifest.match(/(?<="\.\/)dist\/[\w/.-]+/g));
    for (const path of reached) {
      const code = readFileSync(join(root, path), "utf8");
      const imports = /(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*["'](\.[^"'\n]+)["']/g;
      for (const [, specifier = ""] of code.matchAll(imports)) {
        const imported = join(dirname(path), specifier);
        // A declaration names the code that it describes.
        reached.add(/\.d\.c?ts$/.test(path) ? imported.replace(/(c?)js$/, "d.$1ts") : imported);
      }
    }
    const built = packed.filter((path) => path.startsWith("dist/"));
    expect([...reached].toSorted()).toEqual(built.toSorted());
  });

  const expected = { names: ["VIP"], missing: true, sent: true, same: true, parsed: "VIP" };

  test("the packed package works from ESM", () => {
    const file = join(folder, "user.mjs");
    writeFileSync(
      file,
      program((specifier) => `await import("${specifier}")`),
    );
    expect(JSON.parse(execFileSync(process.execPath, [file], { encoding: "utf8" }))).toEqual(
      expected,
    );
  });

  test("the packed package works from CommonJS", () => {
    const file = join(folder, "user.cjs");
    writeFileSync(
      file,
      program((specifier) => `require("${specifier}")`),
    );
    expect(JSON.parse(execFileSync(process.execPath, [file], { encoding: "utf8" }))).toEqual(
      expected,
    );
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
