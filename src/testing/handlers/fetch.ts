import type { FakeRequest, FakeResponse } from "./handler.ts";

/** Reads a request of the Fetch API. */
export const readRequest = async (request: Request): Promise<FakeRequest> => {
  const { pathname, searchParams } = new URL(request.url);
  return {
    method: request.method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(request.headers),
    body: await request.text(),
  };
};

/** Waits for some time, or until a signal fires. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal.addEventListener("abort", abort, { once: true });
  });

/** Rejects when a signal fires, and never settles otherwise. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason));
  });

/** Builds a body that stops after its beginning. */
const stalledBody = (body: string, signal: AbortSignal): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(body.slice(0, Math.ceil(body.length / 2))));
      signal.addEventListener("abort", () => controller.error(signal.reason));
    },
  });

/** Statuses for which the Fetch API allows no body. */
const BODILESS = [204, 205, 304];

/** Converts a response of the fake to the `Response` that `fetch` resolves to, or throws as `fetch` does. */
export const toResponse = async (
  response: FakeResponse,
  signal: AbortSignal,
): Promise<Response> => {
  const { status, headers, body, arrives, delayMs = 0 } = response;
  signal.throwIfAborted();
  if (delayMs > 0) await pause(delayMs, signal);
  if (arrives === "never") return untilAborted(signal);
  if (arrives === "breaks") {
    const cause = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
    throw new TypeError("fetch failed", { cause });
  }
  if (BODILESS.includes(status)) return new Response(null, { status, headers });
  const content = arrives === "stalls" ? stalledBody(body, signal) : body;
  return new Response(content, { status, headers });
};
