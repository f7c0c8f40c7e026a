import { type Problem, tooLong } from "./problem.ts";
import { countCharacters } from "./rcs-text.ts";

/** The most characters that a URL may have (specification: "Limits"). */
export const MAX_URL_LENGTH = 255;

const notHttpsUrl = (why: string): Problem => ({
  code: "invalid_string",
  validation: "url",
  message: `must be an absolute https URL, such as https://example.com/path: ${why}`,
});

/** What is wrong with an https URL, its characters counted as given. */
export function* httpsUrlProblems(url: string): Generator<Problem> {
  const characters = countCharacters(url);
  if (characters > MAX_URL_LENGTH) yield tooLong(MAX_URL_LENGTH, characters);
  if (/^\s|\s$/.test(url)) yield notHttpsUrl("there is white space around this one");
  else if (!/^https:\/\//i.test(url)) yield notHttpsUrl("this one does not begin with https://");
  else if (!URL.canParse(url)) yield notHttpsUrl("this one cannot be parsed");
}
