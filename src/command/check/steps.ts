import type { ApiResponse } from "../../core/call/api-promise.ts";
import { TransactionalClient } from "../../core/clients/transactional-client.ts";
import { V2Client } from "../../core/clients/v2-client.ts";
import {
  type AnyMessagingServiceError,
  type ApiError,
  MessagingServiceError,
} from "../../core/errors.ts";
import { isJsonObject } from "../../core/options.ts";
import { validationErrorSchema } from "../../core/schemas/rcs-message.ts";
import { parseJson } from "../../core/wire/encodings.ts";
import type { Endpoint } from "../../core/wire/endpoint.ts";
import { sendRcsText } from "../../core/wire/transactional.ts";
import { getAccount, listLists, listScheduledMessages, retrieveList } from "../../core/wire/v2.ts";
import { formatCountOf } from "../terminal/print.ts";
import { type Mismatch, mismatchesOf } from "./contract.ts";
import {
  type Diagnosis,
  diagnoseFailure,
  diagnoseResponse,
  isError,
  isHtml,
  saidBy,
  type Target,
} from "./diagnose.ts";

export interface Step {
  readonly step: string;
  readonly result: "passed" | "failed" | "skipped";
  readonly endpoint?: string;
  readonly status?: number;
  readonly durationMs?: number;
  /** Fact that the step proves, or the problem that it found. */
  readonly text: string;
  readonly todo?: string;
  readonly mismatches?: readonly Mismatch[];
  readonly limitHeaders?: readonly string[];
}

export interface Settings {
  readonly target: Target;
  /** The other API, if any of its settings is given. */
  readonly other: Target | undefined;
  /** Whether the POST without a phone number may be sent. */
  readonly mayPost: boolean;
}

const MAX_CLOCK_OFF_MS = 60_000;

/** Page size that the check requests, and the mismatch that it reports if the service grants a different one. */
const PAGE = 1000;
const NOT_GRANTED: Mismatch = {
  field: "per_page",
  problem: "type",
  found: "another page size",
  documented: "up to 1000",
};
const OTHER_STATUS: Mismatch = {
  field: "status",
  problem: "type",
  found: "422",
  documented: "400",
};

/** Options for one request without retries. The check itself compares each response with the documentation. */
const ONCE = { throttle: false, retry: 0, timeout: 10_000, responseValidation: "off" } as const;

const v2Client = ({ baseUrl, email, apiKey }: Target): V2Client =>
  new V2Client({ baseUrl, email, apiKey, ...ONCE });

/** Sends a message without a phone number, which nobody can receive. */
const postNothing = ({ baseUrl, apiKey }: Target) => {
  const client = new TransactionalClient({ baseUrl, apiKey, ...ONCE, validateRequests: false });
  return client.sendRcsText({} as never).withResponse();
};

interface Tried {
  readonly endpoint: string;
  readonly durationMs: number;
  /** Status of the response; absent if there was no response or it broke off. */
  readonly status?: number | undefined;
  readonly headers?: Headers | undefined;
  readonly body?: unknown;
  readonly error?: AnyMessagingServiceError;
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
    const { status, headers, body } = error as Partial<ApiError>;
    // If a 2xx response is not a success, its body is the text as it arrived.
    const json = typeof body === "string" ? parseJson(body) : undefined;
    return { endpoint, durationMs: passed(), status, headers, body: json ?? body, error };
  }
};

const toStep = (
  step: string,
  { endpoint, durationMs, status, headers }: Tried,
  outcome: Pick<Step, "result" | "text"> & Partial<Step>,
): Step => ({
  step,
  endpoint,
  durationMs,
  ...(status !== undefined && { status }),
  limitHeaders: [...(headers?.keys() ?? [])].filter((name) =>
    /rate-?limit|^retry-after$/.test(name),
  ),
  ...outcome,
});

const isOfKey = ({ status, body }: Tried): boolean =>
  status === 401 || (status === 403 && !isHtml(body));

/** Returns whether a refusal names a field of the message. If not, it may be about the key. */
const namesField = (body: unknown): boolean =>
  [Object(body).errors]
    .flat()
    .some((issue) =>
      /phoneNumber|webhookUrl|rcsPayload|smsFailover/.test(String(Object(issue).path)),
    );

