import { AbortError, customIssue, startStackHere, ValidationError } from "../core/errors.ts";
import { assertFunction, assertSignal, or, readOptions, toTimeLimit } from "../core/options.ts";
import { hostedFileProblems } from "../core/rules/content-type.ts";
import { fileUrlProblems } from "../core/rules/https-url.ts";
import type { Problem } from "../core/rules/problem.ts";
import { NO_FETCH } from "../core/transport/attempt.ts";
import { FetchMistake, isControlFlow, mistakeOf } from "../core/transport/connection-error.ts";
import {
  assertResponse,
  type FetchLike,
  type FetchOption,
  knownInit,
} from "../core/transport/transport.ts";
import { runWithin } from "../core/wait-for.ts";
import { discardBody, followRedirects, sizeOf } from "./redirects.ts";

/** Options of {@link checkFile}. */
export interface CheckFileOptions {
  /** Fetch-compatible function. Default: `globalThis.fetch`, looked up at the call. */
  readonly fetch?: FetchOption | undefined;
  /** Signal that ends the check with an `AbortError`. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of the whole check in milliseconds, or `false` for none. Default: 10 000. */
  readonly timeout?: number | false | undefined;
}

/** File as its host describes it: the result of {@link checkFile}. */
export interface CheckedFile {
  /** Content type of the file, with its parameters if it has any. */
  readonly contentType: string;
  /** Size of the file in bytes; absent if the host does not state it, or if the file is compressed. */
  readonly size?: number;
}

const assertNoProblems = (problems: Iterable<Problem>): void => {
  const errors = Array.from(problems, (problem) => ({ ...problem, path: ["url"] }));
  if (errors.length > 0) throw new ValidationError(errors);
};

const uncheckable = (why: string) =>
  new ValidationError([customIssue(`cannot be checked: ${why}`, ["url"])]);

/** Statuses with which a host may refuse HEAD, although it serves the file. A signed link, for example, is signed for GET. */
const REFUSES_HEAD = [403, 405, 501];

/** Requests a file with HEAD. If the host refuses HEAD, requests the first byte with GET. */
const askHost = async (
  url: string,
  fetch: FetchLike | undefined,
  signal: AbortSignal,
): Promise<Response> => {
  const response = await request(url, fetch, { method: "HEAD", signal });
  if (!REFUSES_HEAD.includes(response.status)) return response;
  return request(url, fetch, { method: "GET", headers: { range: "bytes=0-0" }, signal });
};

/** Makes a request without credentials, follows redirects that stay on https, and reads no body. */
const request = async (
  url: string,
  fetch: FetchLike | undefined,
  options: RequestInit,
): Promise<Response> => {
  const init = { ...options, ...knownInit({ credentials: "omit", cache: "no-store" }) };
  const response = await followRedirects(
    new URL(url),
    async ({ href, username, password }, redirect) => {
      // `fetch` does not accept a URL with credentials.
      if (username || password) {
        throw uncheckable("its URL contains a user name or a password; leave them out");
      }
      try {
        if (!fetch) throw new FetchMistake(NO_FETCH);
        const found = await fetch(href, { ...init, ...redirect });
        assertResponse(found);
        return found;
      } catch (thrown) {
        if (isControlFlow(thrown)) throw thrown;
        // Any error, even an error of this package from a wrapper, means that the host cannot be reached.
        throw uncheckable(mistakeOf(thrown) ?? "its host cannot be reached");
      }
    },
    (where) => uncheckable(`its host redirects ${where}`),
  );
  discardBody(response);
  return response;
};

/**
 * Checks whether the service would accept a file. Sends a HEAD request without credentials to the host of the file. If the
 * host refuses HEAD (403, 405 or 501, such as for a link that is signed for GET), requests one byte.
 *
 * @param url URL of the file. Redirects that stay on https are followed, outside browsers up to five.
 * @returns Content type of the file, and its size if the host states it and does not compress the file.
 * @throws A {@link ValidationError} at the path `["url"]` if the URL, the content type or the size is not allowed, or if the
 * file cannot be checked, such as after `timeout`.
 * @throws An {@link AbortError} if the signal fires.
 * @throws TypeError (as a rejection) that names an invalid or unknown option.
 * @example
 * const { contentType, size } = await checkFile("https://example.com/menu.pdf");
 */
export async function checkFile(url: string, options: CheckFileOptions = {}): Promise<CheckedFile> {
  const { signal, timeout, ...given } = readOptions("options", options, {
    fetch: or(assertFunction<FetchOption>, globalThis.fetch),
    signal: or(assertSignal),
    timeout: or(toTimeLimit, 10_000),
  });
  const fetch = given.fetch as FetchLike | undefined;
  if (typeof url !== "string") throw uncheckable("it must be a string");
  assertNoProblems(fileUrlProblems(url));
  const abortError = () => new AbortError("aborted", "not_sent", { cause: signal?.reason });
  if (signal?.aborted) throw abortError();
  const controller = new AbortController();
  const response = await runWithin(
    askHost(url, fetch, controller.signal),
    timeout,
    signal,
    (by): never => {
      controller.abort();
      throw by === "late" ? uncheckable(`its host took longer than ${timeout} ms`) : abortError();
    },
  ).catch((thrown: unknown): never => {
    throw startStackHere(thrown);
  });
  const { headers, status } = response;
  if (!response.ok) throw uncheckable(`its host responded with status ${status}`);
  // A response with one byte states the size in `Content-Range`, which a browser hides for a different origin.
  const stated = headers.get(status === 206 ? "content-range" : "content-length");
  const size = sizeOf(response, stated?.split("/").at(-1));
  const file = {
    contentType: headers.get("content-type") ?? "",
    ...(size === undefined ? {} : { size }),
  };
  assertNoProblems(hostedFileProblems(file));
  return file;
}
