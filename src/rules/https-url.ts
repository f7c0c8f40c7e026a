import { fileExtensionProblems } from "./content-type.ts";
import { countCharacters, type Problem, tooLong } from "./problem.ts";

/** Maximum number of characters of a `webhookUrl`, and of the URL of a file (specification: "Limits"). */
export const maxWebhookUrlLength = 255;

const notHttpsUrl = (why: string): Problem => ({
  code: "invalid_string",
  validation: "url",
  message: `must be an absolute https URL, such as https://example.com/path: ${why}`,
});

/**
 * Yields the problems of an https URL. Characters are counted as given, not percent-encoded.
 *
 * @param start First eight characters of the URL, to be compared with `https://`.
 */
export function* httpsUrlProblems(
  url: string,
  start: string = url.slice(0, 8).toLowerCase(),
): Generator<Problem> {
  const characters = countCharacters(url);
  const isTooLong = characters > maxWebhookUrlLength;
  if (isTooLong) yield tooLong(maxWebhookUrlLength, characters);
  if (/^\s|\s$/.test(url)) yield notHttpsUrl("there is white space around this one");
  else if (start !== "https://") yield notHttpsUrl("this one does not begin with https://");
  else if (!isTooLong && !URL.canParse(url)) yield notHttpsUrl("this one cannot be parsed");
}

/** Returns whether nobody can read a request to a URL on its way: over https, or to this machine as browsers know it. */
export const isSecureUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" ||
  (protocol === "http:" && /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(hostname));

/** Yields the problems of the URL of a file, whatever its extension. It begins with `https://`, exactly as written. */
export const fileUrlProblems = (url: string): Generator<Problem> =>
  httpsUrlProblems(url, url.slice(0, 8));

/**
 * Returns whether a message accepts this `webhookUrl`: an https URL of at most 255 characters.
 *
 * @example
 * if (!isWebhookUrl(process.env.WEBHOOK_URL)) throw new Error("WEBHOOK_URL must be an https URL");
 */
export function isWebhookUrl(url: string): boolean;
/** Returns whether a value is a `webhookUrl` that a message accepts. */
export function isWebhookUrl(url: unknown): url is string;
// A string is not narrowed, because TypeScript would take one that is refused for `never`.
export function isWebhookUrl(url: unknown): boolean {
  return typeof url === "string" && httpsUrlProblems(url).next().done === true;
}

/**
 * Returns whether a message accepts this file URL: a URL of at most 255 characters that begins with `https://` and whose
 * extension, if it has one, does not stand for a content type that is not allowed. It does not contact the host:
 * {@link checkFile} does.
 *
 * @example
 * isFileUrl("https://example.com/menu.pdf"); // true
 * isFileUrl("https://example.com/menu.docx"); // false
 */
export function isFileUrl(url: string): boolean;
/** Returns whether a value is the URL of a file that a message accepts. */
export function isFileUrl(url: unknown): url is string;
export function isFileUrl(url: unknown): boolean {
  return (
    typeof url === "string" &&
    fileUrlProblems(url).next().done === true &&
    fileExtensionProblems(url).next().done === true
  );
}
