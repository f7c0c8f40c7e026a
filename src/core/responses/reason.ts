import { isJsonObject } from "../options.ts";

/** Names of the fields in which frameworks and gateways put the reason of an error. */
const REASONS = [
  "message",
  "detail",
  "error_description",
  "Message",
  "reason",
  "msg",
  "defaultMessage",
];
/** Names of the fields of a summary, which often states only the kind of error. */
const SUMMARIES = ["error", "title", "errors"];
/** Names of further fields that contain the items of an error. Such a name does not say which field of the request is wrong. */
const LISTS = ["message", "detail", "invalid_params", "invalid-params"];
const isListName = (name: string): boolean => SUMMARIES.includes(name) || LISTS.includes(name);

const FIELDS = ["path", "field", "loc", "pointer", "parameter", "param", "property", "name"];

const MAX_ITEMS = 3;
const MAX_NESTING = 4;

/** Returns the letters and digits of a text in lowercase, so that "Not found." equals the name of the status. */
const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Returns the field that an item is about. JSON:API puts it into `source`. */
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
 * Returns the reason in the body of an error, from the fields in which frameworks usually put it. The shape of version 2's errors
 * is not documented. The name of the status does not count as a reason.
 */
export const reasonOf = (body: unknown, statusText = ""): string | undefined => {
  const status = lettersOf(statusText);
  const textOf = (value: unknown): string | undefined =>
    typeof value === "string" && !/^\s*(<|$)/.test(value) && lettersOf(value) !== status
      ? value
      : undefined;
  const textAt = (value: unknown, names: readonly string[]): string | undefined =>
    names.map((name) => textOf(Object(value)[name])).find(Boolean);

  /** Returns the texts within a list, or within a map from fields to texts. Each text is preceded by its field. */
  const itemsOf = (value: unknown, field = "", depth = 0): readonly string[] => {
    const text = textOf(value) ?? textAt(value, [...REASONS, ...SUMMARIES]);
    if (text !== undefined) {
      const name = nameOf(value) ?? field;
      // A sentence follows a colon. A phrase such as "is too long" directly follows its field.
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
  // A body can be a map from fields to lists of texts. Any other list may contain data.
  const isOfError = ([name, part]: readonly [string, unknown]) =>
    typeof part === "object" &&
    (isListName(name) || [part].flat().every((item) => typeof item === "string"));
  const lists = isJsonObject(body)
    ? Object.fromEntries(Object.entries(body).filter(isOfError))
    : body;
  const items = itemsOf(lists).slice(0, MAX_ITEMS).join("; ");
  return items && summary ? `${summary.replace(/[.:]\s*$/, "")}: ${items}` : items || summary;
};