const originOf = ({ baseUrl = "" }: Target): string | undefined =>
  URL.canParse(baseUrl) ? new URL(baseUrl).origin : undefined;

/** Returns whether a key is valid for an API; `false` if it cannot be tried. */
const isValidKey = async (
  target: Target,
  apiKey: string | undefined,
  mayPost: boolean,
): Promise<boolean> => {
  const isV2 = target.api === "version 2";
  if (apiKey === undefined || !(isV2 || mayPost)) return false;
  try {
    if (isV2) await v2Client({ ...target, apiKey }).accounts.me();
    else await postNothing({ ...target, apiKey });
    return isV2;
  } catch (error) {
    return !isV2 && namesField((error as Partial<ApiError>).body);
  }
};

/** Completes the diagnosis of a refused key. The key may be a key of the other API, whose key may in turn be valid here. */
const diagnoseKey = async (
  { target, other, mayPost }: Settings,
  { text, todo }: Diagnosis,
): Promise<Diagnosis> => {
  if (!other) return { text, todo };
  const [key, otherKey] = [target.variables.apiKey, other.variables.apiKey];
  const isSame = target.apiKey === other.apiKey;
  // A key is never sent to a host that it was not given for.
  const isOneOrigin = originOf(target) === originOf(other);
  if (!isSame && !isOneOrigin) {
    const compare = `Compare it with ${otherKey}: a key is tried only at the host that it was given for.`;
    return { text, todo: `${todo} ${compare}` };
  }
  const isTaken = !isSame && (await isValidKey(target, other.apiKey, mayPost));
  const isOthers = await isValidKey(other, target.apiKey, mayPost);
  if (isTaken && isOthers) {
    return { text: `${text}; the two keys are swapped`, todo: `Exchange ${key} and ${otherKey}.` };
  }
  if (isTaken) {
    return { text: `${text}; ${otherKey} is valid here`, todo: `Also put that key into ${key}.` };
  }
  if (!isOthers) return { text, todo };
  if (target.api === "version 2") {
    // The key may be valid for both APIs, in which case only the e-mail address is wrong.
    return {
      text: `${text}; the key is valid for the ${other.api} API`,
      todo: `Check ${target.variables.email}. If it is right, put a key of the ${target.api} API into ${key}.`,
    };
  }
  return {
    text: `${text}; the key is valid only for the ${other.api} API`,
    todo: `Put a key of the ${target.api} API into ${key}.`,
  };
};

/** Diagnoses a response, or the failure without a response. */
const diagnose = async (settings: Settings, tried: Tried, isProven = false): Promise<Diagnosis> => {
  const { target } = settings;
  const { status, headers = new Headers(), body, error } = tried;
  if (status === undefined && error) return diagnoseFailure(error, target);
  const diagnosis = diagnoseResponse({ status: status ?? 0, headers, body }, target, isProven);
  return isOfKey(tried) && !isProven ? diagnoseKey(settings, diagnosis) : diagnosis;
};

const skipped = (step: string, text: string): Step => ({ step, result: "skipped", text });

const clockStep = ({ headers, durationMs }: Tried): Step => {
  const step = "clock";
  const serviceMs = Date.parse(headers?.get("date") ?? "");
  if (Number.isNaN(serviceMs)) return skipped(step, "the response has no Date");
  const offMs = Date.now() - durationMs / 2 - serviceMs;
  if (Math.abs(offMs) <= MAX_CLOCK_OFF_MS)
    return { step, result: "passed", text: "agrees with the service's" };
  const minutes = formatCountOf(Math.round(Math.abs(offMs) / 60_000), "minute");
  return {
    step,
    result: "failed",
    text: `this machine's clock is ${minutes} ${offMs > 0 ? "ahead of" : "behind"} the service's`,
    todo: "Set the clock, and enable NTP.",
  };
};

const idOf = (body: unknown): number | undefined => {
  const [list] = Object(body).lists ?? [];
  return Number.isSafeInteger(list?.id) && list.id > 0 ? list.id : undefined;
};

