import ky from "ky";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { fetchFrom } from "../../../src/index.ts";
import { account, clientsOf, KINDS } from "../../support/calls.ts";
import { UNDICI, type UndiciVersion, useGlobally } from "../../support/dispatchers.ts";
import { type Responder, respond, stall, startLoopback } from "../../support/servers/loopback.ts";

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

/** Returns whether the body of a response was read without a stream. */
const wasTaken = ({ body }: Response): boolean => body === null;

/** Responds with the pieces of a body, each in its own packet. */
const inPieces =
  (pieces: readonly Uint8Array[], headers: Record<string, string> = {}): Responder =>
  async ({ response }) => {
    response.writeHead(200, headers);
    response.flushHeaders();
    for (const piece of pieces) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      response.write(piece);
    }
    response.end();
  };

const json = Buffer.from(JSON.stringify({ ...account, note: "Your table is ready 🎉" }));
/** The body in two pieces. The first piece ends within a character. */
const halves = [json.subarray(0, -4), json.subarray(-4)];

describe("the body of a response in Node", () => {
  test.each(KINDS)("the body of a $kind is read without a stream", async (kind) => {
    await using server = await startLoopback(respond(200, kind.success));
    const { body, response } = await kind.call(clientsOf(server)).withResponse();
    expect(body).toEqual(kind.success);
    expect(wasTaken(response)).toBe(true);
    expect(response.bodyUsed).toBe(true);
    await expect(response.text()).rejects.toThrow(TypeError);
    expect(() => response.clone()).toThrow(TypeError);
  });

  test("a body that arrives in pieces, after its headers, is complete", async () => {
    await using server = await startLoopback(inPieces(halves));
    const { body, response } = await clientsOf(server).v2.accounts.me().withResponse();
    expect(body).toEqual(JSON.parse(json.toString()));
    expect(wasTaken(response)).toBe(true);
  });

  test("an abort between the headers and the response of fetch leaves no rejection unhandled", async () => {
    await using server = await startLoopback(stall(account));
    const controller = new AbortController();
    const { undici } = UNDICI[0] as UndiciVersion;
    const agent = new undici.Agent();
    const dispatch = agent.dispatch.bind(agent);
    agent.dispatch = (options, handler) => {
      const legacy = handler as { onHeaders?: (...args: unknown[]) => boolean };
      const { onHeaders } = legacy;
      legacy.onHeaders = (...args) => {
        const goesOn = onHeaders?.apply(handler, args) ?? true;
        controller.abort();
        return goesOn;
      };
      return dispatch(options, handler);
    };
    using _ = useGlobally(undici, agent);
    onTestFinished(() => agent.destroy());
    const call = clientsOf(server).v2.accounts.me({ signal: controller.signal });
    await expect(call).rejects.toMatchObject({ code: "abort", outcome: "unknown" });
    await expect.poll(() => server.onlyRequest().abandoned).toBe(true);
  });

  test("a patch of fetch can read the body, and the client reads it too", async () => {
    await using server = await startLoopback(respond(200, account));
    const seen: string[] = [];
    globalThis.fetch = async (...args) => {
      const response = await fetch(...args);
      seen.push(await response.clone().text());
      return response;
    };
    const { body, response } = await clientsOf(server).v2.accounts.me().withResponse();
    expect(body).toEqual(account);
    expect(seen).toEqual([JSON.stringify(account)]);
    expect(wasTaken(response)).toBe(false);
  });

  test("a hook of ky can read the body, and the client reads it too", async () => {
    await using server = await startLoopback(respond(200, account));
    const seen: string[] = [];
    const afterResponse = [
      async ({ response }: { readonly response: Response }) =>
        void seen.push(await response.clone().text()),
    ];
    const options = { fetch: fetchFrom(ky.extend({ hooks: { afterResponse } })) };
    const { body } = await clientsOf(server, options).v2.accounts.me().withResponse();
    expect(body).toEqual(account);
    expect(seen).toEqual([JSON.stringify(account)]);
  });
});
