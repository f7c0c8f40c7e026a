/** Marks that messaging apps use, by the HTML element for the words between them. */
const MARKS = { u: "__", strong: "*", em: "_", s: "~" };

export type RcsPart =
  | string
  | { readonly tag: keyof typeof MARKS; readonly parts: readonly RcsPart[] };

/** Matches words between two marks, with no word character outside the pair and no space inside. `__` is not two `_`. */
const FORMATTED = new RegExp(
  Object.entries(MARKS)
    .map(([tag, mark]) => {
      const alone = `(?<![${mark}])[${mark}]{${mark.length}}(?![${mark}])`;
      return `(?<![\\p{L}\\p{N}])${alone}(?!\\s)(?<${tag}>.+?)(?<!\\s)${alone}(?![\\p{L}\\p{N}])`;
    })
    .join("|"),
  "gsu",
);

/**
 * Splits an RCS text into plain and formatted parts: `*bold*`, `_italic_`, `__underline__`, `~strikethrough~`.
 * A mark within a word, beside a space or without its partner is plain text.
 */
export const parseRcsMarkup = (text: string): readonly RcsPart[] => {
  const parts: RcsPart[] = [];
  let plainFrom = 0;
  for (const {
    0: { length },
    index,
    groups,
  } of text.matchAll(FORMATTED)) {
    if (index > plainFrom) parts.push(text.slice(plainFrom, index));
    for (const tag of Object.keys(MARKS) as (keyof typeof MARKS)[]) {
      const words = groups?.[tag];
      if (words !== undefined) parts.push({ tag, parts: parseRcsMarkup(words) });
    }
    plainFrom = index + length;
  }
  if (plainFrom < text.length) parts.push(text.slice(plainFrom));
  return parts;
};
