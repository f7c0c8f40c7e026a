import { type Problem, tooLong } from "./problem.ts";

/** The most characters that a URL may have (specification: "Limits"). */
export const MAX_URL_LENGTH = 255;

const notHttpsUrl = (why: string): Problem => ({
  code: "invalid_string",
  validation: "url",
  message: `must be an absolute https URL, such as https://example.com/path: ${why}`,
});

/** What is wrong with an https URL, its characters counted as given. */
export function* httpsUrlProblems(url: string): Generator<Problem> {
  if (url.length > MAX_URL_LENGTH) yield tooLong(MAX_URL_LENGTH, url.length);
  if (/^\s|\s$/.test(url)) yield notHttpsUrl("there is white space around this one");
  else if (!URL.canParse(url)) yield notHttpsUrl("this one cannot be parsed");
  else if (new URL(url).protocol !== "https:") yield notHttpsUrl("this one has another scheme");
}