const listsText = (body: unknown): string => {
  const { count, per_page: perPage } = Object(body);
  const lists = Number.isSafeInteger(count) ? formatCountOf(count, "list") : "lists";
  return `${lists}; a page of 1000 is ${perPage === PAGE ? "" : "not "}granted`;
};

export async function* checkV2(settings: Settings): AsyncGenerator<Step> {
  const { target } = settings;
  let isProven = false;
  const { accounts, lists, scheduledMessages } = v2Client(target);
  /** Makes one request and yields its step. Returns the request's result if the step passed. */
  const read = async function* (
    step: string,
    endpoint: Pick<Endpoint, "id" | "response">,
    call: () => Promise<ApiResponse<unknown>>,
    toText: (body: unknown) => string,
  ): AsyncGenerator<Step, Tried | undefined> {
    const tried = await attempt(endpoint, call);
    const { error, body } = tried;
    if (error !== undefined) {
      yield toStep(step, tried, {
        result: "failed",
        ...(await diagnose(settings, tried, isProven)),
      });
      return undefined;
    }
    isProven = true;
    const mismatches = [
      ...(endpoint.response ? mismatchesOf(endpoint.response(), body) : []),
      ...((Object(body).per_page ?? PAGE) === PAGE ? [] : [NOT_GRANTED]),
    ];
    yield toStep(step, tried, { result: "passed", text: toText(body), mismatches });
    return tried;
  };
  const account = yield* read(
    "account",
    getAccount,
    () => accounts.me().withResponse(),
    () => "the base URL, the e-mail address and the key work",
  );
  if (!account) return;
  yield clockStep(account);
  const page = yield* read(
    "lists",
    listLists,
    () => lists.list({ per_page: PAGE }).withResponse(),
    listsText,
  );
  if (!page) return;
  const id = idOf(page.body);
  if (id === undefined) {
    const isEmpty = Object(page.body).lists?.length === 0;
    const text = isEmpty ? "the account has no list" : "no list of the page has an id";
    yield skipped("one list", text);
    return;
  }
  yield* read(
    "one list",
    retrieveList,
    () => lists.retrieve(id).withResponse(),
    () => "one of the lists can be read",
  );
  yield* read(
    "scheduled messages",
    listScheduledMessages,
    () => scheduledMessages.list(id, { per_page: PAGE }).withResponse(),
    () => "its scheduled messages can be read",
  );
}

/** Checks the transactional API with a message without a phone number, which must be refused. */
export async function* checkTransactional(settings: Settings): AsyncGenerator<Step> {
  const { target, mayPost } = settings;
  const step = "send of {}";
  if (!mayPost) {
    yield skipped(step, "skipped by --no-post, so neither the base URL nor the key is checked");
    return;
  }
  const tried = await attempt(sendRcsText, () => postNothing(target));
  const { body, headers, status = 0 } = tried;
  if (status >= 200 && status < 300 && isJsonObject(body) && !isError(body)) {
    yield toStep(step, tried, {
      result: "failed",
      text: `WRONG: the service ACCEPTED (${status}) a message without a phone number, a text or a webhook`,
      todo: "Do not send through this base URL. Report it to the service's support, with the output of --json.",
    });
    return;
  }
  if ((status === 400 || status === 422) && isJsonObject(body)) {
    const how = status === 400 ? "as expected" : "but with 422 instead of the documented 400";
    const proof = namesField(body)
      ? "the base URL and the key work"
      : `it is not certain whether the base URL and the key work${saidBy(body, target)}`;
    yield toStep(step, tried, {
      result: namesField(body) ? "passed" : "skipped",
      text: `refused, ${how}: ${proof}`,
      mismatches: [
        ...(status === 400 ? [] : [OTHER_STATUS]),
        ...mismatchesOf(validationErrorSchema(), body),
      ],
    });
  } else {
    yield toStep(step, tried, {
      result: "failed",
      ...(await diagnose(settings, tried)),
    });
    if (isOfKey(tried)) return;
  }
  if (headers) yield clockStep(tried);
}
