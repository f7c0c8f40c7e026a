import {
  AbortError,
  MessagingServiceError,
  type Outcome,
  RateLimitError,
  TimeoutError,
  toCallError,
  type ValidationIssue,
} from "../errors.ts";
import { ignoreErrors } from "../options.ts";
import { quote } from "../quote.ts";
import type { FetchedResponse } from "../responses/fetched-response.ts";
import { readResponse, toResponseValidationError, warnOf } from "../responses/read-response.ts";
import { Redactor, stringsWithin } from "../responses/redact.ts";
import type { CalledUrl } from "../responses/response-error.ts";
import { once } from "../schemas/fields.ts";
import type { Slot } from "../throttle/slot.ts";
import type { Throttle } from "../throttle/throttle.ts";
import { addressOf } from "../transport/connection-error.ts";
import { outcomeOf } from "../transport/outcome.ts";
import { PlatformAttempt } from "../transport/platform.ts";
import type { Transport } from "../transport/transport.ts";
import { documentedWords, type Endpoint } from "../wire/endpoint.ts";
import { type ApiPromise, type CallResult, toApiPromise } from "./api-promise.ts";
import { buildRequest, type WireRequest } from "./build-request.ts";
import { CallTimer } from "./call-timer.ts";
import { CallEvents } from "./events.ts";
import {
  assertUnchanged,
  type CallEnd,
  type PreparedCall,
  preparedCallIn,
} from "./prepared-call.ts";
import type { AssertRecipients } from "./recipients.ts";
import { NO_SLOT, reserveSlot } from "./reserve-slot.ts";
import { retryDelay } from "./retry.ts";
import type { CallInput, ClientSend, Send } from "./send-of.ts";
import {
  type CallSettings,
  DEFAULT_SETTINGS,
  type RequestOptions,
  toSettings,
} from "./settings.ts";

/** State that all calls of a client share. */
export interface ClientState {
  readonly baseUrl: string;
  /** Whether a call has succeeded, which shows that `baseUrl` is right. */
  hasSucceeded: boolean;
  readonly transport: Transport;
  readonly settings: CallSettings;
  readonly secrets: readonly string[];
  readonly throttle: Throttle | undefined;
  readonly assertRecipients: AssertRecipients | undefined;
  readonly warned: Set<string>;
  readonly nextCallId: () => string;
}

/**
 * Message of the error that a function which replaces the client's method receives if the hooks of a durable send prevent an
 * attempt.
 */
const PREVENTED = "the durable send made no further attempt: its ledger, or a pause, prevented it";

/** Creates the `send` of one client. It never throws, and every failure is a rejection. */
export const createSend = (state: ClientState): ClientSend => {
  const send = <Data>(
    endpoint: Endpoint<never, never, Data>,
    input: CallInput,
    options?: RequestOptions,
  ): ApiPromise<Data> => {
    const given = preparedCallIn(options);
    const prepared =
      given ?? (typeof input === "function" ? undefined : preparedCallIn(input.body));
    const callOptions = prepared && !given ? prepared.options : options;
    const call = new Call(state, endpoint, input, callOptions, prepared);
    // Without hooks, nothing prevents an attempt.
    if (!prepared) return toApiPromise(call.run() as Promise<CallResult<Data>>);
    const ended = prepared.hooks.run(() => call.run());
    return toApiPromise(
      ended.then((end) => {
        if ("prevented" in end) throw end.error;
        return end;
      }),
    );
  };
  const limitsOf: ClientSend["limitsOf"] = (options) => {
    const { timeoutMs, totalTimeoutMs, validateRequests } = toSettings(state.settings, options);
    return { timeoutMs, totalTimeoutMs, validateRequests };
  };
  return Object.assign(send as Send, { limitsOf, nextCallId: state.nextCallId });
};

