import type { ValidationIssue } from "../errors.ts";

/** Returns the path of a field; one index stands for all items of an array: `lists[].counts.cleaned`. */
export const fieldOf = ({ path }: ValidationIssue): string =>
  path
    .map((key) => (typeof key === "number" ? "[]" : `.${key}`))
    .join("")
    .replace(/^\./, "");
