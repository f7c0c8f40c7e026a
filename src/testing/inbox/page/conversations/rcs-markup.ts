/** A part of an RCS text: plain text, or formatted parts. */
export type RcsPart =
  | string
  | { readonly tag: "strong" | "em" | "u" | "s"; readonly parts: readonly RcsPart[] };

/** The marks that messaging apps use; a longer mark comes before its beginning. */
const MARKS = [
  ["__", "u"],
  ["*", "strong"],
  ["_", "em"],
  ["~", "s"],
] as const;

const isWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character);
const isSpace = (character: string | undefined): boolean =>
  character === undefined || /\s/.test(character);

/** Whether a mark at an index stands alone, so that `_` is not found within `__`. */
const isMark = (text: string, mark: string, at: number): boolean =>
  text.startsWith(mark, at) && text[at + mark.length] !== mark[0] && text[at - 1] !== mark[0];

/** The index of the mark that closes what opens at an index; -1 where nothing does. */
const findEnd = (text: string, mark: string, from: number): number => {
  if (isWord(text[from - 1]) || isSpace(text[from + mark.length])) return -1;
  for (let at = from + mark.length + 1; at < text.length; at += 1) {
    const isEnd =
      isMark(text, mark, at) && !isSpace(text[at - 1]) && !isWord(text[at + mark.length]);
    if (isEnd) return at;
  }
  return -1;
};

/**
 * Splits an RCS text into plain and formatted parts: `*bold*`, `_italic_`, `__underline__`, `~strikethrough~`.
 * A mark within a word, beside a space or without its partner is text.
 */
export const parseRcsMarkup = (text: string): readonly RcsPart[] => {
  const parts: RcsPart[] = [];
  let plainFrom = 0;
  for (let at = 0; at < text.length; at += 1) {
    for (const [mark, tag] of MARKS) {
      const end = isMark(text, mark, at) ? findEnd(text, mark, at) : -1;
      if (end < 0) continue;
      if (at > plainFrom) parts.push(text.slice(plainFrom, at));
      parts.push({ tag, parts: parseRcsMarkup(text.slice(at + mark.length, end)) });
      plainFrom = end + mark.length;
      at = plainFrom - 1;
      break;
    }
  }
  if (plainFrom < text.length) parts.push(text.slice(plainFrom));
  return parts;
};