/** Run of one call, from its arguments to its data or its error. The methods are in the order in which they run. */
class Call<Data> {
  readonly #client: ClientState;
  readonly #endpoint: Endpoint<unknown, never, Data>;
  readonly #input: CallInput;
  readonly #options: RequestOptions | undefined;
  readonly #prepared: PreparedCall | undefined;
  readonly #redactor: Redactor;
  readonly #events: CallEvents;
  #settings: CallSettings;
  #request: WireRequest | undefined;
  #attempts = 0;
  #previousOutcome: Outcome = "not_sent";

  constructor(
    state: ClientState,
    endpoint: Endpoint<unknown, never, Data>,
    input: CallInput,
    options: RequestOptions | undefined,
    prepared: PreparedCall | undefined,
  ) {
    this.#client = state;
    this.#endpoint = endpoint;
    this.#input = input;
    this.#options = options;
    this.#prepared = prepared;
    this.#settings = state.settings;
    this.#redactor = new Redactor(
      this.#secrets(),
      once(() => documentedWords(endpoint)),
    );
    const { listeners } = state.settings;
    const nextCallId = () => prepared?.hooks.callId ?? state.nextCallId();
    this.#events = new CallEvents(endpoint, nextCallId, this.#redactor, listeners);
  }

  async run(): Promise<CallEnd<Data>> {
    try {
      this.#settings = toSettings(this.#settings, this.#options, this.#endpoint.options);
      const { listeners, totalTimeoutMs, validateRequests, retry } = this.#settings;
      this.#events.listeners = listeners;
      const input = typeof this.#input === "function" ? this.#input() : this.#input;
      const { body, hooks } = this.#prepared ?? {};
      const request =
        this.#prepared && body !== undefined && body === input.body
          ? this.#prepared.request
          : buildRequest(this.#endpoint, input, validateRequests, this.#options);
      if (this.#prepared) assertUnchanged(request, this.#prepared.request);
      this.#request = request;
      const timer = hooks?.timer ?? new CallTimer(this.#options?.signal, totalTimeoutMs);
      for (;;) {
        const { throttle, assertRecipients } = this.#client;
        const slot = throttle
          ? await reserveSlot(throttle, {
              timer,
              events: this.#events,
              redactor: this.#redactor,
              maxHold: retry.maxRetryAfter,
            })
          : NO_SLOT;
        if (assertRecipients || hooks) {
          const prevented = await this.#ask(request, slot, timer);
          if (prevented) {
            const error = this.#toCallError(new AbortError(PREVENTED, "not_sent"));
            this.#events.failed(this.#attempts, error);
            return { prevented, error };
          }
        }
        let result: CallResult<Data>;
        try {
          const fetched = await this.#fetch(request, slot, timer);
          const reading = readResponse(fetched, {
            endpoint: this.#endpoint,
            sent: request.sent,
            redactor: this.#redactor,
            responseValidation: this.#settings.responseValidation,
            maxRetryAfterMs: retry.maxRetryAfter,
            timer,
            ...(!fetched.response.ok && { called: this.#calledUrl }),
          });
          // Only a schema of the caller makes this asynchronous.
          const { data, body, mismatches } = "data" in reading ? reading : await reading;
          if (mismatches) this.#reportMismatches(mismatches, fetched);
          result = { data, body, response: fetched.response };
        } catch (error) {
          await this.#pauseAfter(this.#toCallError(error), timer);
          continue;
        }
        this.#client.hasSucceeded = true;
        this.#events.succeeded(this.#attempts, result);
        return result;
      }
    } catch (thrown) {
      const error = this.#toCallError(thrown);
      this.#events.failed(this.#attempts, error);
      throw error;
    }
  }

  #toCallError(thrown: unknown): unknown {
    const call = {
      endpoint: this.#endpoint.id,
      callId: this.#events.callId,
      attempts: this.#attempts,
      previousOutcome: this.#previousOutcome,
    };
    return toCallError(thrown, call, this.#toCallError);
  }

  /**
   * Calls `allowRecipient`, then the hook. If either prevents the attempt, the slot is given back. Resolves to the reason of the
   * hook, or to `undefined` if the attempt may start.
   */
  async #ask(request: WireRequest, slot: Slot, timer: CallTimer): Promise<object | undefined> {
    const { assertRecipients } = this.#client;
    const hooks = this.#prepared?.hooks;
    let decided: "go" | object | undefined;
    try {
      await assertRecipients?.(this.#endpoint, request, timer, this.#settings.timeoutMs);
      decided = hooks ? await timer.run(async (phase) => hooks.before(phase.signal)) : "go";
      return decided === "go" ? undefined : decided;
    } finally {
      if (decided !== "go") ignoreErrors(() => slot.cancel());
    }
  }

  async #fetch(request: WireRequest, slot: Slot, timer: CallTimer): Promise<FetchedResponse> {
    const { timeoutMs, headers } = this.#settings;
    const attempt = new PlatformAttempt(timeoutMs);
    const start = () => {
      this.#attempts += 1;
      this.#events.emit({ type: "request", attempt: this.#attempts });
      // The slot and the request start in the same step, so nothing can happen between them.
      ignoreErrors(() => slot.start());
      return this.#client.transport(request, { headers, attempt, redactor: this.#redactor });
    };
    const outcomeIfEnded = () => outcomeOf(attempt);
    let fetched: FetchedResponse;
    try {
      fetched = await timer.run(start, outcomeIfEnded, timeoutMs, attempt);
    } catch (error) {
      ignoreErrors(() => slot.cancel());
      if (TimeoutError.is(error) && error.phase === "attempt" && error.outcome === "not_sent") {
        error.message += `: no connection was made to ${addressOf(this.#client.baseUrl)}`;
      }
      throw error;
    }
    ignoreErrors(() => slot.responded?.());
    this.#events.response(this.#attempts, fetched.response, attempt.startedAt);
    return fetched;
  }

  /** URL of the call with the names of its parameters instead of their values, which may be phone numbers. */
  get #calledUrl(): CalledUrl {
    const { path, params, isCustom } = this.#endpoint;
    const { baseUrl, hasSucceeded } = this.#client;
    const namesRecord = isCustom || Object.keys(params).length > 0;
    return { url: baseUrl + quote(path), isDoubtful: !hasSucceeded || !namesRecord };
  }

  #reportMismatches(issues: readonly ValidationIssue[], fetched: FetchedResponse): void {
    const isStrict = this.#settings.responseValidation === "strict";
    if (!isStrict) warnOf(this.#endpoint.id, issues, this.#client.warned);
    this.#events.emit({ type: "response_mismatch", issues });
    if (!isStrict) return;
    const why = "a field is not as documented";
    throw toResponseValidationError(fetched, why, "done", issues);
  }

  async #pauseAfter(error: unknown, timer: CallTimer): Promise<void> {
    const { throttle } = this.#client;
    if (RateLimitError.is(error) && error.retryAfterMs !== undefined) {
      const until = Date.now() + error.retryAfterMs;
      ignoreErrors(() => throttle?.holdUntil?.(until));
    }
    const retries = this.#attempts - 1;
    const { retry } = this.#settings;
    const delayMs = retryDelay(this.#endpoint, error, retries, retry, timer.remainingMs);
    if (delayMs === undefined || !MessagingServiceError.is(error)) throw error;
    this.#previousOutcome = error.outcome;
    const hooks = this.#prepared?.hooks;
    if (hooks && !(await timer.run(() => hooks.beforeRetry(error)))) throw error;
    this.#events.emit({
      type: "retry",
      attempt: this.#attempts,
      delayMs,
      reason: error.code,
      ...(error.status !== undefined && { status: error.status }),
    });
    await timer.pause(delayMs);
  }

  /** Yields every string that no error of the call may quote. */
  *#secrets(): Generator<string> {
    yield* this.#client.secrets;
    yield* stringsWithin(this.#request?.sent);
    for (const [name, value] of Object.entries(this.#settings.headers)) {
      if (!(name in DEFAULT_SETTINGS.headers)) yield value;
    }
  }
}
