import { TransactionalClient } from "../../clients/transactional-client.ts";
import { V2Client } from "../../clients/v2-client.ts";
import {
  ApiError,
  AuthenticationError,
  MessagingServiceError,
  PermissionDeniedError,
  ResponseValidationError,
  ValidationError,
} from "../../errors.ts";
import type { ApiResponse } from "../../http/methods.ts";
import { validationErrorSchema } from "../../schemas/rcs-message.ts";
import { isJsonObject } from "../../wire/encodings.ts";
import type { Endpoint } from "../../wire/endpoint.ts";
import { sendRcsText } from "../../wire/transactional.ts";
import { getAccount, listLists, listScheduledMessages, retrieveList } from "../../wire/v2.ts";
import { formatCountOf } from "../terminal/print.ts";
import { type Mismatch, mismatchesOf } from "./contract.ts";
import { type Diagnosis, diagnose, type Target } from "./diagnose.ts";

/** Step of the check. */
export interface Step {
  readonly api: Target["api"];
  readonly step: string;
  readonly result: "passed" | "failed" | "skipped";
  readonly endpoint?: string;
  readonly status?: number;
  readonly durationMs?: number;
  /** What the step proves, or what is wrong. */
  readonly text: string;
  /** What to do, if the step failed. */
  readonly todo?: string;
  readonly mismatches?: readonly Mismatch[];
  /** Names of the headers about limits. */
  readonly limitHeaders?: readonly string[];
}

/** Settings of both APIs; an API is absent if nothing of it is set. */
export interface Settings {
  readonly v2?: { readonly target: Target; readonly email: string | undefined } & Key;
  readonly transactional?: { readonly target: Target } & Key;
  /** Whether the POST without a phone may be sent. */
  readonly mayPost: boolean;
}

interface Key {
  readonly apiKey: string | undefined;
}

/** Largest time in milliseconds by which a clock may be off. */
const CLOCK_MS = 60_000;

/** Page size that the check asks for, and what it says if the service grants another. */
const PAGE = 1000;
const NOT_GRANTED: Mismatch = {
  ...{ field: "per_page", problem: "type", found: "another page size", documented: "up to 1000" },
};

/** Each step is one request, which is not repeated. What a response holds is compared here. */
const ONCE = { throttle: false, retry: 0, timeout: 10_000, responseValidation: "off" } as const;

const v2Client = ({ v2 }: Settings, apiKey = v2?.apiKey): V2Client =>
  new V2Client({ baseUrl: v2?.target.baseUrl || undefined, email: v2?.email, apiKey, ...ONCE });

/** Sends a message without a phone, which nobody can receive. */
const postNothing = ({ transactional }: Settings, apiKey = transactional?.apiKey) => {
  const { baseUrl } = transactional?.target ?? {};
  const client = new TransactionalClient({
    baseUrl: baseUrl || undefined,
    apiKey,
    ...ONCE,
    validateRequests: false,
  });
  return client.sendRcsText({} as never).withResponse();
};

/** Outcome of one request. */
interface Tried {
  readonly endpoint: string;
  readonly durationMs: number;
  readonly status?: number;
  readonly headers?: Headers | undefined;
  readonly body?: unknown;
  readonly error?: unknown;
}

const attempt = async (
  { id: endpoint }: Pick<Endpoint, "id">,
  call: () => Promise<ApiResponse<unknown>>,
): Promise<Tried> => {
  const startedMs = performance.now();
  const passed = () => Math.round(performance.now() - startedMs);
  try {
    const { body, response } = await call();
    const { status, headers } = response;
    return { endpoint, durationMs: passed(), status, headers, body };
  } catch (error) {
    if (!MessagingServiceError.is(error)) throw error;
    const durationMs = passed();
    if (ApiError.is(error) || ValidationError.is(error)) {
      const { status = 0, headers, body } = error;
      return { endpoint, durationMs, status, headers, body, error };
    }
    return { endpoint, durationMs, error, ...(error.status && { status: error.status }) };
  }
};

