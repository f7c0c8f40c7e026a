import { relative } from "node:path";
import {
  type Application,
  DeclarationReflection,
  DocumentReflection,
  type IndexEvent,
  ReflectionKind,
  Renderer,
} from "typedoc";
import { ROOT } from "../../docs/pages.ts";
import { sectionOf } from "./sections.ts";

/** Weight of a guide relative to an export with the same words. */
const GUIDE_BOOST = 400;
/** Weight of a page about the project, which fewer readers search for. */
const PROJECT_BOOST = 4;
/** Weight of a page's keywords relative to its words. */
const KEYWORD_WEIGHT = 30;

/** Words that people search for, and the page that explains them. */
const KEYWORDS: Readonly<Record<string, string>> = {
  "docs/guides/getting-started.md": "install setup credentials environment key",
  "docs/guides/quickstarts.md":
    "quickstart express fastify hono script next nextjs next.js cloudflare workers lambda aws serverless vercel edge",
  "docs/guides/queues.md":
    "queue queues bullmq pg-boss graphile graphile-worker dbos temporal outbox transactional job worker at-least-once sqs",
  "docs/guides/databases.md":
    "database prisma drizzle kysely orm postgres postgresql migration pool",
  "docs/guides/sending-rcs.md":
    "send sms rcs text message file phone number e164 gsm webhook fallback failover emoji schema zod validate",
  "docs/guides/send-many.md":
    "duplicate duplicates idempotency bulk batch many ledger sqlite postgres resume crash exactly once exactly-once twice",
  "docs/guides/spreadsheets.md":
    "excel spreadsheet sheet csv file import encoding semicolon delimiter windows-1252",
  "docs/guides/operate-durable-sends.md":
    "doubt in-doubt unknown alert monitor retention forget backup command migrate table",
  "docs/guides/only-the-right-people.md":
    "staging allowlist recipient recipients guard quiet hours time zone timezone night",
  "docs/guides/web-services.md": "server request handler webhooks route",
  "docs/guides/errors.md":
    "error errors outcome unknown idempotent exception abort cancel signal validation",
  "docs/guides/lists-and-pages.md":
    "list lists page pages pagination paginate iterate resume subscriber unsubscribe prefetch",
  "docs/guides/opt-in-settings.md":
    "opt-in opt-out optin optout opt out stop unsubscribe keyword double single steps",
  "docs/guides/reports.md": "report reports download csv momt",
  "docs/guides/throttle-and-retries.md":
    "retry retries retry-after backoff throttle rate limit ratelimit 429 timeout redis",
  "docs/guides/tracing-and-privacy.md":
    "opentelemetry otel tracing trace span metrics logging privacy redact",
  "docs/guides/proxies-tls-and-throughput.md":
    "proxy proxies agent dispatcher undici tls mtls certificate http2 http/2 throughput fast connections socket",
  "docs/guides/browsers-and-workers.md": "browser worker cloudflare cors",
  "docs/runtimes.md":
    "bundler vite webpack rollup esbuild commonjs cjs esm require node bun deno workerd runtime typescript version",
  "docs/agents.md": "agent agents assistant llm mcp tool generated",
  "docs/options.md": "option options default defaults setting",
  "docs/glossary.md": "glossary term meaning slot hold drift claim owner ref septet",
  "docs/SECURITY.md": "security vulnerability report secret",
  "docs/guides/from-another-client.md": "migrate migration axios ky sdk",
  "docs/guides/examples.md": "example examples sample program",
  "docs/testing.md": "test testing mock fake stub simulate",
  "docs/test-runners.md": "msw jest vitest node:test runner browser timers",
  "docs/fake-command.md": "inbox command server fake local development",
  "docs/control-api.md": "control curl fake language python",
  "docs/fake-inventions.md": "invent opt-in machine stop help keyword",
};

/** Returns whether a result is re-exported, inherited or overridden. Search finds a name only where it is first declared. */
const isCopy = (result: DeclarationReflection | DocumentReflection): boolean =>
  result.kindOf(ReflectionKind.Reference) ||
  (result instanceof DeclarationReflection &&
    (result.inheritedFrom ?? result.overwrites) !== undefined);

/** Makes search find each name once, and guides before exports. */
export const rankGuidesFirst = (app: Application): void => {
  app.renderer.on(Renderer.EVENT_PREPARE_INDEX, (event: IndexEvent) => {
    event.searchFieldWeights.keywords = KEYWORD_WEIGHT;
    for (let index = event.searchResults.length - 1; index >= 0; index -= 1) {
      const result = event.searchResults[index];
      if (!result) continue;
      if (isCopy(result)) {
        event.removeResult(index);
      } else if (result instanceof DocumentReflection) {
        const path = relative(ROOT, result.project.files.getReflectionPath(result) ?? "");
        const isGuide = sectionOf(path) !== "About the project";
        result.relevanceBoost = isGuide ? GUIDE_BOOST : PROJECT_BOOST;
        event.searchFields[index] = { keywords: KEYWORDS[path] ?? "" };
      }
    }
  });
};
