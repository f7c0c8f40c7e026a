import { fileExtensionProblems } from "./content-type.ts";
import { type Problem, tooLong } from "./problem.ts";
import { countCharacters } from "./rcs-text.ts";

/** Maximum number of characters of a URL (specification: "Limits"). */
export const maxWebhookUrlLength = 255;

const notHttpsUrl = (why: string): Problem => ({
  code: "invalid_string",
  validation: "url",
  message: `must be an absolute https URL, such as https://example.com/path: ${why}`,
});

/** Yields the problems of an https URL. Characters are counted as given, not percent-encoded. */
export function* httpsUrlProblems(url: string): Generator<Problem> {
  const characters = countCharacters(url);
  if (characters > maxWebhookUrlLength) yield tooLong(maxWebhookUrlLength, characters);
  if (/^\s|\s$/.test(url)) yield notHttpsUrl("there is white space around this one");
  else if (!/^https:\/\//i.test(url)) yield notHttpsUrl("this one does not begin with https://");
  else if (!URL.canParse(url)) yield notHttpsUrl("this one cannot be parsed");
}

/** Yields the problems of the URL of a file whose content type is not given. */
export function* fileUrlProblems(url: string): Generator<Problem> {
  yield* httpsUrlProblems(url);
  yield* fileExtensionProblems(url);
}

/**
 * Returns whether a message accepts this `webhookUrl`: an https URL of at most 255 characters.
 *
 * @example
 * if (!isWebhookUrl(process.env.WEBHOOK_URL)) throw new Error("WEBHOOK_URL must be an https URL");
 */
export function isWebhookUrl(url: unknown): boolean {
  return typeof url === "string" && httpsUrlProblems(url).next().done === true;
}

/**
 * Returns whether a message accepts this file URL: an https URL of at most 255 characters whose extension,
 * if it has one, does not stand for a content type that is not allowed. It does not contact the host: {@link checkFile} does.
 *
 * @example
 * isFileUrl("https://example.com/menu.pdf"); // true
 * isFileUrl("https://example.com/menu.docx"); // false
 */
export function isFileUrl(url: unknown): boolean {
  return typeof url === "string" && fileUrlProblems(url).next().done === true;
}
