/** A part of an RCS text: plain text, or formatted parts. */
export type RcsPart =
  | string
  | { readonly tag: "strong" | "em" | "u" | "s"; readonly parts: readonly RcsPart[] };

/** Marks that messaging apps use. A mark precedes every shorter mark that it begins with. */
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

/** Returns whether a mark stands alone at an index: `_` is not found within `__`. */
const isMark = (text: string, mark: string, at: number): boolean =>
  text.startsWith(mark, at) && text[at + mark.length] !== mark[0] && text[at - 1] !== mark[0];

/** Returns whether the mark at an index can open a part: no word precedes it, and no space follows it. */
const isOpening = (text: string, mark: string, at: number): boolean =>
  isMark(text, mark, at) && !isWord(text[at - 1]) && !isSpace(text[at + mark.length]);

/** Returns the index at which the mark that opens at `from` is closed; -1 if it is not. */
const findEnd = (text: string, mark: string, from: number): number => {
  for (let at = from + mark.length + 1; at < text.length; at += 1) {
    const isEnd =
      isMark(text, mark, at) && !isSpace(text[at - 1]) && !isWord(text[at + mark.length]);
    if (isEnd) return at;
  }
  return -1;
};

/**
 * Splits an RCS text into plain and formatted parts: `*bold*`, `_italic_`, `__underline__`, `~strikethrough~`.
 * A mark within a word, beside a space or without its partner is plain text.
 */
export const parseRcsMarkup = (text: string): readonly RcsPart[] => {
  const parts: RcsPart[] = [];
  // A mark that nothing closes after one position is not closed after a later position either.
  const unclosed = new Set<string>();
  let plainFrom = 0;
  for (let at = 0; at < text.length; at += 1) {
    for (const [mark, tag] of MARKS) {
      if (unclosed.has(mark) || !isOpening(text, mark, at)) continue;
      const end = findEnd(text, mark, at);
      if (end < 0) {
        unclosed.add(mark);
        continue;
      }
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
