// A service with a planned response to each request, which counts the messages that it accepts.
import { TransactionalClient } from "../../../src/clients/transactional-client.ts";
import type { RcsTextMessage } from "../../../src/schemas/rcs-message.ts";

/** Fault or response that a request meets. */
export type Fate =
  | "accept"
  /** Accepted, but the response is lost. */
  | "lose"
  /** Refused for good, with a 422 and documented errors. */
  | "refuse"
  /** Refused by a gateway in front of the service, with a 413 and an HTML page. */
  | "block"
  /** Failed with a 503 before anything was done. */
  | "fail"
  /** Refused for now, with a 429. */
  | "limit"
  /** Refused with a 403, like every request with this key. */
  | "forbid"
  /** Without a connection. */
  | "unreachable";

/** Whether the service has sent the message after each fate. */
export const isTaken = (fate: Fate): boolean => fate === "accept" || fate === "lose";

const STATUSES = {
  ...{ accept: 202, refuse: 422, block: 413, fail: 503, limit: 429, forbid: 403 },
} as const;

const REFUSAL = {
  error: "Invalid request",
  errors: [{ code: "custom", message: "is not allowed", path: ["rcsPayload", "text"] }],
};

export class ScriptedService {
  /** How often the message to each phone was sent. */
  readonly sent = new Map<string, number>();
  #count = 0;

  /** Responds to a request, or throws the failure of its connection. */
  respond(phone: string, fate: Fate): Response {
    if (isTaken(fate)) this.sent.set(phone, (this.sent.get(phone) ?? 0) + 1);
    if (fate === "lose") throw new TypeError("fetch failed");
    if (fate === "unreachable") {
      const names = { code: "ENOTFOUND", syscall: "getaddrinfo", hostname: HOST };
      const cause = Object.assign(new Error(`getaddrinfo ENOTFOUND ${HOST}`), names);
      throw new TypeError("fetch failed", { cause });
    }
    this.#count += 1;
    const status = STATUSES[fate];
    if (fate === "block") return new Response("<html>Too large</html>", { status });
    const accepted = { message: "Accepted", transactionId: `t-${this.#count}` };
    const body = fate === "accept" ? accepted : fate === "refuse" ? REFUSAL : {};
    return Response.json(body, { status });
  }
}

const HOST = "rcs.example.com";

/** Client that makes each call once, and leaves no timer behind in a process that died. */
export const scriptedClient = (fetch: typeof globalThis.fetch): TransactionalClient =>
  new TransactionalClient({
    baseUrl: `https://${HOST}`,
    apiKey: "key-5f3a9c71e2",
    retry: 0,
    fetch,
  });

/** Returns the phone of a request. */
export const phoneOf = (init: RequestInit | undefined): string =>
  JSON.parse(String(init?.body)).phoneNumber;

export const messageTo = (phoneNumber: string, ref: string, text = "Hi"): RcsTextMessage => ({
  phoneNumber,
  webhookUrl: `https://example.com/hooks/${ref}`,
  rcsPayload: { text },
  smsFailover: text,
});
