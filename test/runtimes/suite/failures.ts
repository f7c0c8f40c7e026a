// Failures of requests, and their results in every runtime.
import {
  AbortError,
  AuthenticationError,
  ConnectionError,
  MessagingServiceError,
  ResponseValidationError,
  TimeoutError,
  TransactionalClient,
} from "messaging-service-client";
import type { NextFailure } from "messaging-service-client/testing";
import { equal, failureOf } from "./expect.ts";
import { type Check, message } from "./world.ts";

/** A check and the failure of its first request. */
interface Failure {
  readonly planned: NextFailure;
  readonly check: Check;
}

const ACCOUNT = "GET /api/v2/accounts/me";
const LIST = "GET /api/v2/lists/{ID}";
const REPORT = "GET /api/v2/momt_reports/{ID}";
const SEND_TEXT = "POST /transactional_messages/send_rcs_text";

/** Failures in the order in which the fake service plans them for a run. The checks run in the same order. */
export const failures: Readonly<Record<string, Failure>> = {
  "a GET is repeated after a 503": {
    planned: { status: 503, endpoint: ACCOUNT },
    check: async ({ v2, email }) => {
      const account = await v2.accounts.me({ retry: { backoff: { initial: 1 } } });
      equal(account.email, email);
    },
  },
  "a GET is repeated after a lost connection": {
    planned: { fault: "dropped", endpoint: ACCOUNT },
    check: async ({ v2, email }) => {
      const account = await v2.accounts.me({ retry: { backoff: { initial: 1 } } });
      equal(account.email, email);
    },
  },
  "a POST is unknown after a lost connection, and not repeated by the client": {
    planned: { fault: "dropped", endpoint: SEND_TEXT },
    check: async ({ rcs, resends }) => {
      const call = rcs.sendRcsText(message);
      if (resends) return equal(typeof (await call).transactionId, "string");
      const error = await failureOf(call);
      equal([error instanceof ConnectionError, ConnectionError.is(error)], [true, true]);
      equal([error.outcome, error.attempts], ["unknown", 1]);
    },
  },
  "an attempt that hangs times out": {
    planned: { fault: "hang", endpoint: REPORT },
    check: async ({ v2, reportId, latencyMs: timeout }) => {
      const error = await failureOf(v2.momtReports.retrieve(reportId, { timeout, retry: 0 }));
      equal([error instanceof TimeoutError, TimeoutError.is(error)], [true, true]);
      equal([error.code, error.outcome], ["timeout", "unknown"]);
    },
  },
  "a signal aborts a call": {
    planned: { fault: "hang", endpoint: REPORT },
    check: async ({ v2, reportId, latencyMs }) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), latencyMs);
      const error = await failureOf(v2.momtReports.retrieve(reportId, controller));
      equal([error.name, AbortError.is(error), error.outcome], ["AbortError", true, "unknown"]);
    },
  },
  "a body that stalls times out": {
    planned: { fault: "stalled_body", endpoint: LIST },
    check: async ({ v2, listId, latencyMs: timeout }) => {
      const error = await failureOf(v2.lists.retrieve(listId, { timeout, retry: 0 }));
      equal([TimeoutError.is(error), error.outcome], [true, "unknown"]);
    },
  },
  "a redirect is not followed": {
    planned: { status: 302, headers: { location: "/elsewhere" }, endpoint: LIST },
    check: async ({ v2, listId, tellsRedirect }) => {
      const error = await failureOf(v2.lists.retrieve(listId));
      equal([error.code, error.status, error.attempts], ["api", tellsRedirect ? 302 : 0, 1]);
      equal(error.outcome, "unknown");
    },
  },
  "a wrong key rejects with an AuthenticationError": {
    planned: { status: 401, endpoint: LIST },
    check: async ({ v2, listId }) => {
      const error = await failureOf(v2.lists.retrieve(listId));
      equal(
        [AuthenticationError.is(error), error instanceof MessagingServiceError, error.outcome],
        [true, true, "rejected"],
      );
    },
  },
  "a response of HTML is rejected": {
    planned: { fault: "html", endpoint: LIST },
    check: async ({ v2, listId }) => {
      const error = await failureOf(v2.lists.retrieve(listId));
      equal([ResponseValidationError.is(error), error.outcome], [true, "unknown"]);
    },
  },
};

/** Wraps `fetch` so that it makes a failing request to a different host after each response of the service. */
const failingAfter =
  (send: typeof fetch, deadBaseUrl: string): typeof fetch =>
  async (...args) => {
    const response = await send(...args);
    await send(deadBaseUrl);
    return response;
  };

/** Failures caused by a host on which no service runs: the service's own host, or a different host. */
export const deadEnds: Readonly<Record<string, Check>> = {
  "a call without a connection, or without its TLS, is not_sent if the runtime reports the reason":
    async (world) => {
      const { deadBaseUrl, alertBaseUrl, apiKey, tellsRefusal } = world;
      for (const baseUrl of [deadBaseUrl, alertBaseUrl]) {
        const rcs = new TransactionalClient({ baseUrl, apiKey });
        const options = { retry: { limit: 1, backoff: { initial: 1 } } };
        const error = await failureOf(rcs.sendRcsText(message, options));
        equal(ConnectionError.is(error), true);
        // A POST is retried if the request certainly had no effect.
        // Bun's error for an alert may also follow the request.
        const isTold = tellsRefusal && !("Bun" in globalThis && baseUrl === alertBaseUrl);
        equal([error.outcome, error.attempts], isTold ? ["not_sent", 2] : ["unknown", 1]);
      }
    },
  "a wrapper around fetch that fails after the response leaves a send unknown": async (world) => {
    const { transactionalBaseUrl: baseUrl, deadBaseUrl, apiKey } = world;
    const wrapper = failingAfter((...args) => fetch(...args), deadBaseUrl);
    const rcs = new TransactionalClient({ baseUrl, apiKey, fetch: wrapper });
    const error = await failureOf(rcs.sendRcsText(message));
    equal([error.code, error.outcome, error.attempts], ["connection", "unknown", 1]);
  },
  "a patch of fetch that fails after the response leaves a send unknown": async (world) => {
    const { transactionalBaseUrl: baseUrl, deadBaseUrl, apiKey } = world;
    const rcs = new TransactionalClient({ baseUrl, apiKey });
    const original = globalThis.fetch;
    globalThis.fetch = failingAfter((...args) => original(...args), deadBaseUrl);
    try {
      const error = await failureOf(rcs.sendRcsText(message));
      equal([error.code, error.outcome, error.attempts], ["connection", "unknown", 1]);
    } finally {
      globalThis.fetch = original;
    }
  },
};
