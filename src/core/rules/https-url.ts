import { fileExtensionProblems } from "./content-type.ts";
import { halfPairProblems, type Problem, tooLong } from "./problem.ts";

/** Maximum number of characters of a `webhookUrl`, and of the URL of a file. */
export const maxWebhookUrlLength = 255;

const notHttpsUrl = (why: string): Problem => ({
  code: "invalid_string",
  validation: "url",
  message: `must be an absolute https URL, such as https://example.com/path: ${why}`,
});

/** @param start Part of the URL to compare with `https://`. Characters are counted as given, not percent-encoded. */
export function* httpsUrlProblems(
  url: string,
  start: string = url.slice(0, 8).toLowerCase(),
): Generator<Problem> {
  const problem = tooLong(url, maxWebhookUrlLength);
  if (problem) yield problem;
  yield* halfPairProblems(url);
  if (/^\s|\s$/.test(url)) yield notHttpsUrl("there is white space around this one");
  // `URL` would silently drop a line break.
  else if (/\p{Cc}/u.test(url)) yield notHttpsUrl("this one contains a control character");
  else if (start !== "https://") yield notHttpsUrl("this one does not begin with https://");
  else if (!problem && !URL.canParse(url)) yield notHttpsUrl("this one cannot be parsed");
}

/**
 * Returns whether nobody on the network can read a request to a URL, because it is https or its host is loopback for browsers.
 */
export const isSecureUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" ||
  (protocol === "http:" && /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(hostname));

/** Yields the problems of a file URL, except those of its extension. Unlike a `webhookUrl`, it needs a lowercase `https://`. */
export const fileUrlProblems = (url: string): Generator<Problem> =>
  httpsUrlProblems(url, url.slice(0, 8));

/**
 * Returns whether a URL is a valid `webhookUrl`: an https URL of at most 255 characters.
 *
 * @example
 * if (!isWebhookUrl(process.env.WEBHOOK_URL)) throw new Error("WEBHOOK_URL must be an https URL");
 */
export function isWebhookUrl(url: string): boolean;
/** Returns whether a value is a valid `webhookUrl`. */
export function isWebhookUrl(url: unknown): url is string;
// A string is not narrowed, because TypeScript would treat an invalid URL as `never`.
export function isWebhookUrl(url: unknown): boolean {
  return typeof url === "string" && httpsUrlProblems(url).next().done === true;
}

/**
 * Returns whether a URL is a valid file URL: it has at most 255 characters, begins with `https://`, and does not have a
 * common extension of a disallowed content type. To check the file on its host, use {@link checkFile}.
 *
 * @example
 * isFileUrl("https://example.com/menu.pdf"); // true
 * isFileUrl("https://example.com/menu.docx"); // false
 */
export function isFileUrl(url: string): boolean;
/** Returns whether a value is a valid file URL. */
export function isFileUrl(url: unknown): url is string;
export function isFileUrl(url: unknown): boolean {
  return (
    typeof url === "string" &&
    fileUrlProblems(url).next().done === true &&
    fileExtensionProblems(url).next().done === true
  );
}