const limitHeadersOf = ({ headers }: Tried): readonly string[] =>
  [...(headers?.keys() ?? [])].filter((name) => /rate-?limit|^retry-after$/.test(name));

const toStep = (
  { target }: { readonly target: Target },
  step: string,
  tried: Tried,
  outcome: Pick<Step, "result" | "text"> & Partial<Step>,
): Step => {
  const { endpoint, durationMs, status } = tried;
  return {
    ...{ api: target.api, step, endpoint, durationMs },
    ...(status !== undefined && { status }),
    limitHeaders: limitHeadersOf(tried),
    ...outcome,
  };
};

const isOfKey = (error: unknown): boolean =>
  AuthenticationError.is(error) ||
  (PermissionDeniedError.is(error) && !/^\s*</.test(`${error.body}`));

/** Returns whether a key is valid for an API; `undefined` if it cannot be tried. */
const isValidKey = async (
  settings: Settings,
  api: "v2" | "transactional",
  apiKey: string | undefined,
): Promise<boolean> => {
  if (!settings[api] || apiKey === undefined) return false;
  try {
    if (api === "v2") await v2Client(settings, apiKey).accounts.me();
    else if (settings.mayPost) await postNothing(settings, apiKey);
    return api === "v2";
  } catch (error) {
    return ValidationError.is(error) && error.source === "service";
  }
};

/** Says whose key it is, if the key is refused: that of the other API, which may have this one's. */
const diagnoseKey = async (
  settings: Settings,
  api: "v2" | "transactional",
  error: unknown,
): Promise<Diagnosis> => {
  const other = api === "v2" ? "transactional" : "v2";
  const [own, others] = [settings[api], settings[other]];
  const diagnosis = diagnose(error, own?.target as Target);
  if (!isOfKey(error) || !own || !others) return diagnosis;
  const { text } = diagnosis;
  const [key, otherKey] = [own.target.names.apiKey, others.target.names.apiKey];
  const isTaken = own.apiKey !== others.apiKey && (await isValidKey(settings, api, others.apiKey));
  const isOthers = await isValidKey(settings, other, own.apiKey);
  if (isTaken && isOthers) {
    return { text: `${text}; the two keys are swapped`, todo: `Exchange ${key} and ${otherKey}.` };
  }
  if (isTaken) {
    return { text: `${text}; ${otherKey} is valid here`, todo: `Put that key into ${key}, too.` };
  }
  if (!isOthers) return diagnosis;
  return {
    text: `${text}; it is a key of the ${others.target.api} API alone`,
    todo: `Put a key of the ${own.target.api} API into ${key}.`,
  };
};

const skipped = (api: Target["api"], step: string, text: string): Step => ({
  ...{ api, step, result: "skipped", text },
});

const clockStep = (api: Target["api"], { headers, durationMs }: Tried): Step => {
  const serviceMs = Date.parse(headers?.get("date") ?? "");
  if (Number.isNaN(serviceMs)) return skipped(api, "clock", "the response has no Date");
  const offMs = Date.now() - durationMs / 2 - serviceMs;
  if (Math.abs(offMs) <= CLOCK_MS)
    return { api, step: "clock", result: "passed", text: "agrees with the service's" };
  const minutes = formatCountOf(Math.round(Math.abs(offMs) / 60_000), "minute");
  return {
    ...{ api, step: "clock", result: "failed" },
    text: `this machine's clock is ${minutes} ${offMs > 0 ? "ahead of" : "behind"} the service's`,
    todo: "Set the clock, and let it be set by NTP.",
  };
};

const idOf = (body: unknown): number | undefined => {
  const [list] = Object(body).lists ?? [];
  return Number.isSafeInteger(list?.id) && list.id > 0 ? list.id : undefined;
};

