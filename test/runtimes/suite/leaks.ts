// Errors of lost connections, as each runtime logs them. Some runtimes include the URL in what `fetch` throws.
import {
  MessagingServiceError,
  RecipientError,
  TransactionalClient,
  V2Client,
} from "messaging-service-client";
import type { NextFailure } from "messaging-service-client/testing";
import { equal } from "./expect.ts";
import { type Check, message, type World } from "./world.ts";

const SCHEDULED = "GET /api/v2/lists/{ID}/messages/scheduled";

/** Failures of the calls below, in the order in which the fake service plans them. */
const FAULTS = ["truncated", "hang", "stalled_body", "network"] as const;

/** Returns the planned failures. The last one applies to every request of a runtime that resends a lost GET. */
export const plannedLeaks = ({
  requestsOfLostGet,
}: Pick<World, "requestsOfLostGet">): readonly NextFailure[] =>
  FAULTS.map((fault) => ({
    ...{ fault, endpoint: SCHEDULED },
    times: fault === "network" ? requestsOfLostGet : 1,
  }));

/** Line that precedes each error in the log. */
export const LEAK_MARK = "logged by the leak check:";

/** Returns everything that must not appear in the log. */
export const secretsOf = ({ apiKey, email, phone }: Pick<World, "apiKey" | "email" | "phone">) => {
  const { phoneNumber, rcsPayload, smsFailover } = message;
  const shown = [apiKey, btoa(`${email}:${apiKey}`), phone, phone.slice(1), phone.slice(2)];
  const sent = [...shown, phoneNumber, "2065550123", "555-0123", rcsPayload.text, smsFailover];
  return [...sent, ...sent.map(encodeURIComponent)];
};

/** Makes calls that fail below HTTP, each with a phone number or a text. Returns their errors. */
const lostCalls = async (world: World): Promise<readonly unknown[]> => {
  const { deadBaseUrl, email, apiKey, phone, listId, latencyMs: timeout } = world;
  const options = { retry: 0, timeout };
  const v2 = new V2Client({ baseUrl: deadBaseUrl, email, apiKey, ...options });
  const rcs = new TransactionalClient({ baseUrl: deadBaseUrl, apiKey, ...options });
  const get = {
    method: "GET",
    path: "/api/v2/lists/{ID}/messages/scheduled",
    params: { ID: listId },
    query: { phone },
  } as const;
  const controller = new AbortController();
  controller.abort(new Error("left the page"));
  const calls = [
    () => v2.subscribers.remove(listId, phone),
    () => v2.request({ method: "GET", path: "/phones/{P}", params: { P: phone } }),
    () => rcs.sendRcsText(message),
    () => rcs.sendRcsText(message, { signal: controller.signal }),
    () => rcs.sendRcsText({ ...message, phoneNumber: `${phone} ext. 5` }),
    ...FAULTS.map(() => () => world.v2.request(get, options)),
  ];
  const errors: unknown[] = [];
  const succeeded: number[] = [];
  for (const [index, call] of calls.entries()) {
    await call().then(
      () => succeeded.push(index),
      (error: unknown) => errors.push(error),
    );
  }
  equal(succeeded, []);
  equal(errors.every(MessagingServiceError.is), true);
  return errors;
};

/** Returns a value and everything that it contains, including hidden fields. */
const everythingIn = (value: unknown, depth = 0): string => {
  if (typeof value !== "object" || value === null || depth > 6) return String(value);
  const fields = Reflect.ownKeys(value).map((key) =>
    everythingIn(Reflect.get(value, key), depth + 1),
  );
  return [String(value), JSON.stringify(value), ...fields].join("\n");
};

export const leaks: Readonly<Record<string, Check>> = {
  "no error of a lost connection shows a key, a number or a text": async (world) => {
    const secrets = secretsOf(world);
    for (const error of await lostCalls(world)) {
      const { cause } = error as Error;
      console.error(LEAK_MARK, error);
      console.error(LEAK_MARK, { nested: [error] });
      console.error(LEAK_MARK, cause);
      const shown = everythingIn(error) + everythingIn(cause);
      equal(
        secrets.filter((secret) => shown.includes(secret)),
        [],
      );
    }
    const cause = new Error(`${message.phoneNumber} is blocked`);
    console.error(LEAK_MARK, new RecipientError("failed", { cause }));
  },
};
