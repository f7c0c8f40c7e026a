import { isJsonObject } from "../wire/encodings.ts";

/** Names under which frameworks and gateways put the reason of an error. */
const REASONS = [
  "message",
  "detail",
  "error_description",
  "Message",
  "reason",
  "msg",
  "defaultMessage",
];
/** Names of a summary, which is often just the kind of an error. */
const SUMMARIES = ["error", "title", "errors"];
/** Further names under which the items of an error are: not the names of fields. */
const LISTS = ["message", "detail", "invalid_params", "invalid-params"];
const isListName = (name: string): boolean => SUMMARIES.includes(name) || LISTS.includes(name);

const FIELDS = ["path", "field", "loc", "pointer", "parameter", "param", "property", "name"];

const MAX_ITEMS = 3;
const MAX_NESTING = 4;

/** Returns the letters and digits of a text: "Not found." is the name of a status, too. */
const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Returns the field that an item is about; `source` is JSON:API's. */
const nameOf = (item: unknown): string | undefined => {
  const named = [item, Object(item).source].flatMap((part) =>
    FIELDS.map((name): unknown => Object(part)[name]),
  );
  const field = named.find(
    (keys) => (typeof keys === "string" || Array.isArray(keys)) && keys.length > 0,
  );
  return field === undefined ? undefined : [field].flat().join(".");
};

/**
 * Returns the reason that the body of an error gives, wherever a framework or a gateway puts it. The shape of version 2's errors
 * is not documented. The name of the status is no reason.
 */
export const reasonOf = (body: unknown, statusText = ""): string | undefined => {
  const status = lettersOf(statusText);
  const textOf = (value: unknown): string | undefined =>
    typeof value === "string" && !/^\s*(<|$)/.test(value) && lettersOf(value) !== status
      ? value
      : undefined;
  const textAt = (value: unknown, names: readonly string[]): string | undefined =>
    names.map((name) => textOf(Object(value)[name])).find(Boolean);

  /** Returns the texts within a list, or a map from fields to texts, each with its field. */
  const itemsOf = (value: unknown, field = "", depth = 0): readonly string[] => {
    const text = textOf(value) ?? textAt(value, [...REASONS, ...SUMMARIES]);
    if (text !== undefined) {
      const name = nameOf(value) ?? field;
      // A sentence follows a colon; "is too long" follows its field.
      return [name === "" ? text : `${name}${/^\p{Lu}/u.test(text) ? ":" : ""} ${text}`];
    }
    if (depth > MAX_NESTING || typeof value !== "object" || value === null) return [];
    if (!Array.isArray(value)) {
      return Object.entries(value).flatMap(([name, inner]) =>
        itemsOf(inner, isListName(name) ? field : name, depth + 1),
      );
    }
    const texts = value.map(textOf).filter(Boolean).slice(0, MAX_ITEMS);
    return [texts.join("; "), ...value.filter(isJsonObject)].flatMap((item) =>
      itemsOf(item, field, depth + 1),
    );
  };

  const reason = textOf(body) ?? textAt(body, REASONS);
  if (reason !== undefined) return reason;
  const summary = textAt(body, SUMMARIES);
  // A body can be a map from fields to lists of texts. Any other list may be of data.
  const isOfError = ([name, part]: readonly [string, unknown]) =>
    typeof part === "object" &&
    (isListName(name) || [part].flat().every((item) => typeof item === "string"));
  const lists = isJsonObject(body)
    ? Object.fromEntries(Object.entries(body).filter(isOfError))
    : body;
  const items = itemsOf(lists).slice(0, MAX_ITEMS).join("; ");
  return items && summary ? `${summary.replace(/[.:]\s*$/, "")}: ${items}` : items || summary;
};