/** Checks version 2 by what it reads. */
export async function* checkV2(settings: Settings): AsyncGenerator<Step> {
  const { v2 } = settings;
  if (!v2) return;
  const { api } = v2.target;
  const client = v2Client(settings);
  /** Makes one request, and yields its step. Returns its outcome if it passed. */
  const read = async function* (
    step: string,
    endpoint: { readonly id: string; readonly response?: Endpoint["response"] },
    call: () => Promise<ApiResponse<unknown>>,
    toText: (body: unknown) => string,
  ): AsyncGenerator<Step, Tried | undefined> {
    const tried = await attempt(endpoint, call);
    if (tried.error !== undefined) {
      const diagnosis = await diagnoseKey(settings, "v2", tried.error);
      yield toStep(v2, step, tried, { result: "failed", ...diagnosis });
      return undefined;
    }
    const mismatches = [
      ...(endpoint.response ? mismatchesOf(endpoint.response(), tried.body) : []),
    ];
    const { per_page: perPage = PAGE } = Object(tried.body);
    if (perPage !== PAGE) mismatches.push(NOT_GRANTED);
    yield toStep(v2, step, tried, { result: "passed", text: toText(tried.body), mismatches });
    return tried;
  };
  const account = yield* read(
    "account",
    getAccount,
    () => client.accounts.me().withResponse(),
    () => "the address, the e-mail address and the key are right",
  );
  if (!account) return;
  yield clockStep(api, account);
  const lists = yield* read(
    "lists",
    listLists,
    () => client.lists.list({ per_page: PAGE }).withResponse(),
    (body) => {
      const { count, per_page: perPage } = Object(body);
      const granted =
        perPage === PAGE ? "a page of 1000 is granted" : "a page of 1000 is not granted";
      return `${Number.isSafeInteger(count) ? formatCountOf(count, "list") : "lists"}; ${granted}`;
    },
  );
  if (!lists) return;
  const id = idOf(lists.body);
  if (id === undefined) {
    yield skipped(api, "one list", "the account has no list");
    return;
  }
  yield* read(
    "one list",
    retrieveList,
    () => client.lists.retrieve(id).withResponse(),
    () => "one list of them can be read",
  );
  yield* read(
    "scheduled messages",
    listScheduledMessages,
    () => client.scheduledMessages.list(id, { per_page: PAGE }).withResponse(),
    () => "what is scheduled for it can be read",
  );
}

/** Checks the transactional API by a message without a phone, which must be refused. */
export async function* checkTransactional(settings: Settings): AsyncGenerator<Step> {
  const { transactional } = settings;
  if (!transactional) return;
  const { api } = transactional.target;
  const step = "send of {}";
  if (!settings.mayPost) {
    yield skipped(api, step, "left out by --no-post: neither the address nor the key is checked");
    return;
  }
  const tried = await attempt(sendRcsText, () => postNothing(settings));
  const { error, body, status = 0 } = tried;
  const isHtml = /^\s*</.test(String(ResponseValidationError.is(error) ? error.body : body));
  if (status >= 200 && status < 300 && !isHtml) {
    yield toStep(transactional, step, tried, {
      result: "failed",
      text: `WRONG: the service ACCEPTED (${status}) a message without a phone, a text or a webhook`,
      todo: "Do not send through this address. Report it to the service's support, with the output of --json.",
    });
    return;
  }
  // A refusal in another shape than the documented one proves the address and the key, too.
  if ((status === 400 || status === 422) && isJsonObject(body)) {
    const text =
      status === 400
        ? "refused, as it must be: the address and the key are right"
        : "refused, but with 422 instead of the documented 400: the address and the key are right";
    const mismatches = [
      ...(status === 400
        ? []
        : [{ field: "status", problem: "type", found: "422", documented: "400" } as const]),
      ...mismatchesOf(validationErrorSchema(), body),
    ];
    yield toStep(transactional, step, tried, { result: "passed", text, mismatches });
  } else {
    const diagnosis = await diagnoseKey(settings, "transactional", error);
    yield toStep(transactional, step, tried, { result: "failed", ...diagnosis });
    if (isOfKey(error) || !tried.headers) return;
  }
  if (tried.headers) yield clockStep(api, tried);
}
