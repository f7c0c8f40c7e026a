import type { FakeAnswer, FakeRequest } from "./fake-answer.ts";

/** A request of the Fetch API as the fake reads it. */
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

/** A pause that a signal ends. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/** Settles when the signal fires, and never otherwise. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason));
  });

/** A body of which only the beginning comes. */
const stalledBody = (body: string, signal: AbortSignal): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(body.slice(0, Math.ceil(body.length / 2))));
      signal.addEventListener("abort", () => controller.error(signal.reason));
    },
  });

/** Statuses of which the Fetch API allows no body. */
const BODILESS = [204, 205, 304];

/** An answer as `fetch` gives it, or fails to. */
export const toResponse = async (answer: FakeAnswer, signal: AbortSignal): Promise<Response> => {
  const { status, headers, body, arrives, delayMs = 0 } = answer;
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
