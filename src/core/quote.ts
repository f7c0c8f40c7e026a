/** Maximum length of a quotation in an error's message, in UTF-16 units. */
export const MAX_QUOTE = 300;
const MAX_NAME = 80;

/**
 * Matches control and format characters, such as line breaks and direction marks, and half characters, which can forge a log
 * line.
 */
export const CONTROLS = /[\p{Cc}\p{Cf}\p{Cs}]/gu;
// At most five separators are allowed between two digits. Without this limit, a long row of escapes would take a second.
export const PHONE_NUMBER = /\+?\(?\d(?:(?:[ ().·/_\u2010-\u2015-]|%[\da-f]{2}){0,5}\d){9,14}/gi;

/**
 * Returns a string as a message may quote it: on one line, without phone numbers and control characters, and of limited length.
 */
export const quote = (text: string, longest = MAX_QUOTE): string => {
  const line = text.replace(/\s+/g, " ").replace(CONTROLS, "");
  const quotation = line.replace(PHONE_NUMBER, "[number]").trim();
  if (quotation.length <= longest) return quotation;
  // The cut may leave half a character.
  return `${quotation.slice(0, longest).replace(CONTROLS, "")}…`;
};

/** Returns the name of a field or an option as a message may quote it. The name may come from anyone. */
export const quoteName = (name: string): string => quote(name, MAX_NAME);
