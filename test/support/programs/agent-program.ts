// Removes two subscribers of each service in front of an agent, the second with `traced`: `node agent-program.ts AGENT PACKAGE esm|cjs`.
// A third is removed with `traced` outside the transaction, if a service has one.
// The removals fail, so that the agent also reports their errors.
import { createRequire } from "node:module";

const [name = "", path = "", format = ""] = process.argv.slice(2);
// Not passed as arguments, because agents may send the arguments of the process.
const services: readonly {
  baseUrl: string;
  listId: number;
  bare: string;
  traced: string;
  alone?: string;
}[] = JSON.parse(process.env.SERVICES ?? "");
const require = createRequire(import.meta.url);

/** Loads a package that is installed only in the folder of this program. */
const load = async (path: string) => {
  const loaded = format === "cjs" ? require(path) : await import(path);
  return loaded.default ?? loaded;
};
const { V2Client } = await load("messaging-service-client");
const { traced } = await load("messaging-service-client/opentelemetry");
const agent = await load(path);
/** Loads a package of OpenTelemetry in the version that the agent uses. */
const loadFor = createRequire(require.resolve(path));
const { logs, trace } = loadFor("@opentelemetry/api");

interface Agent {
  /** Runs work within a trace, as a request handler would. */
  trace(work: () => Promise<void>): Promise<void>;
  log(line: string): void;
  report(error: unknown): void;
  /** Sends what is left, if the agent does not do so when the process ends. */
  end?(): unknown;
}

const agents: Readonly<Record<string, () => Agent>> = {
  opentelemetry: () => {
    const logger = logs.getLogger("job");
    const tracer = trace.getTracer("job");
    return {
      trace: (work) =>
        tracer.startActiveSpan("job", (span: { end(): void }) => work().finally(() => span.end())),
      log: (line) => logger.emit({ body: line }),
      report: (error) => trace.getActiveSpan().recordException(error),
    };
  },
  sentry: () => ({
    trace: (work) => agent.startSpan({ name: "job" }, work),
    log: (line) => console.info(line), // becomes a breadcrumb
    report: (error) => agent.captureException(error),
    end: () => agent.flush(),
  }),
  datadog: () => ({
    trace: (work) => agent.trace("job", work),
    log: (line) => agent.scope().active().setTag("log", line),
    report: (error) => agent.scope().active().setTag("error", error),
  }),
  newrelic: () => ({
    trace: (work) => agent.startBackgroundTransaction("job", work),
    log: (message) => agent.recordLogEvent({ message }),
    report: (error) => agent.noticeError(error),
    end: () =>
      new Promise((resolve) =>
        agent.shutdown({ collectPendingData: true, timeout: 30_000 }, resolve),
      ),
  }),
  elastic: () => ({
    trace: async (work) => {
      const transaction = agent.startTransaction("job");
      await work();
      transaction.end();
    },
    log: (line) => agent.currentTransaction.setLabel("log", line),
    report: (error) => agent.captureError(error),
    end: () => agent.flush(),
  }),
};

const { trace: within, log, report, end } = (agents[name] as () => Agent)();
const onEvent = (event: object) => log(JSON.stringify(event));

const remove = async (
  listId: number,
  phone: string,
  options: object,
  onError = report,
): Promise<void> => {
  const removed = new V2Client(options).subscribers.remove(listId, phone);
  await removed.then(() => process.exit(1), onError);
};

const tracer = trace.getTracer("messaging-service");
for (const { baseUrl, listId, alone } of services) {
  if (alone) await remove(listId + 1, alone, { ...traced({ tracer }), baseUrl }, () => {});
}
await within(async () => {
  for (const { baseUrl, listId, ...phones } of services) {
    await remove(listId, phones.bare, { baseUrl, onEvent });
    await remove(listId + 1, phones.traced, { ...traced({ tracer, onEvent }), baseUrl });
  }
});
// New Relic's timers do not keep a process alive, not even while it connects to its collector.
const alive = setInterval(() => {}, 1_000);
await end?.();
clearInterval(alive);
