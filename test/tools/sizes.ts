// Measures the size of an application that makes one call, bundled and minified by esbuild, and gzipped.
// As a program (`npm run bench sizes`), it writes the table of docs/performance.md.
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { toTable, writeReport } from "./write-report.ts";

const PACKAGE = "messaging-service-client";
const v2Call = `new V2Client({ baseUrl: "https://app.example.com" }).accounts.me().then(console.log);`;
const send = `new TransactionalClient({ baseUrl: "https://rcs.example.com" }).sendRcsText(message).then(console.log);`;
const errors = `MessagingServiceError, ValidationError, ApiError, AuthenticationError, PermissionDeniedError,
  NotFoundError, RateLimitError, ServerError, ConnectionError, TimeoutError, ThrottleError, RecipientError, AbortError,
  ResponseValidationError, LedgerError`;

/** Returns an application that calls only one function. */
const alone = (name: string, budget: number, entry = "") => ({
  name: `\`${name}\` alone`,
  budget,
  code: `import { ${name} } from "${PACKAGE}${entry}"; globalThis.result = ${name}(message);`,
});

/** Applications, with the maximum size of each in kilobytes. A budget is a limit, and never justifies a trick. */
export const APPS = [
  {
    name: "`V2Client`, from the root",
    budget: 30.2,
    code: `import { V2Client } from "${PACKAGE}"; ${v2Call}`,
  },
  {
    name: "`V2Client`, from `./v2`",
    budget: 30.2,
    code: `import { V2Client } from "${PACKAGE}/v2"; ${v2Call}`,
  },
  {
    name: "`TransactionalClient`",
    budget: 37.7,
    code: `import { TransactionalClient } from "${PACKAGE}"; ${send}`,
  },
  {
    name: "`TransactionalClient`, with `sendOnce` and `memoryLedger`",
    budget: 43.8,
    code: `import { TransactionalClient } from "${PACKAGE}"; import { memoryLedger, sendOnce } from "${PACKAGE}/bulk";
      const rcs = new TransactionalClient({ baseUrl: "https://rcs.example.com" });
      sendOnce(rcs, message, { ledger: memoryLedger(), key: "1" }).then(console.log);`,
  },
  {
    name: "`sendMany` alone",
    budget: 32.0,
    code: `import { sendMany } from "${PACKAGE}/bulk";
      sendMany(globalThis.rcs, message, { ledger: globalThis.ledger, batch: "1" }).then(console.log);`,
  },
  {
    name: "`removeMany` alone",
    budget: 18.5,
    code: `import { removeMany } from "${PACKAGE}/bulk";
      removeMany(globalThis.v2, message, { ledger: globalThis.ledger, batch: "1", listId: 1 }).then(console.log);`,
  },
  {
    name: "both clients",
    budget: 45,
    code: `import { TransactionalClient, V2Client } from "${PACKAGE}"; ${v2Call} ${send}`,
  },
  {
    name: "every error",
    budget: 2.0,
    code: `import { ${errors} } from "${PACKAGE}"; console.log(${errors});`,
  },
  {
    name: "the schemas of one resource",
    budget: 6.4,
    code: `import { listSchema } from "${PACKAGE}/schemas"; console.log(listSchema.parse(message));`,
  },
  alone("toE164", 10.1),
  alone("checkPhone", 9.51),
  alone("fitSms", 3.7),
  alone("checkFile", 4.4),
  {
    name: "the limits and closed sets of a form",
    budget: 0.3,
    code: `import * as client from "${PACKAGE}";
      console.log(client.maxSmsLength, client.maxPageSize, client.allowedContentTypes, client.collectedDataTypes, client.successActions);`,
  },
  alone("fetchFrom", 1.1),
  alone("downloadReport", 15.2, "/reports"),
  alone("traced", 2.9, "/opentelemetry"),
  alone("toGsm7", 2.2),
  alone("analyzeGsm7", 2.4),
  alone("isUsOrCanadianNumber", 8.6),
  alone("isWebhookUrl", 0.6),
  alone("isFileUrl", 1.6),
  alone("isAllowedContentType", 0.3),
  alone("createThrottle", 4.5),
  alone("throttleFrom", 4.4),
  alone("sendOnce", 28.4, "/bulk"),
  alone("previewMany", 29.9, "/bulk"),
  alone("memoryLedger", 2.2, "/bulk"),
  alone("sqliteLedger", 6.8, "/bulk"),
  alone("postgresLedger", 6.8, "/bulk"),
  alone("createFakeService", 43.5, "/testing"),
  alone("ledgerChecks", 6.2, "/testing"),
] as const;

/** Budgets in kilobytes for what `fetchFrom` adds to a client. Only bundles for Node contain the code that calls dispatchers. */
export const FETCH_FROM_APPS = ["V2Client", "TransactionalClient"].map((name) => ({
  name: `\`fetchFrom\` beside \`${name}\``,
  budget: 0.6,
  client: APPS.find((app) => app.name.startsWith(`\`${name}\``))?.code ?? "",
}));

/** Returns the size of an application in a folder, in kilobytes of 1000 bytes. */
export const sizeOf = async (
  code: string,
  folder: string,
  platform: "browser" | "node" = "browser",
) => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `const message = globalThis.message;\n${code}`, resolveDir: folder },
    absWorkingDir: folder,
    tsconfigRaw: {},
    bundle: true,
    minify: true,
    platform,
    format: "esm",
    target: "es2022",
    write: false,
    metafile: true,
    logLevel: "error",
  });
  const bundle = outputFiles[0]?.contents ?? new Uint8Array();
  return {
    gzipped: gzipSync(bundle, { level: 9 }).length / 1000,
    bundle,
    files: Object.keys(metafile.inputs),
  };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const rows = [["an application that uses", "kB", "kB, for Node"]];
  const functions: string[] = [];
  for (const { name, code } of APPS) {
    const { gzipped } = await sizeOf(code, root);
    const [called] = name.split(" alone");
    if (called !== name && gzipped >= 5) functions.push(`${called} ${gzipped.toFixed(1)}`);
    const forNode = await sizeOf(code, root, "node");
    // The rows below are limits for tests only.
    if (called === name && gzipped > 10 && !name.includes("./v2")) {
      rows.push([
        name.replace(", from the root", ""),
        gzipped.toFixed(1),
        forNode.gzipped.toFixed(1),
      ]);
    }
  }
  const report = `In kB (1000 bytes): the whole bundle by esbuild for browsers, minified and compressed by gzip. A bundle for Node also contains the code that
calls the process's dispatcher.

${toTable(rows)}

One function alone: ${functions.join(", ")}; the others outside \`testing\` take less than 5.`;
  writeReport("performance.md", "sizes", report);
  console.log(report);
}
