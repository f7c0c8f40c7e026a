import { AbortError } from "../errors/abort-error.ts";
import { ApiError, RateLimitError } from "../errors/api-error.ts";
import { MessagingServiceError } from "../errors/base.ts";
import type { Outcome } from "../errors/outcome.ts";
import { ThrottleError } from "../errors/throttle-error.ts";
import { TimeoutError } from "../errors/timeout-error.ts";
import { isControlFlow, toConnectionError } from "../responses/connection-error.ts";
import { readAnswer } from "../responses/read-response.ts";
import { requestIdOf } from "../responses/request-id.ts";
import type { Throttle } from "../throttle/create-throttle.ts";
import type { Endpoint, EndpointInput } from "../wire/endpoint.ts";
import type { ApiResponse } from "./api-promise.ts";
import { buildRequest } from "./build-request.ts";
import { type Call, type Connection, contextOf } from "./call.ts";
import { CallEvents } from "./call-events.ts";
import { CallClock, Interruption } from "./deadline.ts";
import type { RequestOptions } from "./options.ts";
import { retryDelay } from "./retry.ts";
import { toSettings } from "./settings.ts";
import type { Answer } from "./transport.ts";

/** Runs a call from its first check to its data or its error. */
export const runCall = async <Data>(
  connection: Connection,
  endpoint: Endpoint<unknown, never, Data>,
  input: EndpointInput,
  options: RequestOptions | undefined,
): Promise<ApiResponse<Data>> => {
  const events = connection.onEvent && new CallEvents(connection.onEvent, endpoint.id);
  let call: Call<Data> | undefined;
  try {
    const settings = toSettings(connection.settings, options);
    call = {
      connection,
      endpoint,
      input,
      settings,
      request: buildRequest(endpoint, input, settings.validateRequests),
      clock: new CallClock(options?.signal, settings.totalTimeoutMs),
      events,
      attempts: 0,
      earlier: "not_sent",
    };
    for (;;) {
      try {
        if (connection.throttle) await waitForSlot(call, connection.throttle);
        const answer = await attempt(call);
        return await readAnswer(call, answer);
      } catch (error) {
        await pauseAfter(call, error);
      }
    }
  } catch (error) {
    events?.failed(error, call?.attempts ?? 0);
    throw error;
  }
};

/** The error of a phase that a signal or a clock ended; `begun` is what the work of that phase leaves behind. */
const toInterruptionError = (call: Call, interruption: Interruption, begun: Outcome) => {
  const { timeoutMs, totalTimeoutMs } = call.settings;
  const { by, reason } = interruption;
  const outcome = interruption.begun ? begun : "not_sent";
  const context = contextOf(call);
  if (by === "signal") return new AbortError("aborted", outcome, context, { cause: reason });
  return new TimeoutError(by, by === "attempt" ? timeoutMs : totalTimeoutMs, outcome, context);
};

const waitForSlot = async (call: Call, throttle: Throttle): Promise<void> => {
  try {
    call.clock.check();
    if (throttle.tryAcquire?.()) return;
    const asked = performance.now();
    const maxHold = call.settings.retry.maxRetryAfterMs;
    await call.clock.bound(async (signal) => throttle.acquire({ signal, maxHold }));
    const waitMs = Math.round(performance.now() - asked);
    if (waitMs > 0) call.events?.emit({ type: "throttled", waitMs });
  } catch (thrown) {
    if (thrown instanceof Interruption) throw toInterruptionError(call, thrown, "not_sent");
    const { reason, retryAfterMs, cause } = ThrottleError.is(thrown)
      ? thrown
      : ({ reason: "unavailable", retryAfterMs: undefined, cause: thrown } as const);
    throw new ThrottleError(reason, { retryAfterMs, cause }, contextOf(call));
  }
};

const attempt = async (call: Call): Promise<Answer> => {
  const { connection, settings, request, events } = call;
  const started = performance.now();
  try {
    const answer = await call.clock.bound((signal) => {
      call.attempts += 1;
      events?.emit({ type: "request", attempt: call.attempts });
      return connection.transport(request, settings.headers, signal);
    }, settings.timeoutMs);
    if (events) {
      const { status, headers } = answer.response;
      const requestId = requestIdOf(headers);
      const durationMs = performance.now() - started;
      events.emit({
        type: "response",
        attempt: call.attempts,
        status,
        durationMs,
        ...(requestId === undefined ? {} : { requestId }),
      });
    }
    return answer;
  } catch (thrown) {
    if (thrown instanceof Interruption) throw toInterruptionError(call, thrown, "unknown");
    throw isControlFlow(thrown) ? thrown : toConnectionError(thrown, contextOf(call));
  }
};

/** Tells a throttle how long the service asks to be left alone. */
const holdBack = (throttle: Throttle, { retryAfterMs }: RateLimitError): void => {
  try {
    if (retryAfterMs !== undefined) throttle.holdUntil?.(Date.now() + retryAfterMs);
  } catch {
    // A throttle of the caller's own that fails here must not hide the answer of the service.
  }
};

/** Waits until the attempt that failed may be repeated; throws its error when it may not. */
const pauseAfter = async (call: Call, error: unknown): Promise<void> => {
  const { connection, endpoint, settings, clock, events } = call;
  if (RateLimitError.is(error) && connection.throttle) holdBack(connection.throttle, error);
  if (!MessagingServiceError.is(error)) throw error;

  const retries = call.attempts - 1;
  const delayMs = retryDelay(endpoint, error, retries, settings.retry, clock.remainingMs);
  if (delayMs === undefined) throw error;
  call.earlier = error.outcome;
  const status = ApiError.is(error) ? { status: error.status } : {};
  events?.emit({ type: "retry", attempt: call.attempts, delayMs, reason: error.code, ...status });
  try {
    await clock.pause(delayMs);
  } catch (thrown) {
    throw thrown instanceof Interruption ? toInterruptionError(call, thrown, "not_sent") : thrown;
  }
};
