// A host that accepts no connection in time, such as behind a firewall that drops packets. If the runtime proves that no
// connection was made, the outcome is `not_sent`.
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { memoryLedger, sendMany } from "../../../src/bulk/index.ts";
import { fetchFrom } from "../../../src/index.ts";
import { clientsOf, E164, errorOf, message } from "../../support/calls.ts";
import { ALL_CARRIERS } from "../../support/carriers.ts";
import { DISPATCHERS, UNDICI, useGlobally } from "../../support/dispatchers.ts";
import { type BlackHole, startBlackHole } from "../../support/servers/black-hole.ts";

vi.setConfig({ testTimeout: 30_000 });

let hole: BlackHole;
let baseUrl: string;
beforeAll(async () => {
  hole = await startBlackHole();
  baseUrl = `http://127.0.0.1:${hole.port}`;
});
afterAll(() => hole[Symbol.asyncDispose]());

describe.each([...ALL_CARRIERS, ...DISPATCHERS])("carried by $carrier", (carrier) => {
  const { carrier: name, fetch, onEvent } = carrier;
  // A wrapper function of the application may have sent anything.
  const outcome = name.includes("wrapper") ? "unknown" : "not_sent";
  const clientsWith = (options: object) =>
    clientsOf({ baseUrl }, { fetch, onEvent, retry: { backoff: { initial: 1 } }, ...options }).rcs;

  test("a send that gets no connection within timeout is retried, because it was not sent", async () => {
    const error = await errorOf(clientsWith({ timeout: 100 }).sendRcsText(message));
    const attempts = outcome === "unknown" ? 1 : 3;
    expect(error).toMatchObject({ code: "timeout", phase: "attempt", outcome, attempts });
    const why = outcome === "unknown" ? "" : `: no connection was made to 127.0.0.1:${hole.port}`;
    expect(error.message).toBe(`${error.endpoint}: an attempt took longer than 100 ms${why}`);
  });

  test("a send that gets no connection within totalTimeout, or until it is aborted, was not sent", async () => {
    const rcs = clientsWith({ retry: 0 });
    const late = await errorOf(rcs.sendRcsText(message, { totalTimeout: 100 }));
    expect(late).toMatchObject({ code: "timeout", phase: "total", outcome });
    const signal = AbortSignal.timeout(100);
    const aborted = await errorOf(rcs.sendRcsText(message, { signal }));
    expect(aborted).toMatchObject({ code: "abort", outcome });
  });
});

describe.each(UNDICI)("the global dispatcher of undici $major", ({ undici }) => {
  const { fetch } = globalThis;
  class ApplicationAgent extends undici.Agent {}

  test.each([
    ["an Agent", undici.Agent, "not_sent"],
    ["a class of the application, which may do anything", ApplicationAgent, "unknown"],
  ])("%s proves the same with the default as under a patched fetch", async (_, Agent, outcome) => {
    const agent = new Agent();
    using _global = useGlobally(undici, agent);
    onTestFinished(() => agent.destroy());
    for (const patched of [fetch, (...args: Parameters<typeof fetch>) => fetch(...args)]) {
      vi.stubGlobal("fetch", patched);
      const { rcs } = clientsOf({ baseUrl }, { timeout: 100, retry: 0 });
      expect(await errorOf(rcs.sendRcsText(message))).toMatchObject({ code: "timeout", outcome });
    }
    vi.unstubAllGlobals();
  });
});

test("a run whose sends get no connection leaves nobody in doubt", async () => {
  const { rcs } = clientsOf({ baseUrl }, { timeout: 100, retry: 0 });
  const ledger = memoryLedger();
  const items = [0, 1, 2].map((index) => ({ ...message, phoneNumber: E164.slice(0, -1) + index }));
  const summary = await sendMany(rcs, items, { batch: "no-connection", ledger });
  expect(summary).toMatchObject({ accepted: 0, inDoubt: 0 });
});

test.each(UNDICI)(
  "the error of a send names the connection limit of undici $major",
  async ({ undici }) => {
    const agent = new undici.Agent({ connect: { timeout: 50 } });
    const { rcs } = clientsOf({ baseUrl }, { fetch: fetchFrom(agent), retry: 0 });
    const error = await errorOf(rcs.sendRcsText(message));
    expect(error).toMatchObject({ code: "connection", outcome: "not_sent" });
    expect(error.message).toContain(
      "(UND_ERR_CONNECT_TIMEOUT): the host does not accept a connection in time: check baseUrl and firewalls",
    );
  },
);

test("a send that has ended sends nothing when the host finally accepts connections", async () => {
  expect(await hole.open()).toBe(0);
});
