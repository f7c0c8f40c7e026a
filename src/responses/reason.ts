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
const SUMMARIES = ["error", "title"];
/** Names under which the items of an error are. The lists and maps of some frameworks have the names of a reason. */
const LISTS = ["message", "errors", "detail", "invalid_params", "invalid-params"];
/** Names under which an item says which field it is about. */
const FIELDS = ["path", "field", "loc", "pointer", "parameter", "param", "property", "name"];

/** Maximum number of items that a reason names. */
const MAX_ITEMS = 3;
/** Depth to which a body is searched. */
const MAX_DEPTH = 4;

/** Returns the letters and digits of a text: "Not found." is the name of a status, too. */
const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Searches one body for texts of the service. Blank texts, HTML and the name of the status are none. */
class ReasonSearch {
  readonly #status: string;

  constructor(statusText: string) {
    this.#status = lettersOf(statusText);
  }

  /** Returns the reason that a value gives: a text, an object or a list. */
  reasonOf(value: unknown, depth = 0): string | undefined {
    if (depth > MAX_DEPTH) return undefined;
    const reason = isJsonObject(value) ? this.#textAt(value, REASONS) : this.#textOf(value);
    if (reason !== undefined) return reason;
    const { error } = Object(value);
    const summary =
      this.#textAt(value, SUMMARIES) ??
      (isJsonObject(error) ? this.reasonOf(error, depth + 1) : undefined);
    const items: string[] = [];
    for (const item of this.#allItems(value)) if (items.push(item) === MAX_ITEMS) break;
    if (items.length === 0) return summary;
    return [summary?.replace(/[.:]\s*$/, ""), items.join("; ")].filter(Boolean).join(": ");
  }

  *#allItems(value: unknown): Generator<string> {
    if (!isJsonObject(value)) return yield* this.#itemsOf(value);
    for (const name of LISTS) yield* this.#itemsOf(value[name]);
    for (const [field, texts] of Object.entries(value)) {
      // A body can be a map from fields to lists of texts. Other lists may hold anything.
      const isMap = Array.isArray(texts) && texts.every((text) => typeof text === "string");
      if (isMap && !LISTS.includes(field)) yield* this.#itemsOf(texts, field);
    }
  }

  /** Yields the texts within a list, or a map from fields to texts, each with its field. */
  *#itemsOf(value: unknown, field = "", depth = 0): Generator<string> {
    if (depth > MAX_DEPTH) return;
    const text = isJsonObject(value)
      ? this.#textAt(value, [...REASONS, ...SUMMARIES])
      : this.#textOf(value);
    if (text !== undefined) {
      const name = this.#fieldOf(value) ?? field;
      // A sentence follows a colon; "is too long" follows its field.
      yield name === "" ? text : `${name}${/^\p{Lu}/u.test(text) ? ":" : ""} ${text}`;
    } else if (Array.isArray(value)) {
      const texts = value.map((item) => this.#textOf(item)).filter((item) => item !== undefined);
      if (texts.length > 0) yield* this.#itemsOf(texts.slice(0, MAX_ITEMS).join("; "), field);
      for (const item of value)
        if (typeof item === "object") yield* this.#itemsOf(item, field, depth + 1);
    } else if (isJsonObject(value)) {
      for (const [name, inner] of Object.entries(value)) {
        yield* this.#itemsOf(inner, name, depth + 1);
      }
    }
  }

  /** Returns the field that an item is about; `source` is JSON:API's. */
  #fieldOf(item: unknown): string | undefined {
    for (const part of [item, Object(item).source]) {
      for (const name of FIELDS) {
        const keys: unknown[] = [Object(part)[name]].flat();
        if (keys.length > 0 && keys.every((key) => typeof key === "number" || this.#textOf(key))) {
          return keys.join(".");
        }
      }
    }
    return undefined;
  }

  #textAt(value: unknown, names: readonly string[]): string | undefined {
    return names
      .map((name) => this.#textOf(Object(value)[name]))
      .find((text) => text !== undefined);
  }

  #textOf(value: unknown): string | undefined {
    if (typeof value !== "string" || /^\s*(<|$)/.test(value)) return undefined;
    return lettersOf(value) === this.#status ? undefined : value;
  }
}

/**
 * Returns the reason that the body of an error gives, wherever a framework or a gateway puts it. The shape of version 2's errors
 * is not documented.
 *
 * @param statusText Name of the status. It is no reason.
 */
export const reasonOf = (body: unknown, statusText = ""): string | undefined =>
  new ReasonSearch(statusText).reasonOf(body);
