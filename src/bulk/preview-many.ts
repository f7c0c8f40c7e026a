import type { ValidationIssue } from "../errors.ts";
import { assertBoolean, assertFunction, assertObject, optionOr } from "../options.ts";
import { analyzeGsm7 } from "../rules/gsm7/gsm7.ts";
import { askLedger } from "./item/ask-ledger.ts";
import type { PreparedMessage, RcsMessage } from "./item/message-task.ts";
import type { LedgerEntry } from "./ledger.ts";
import { toClaimResult } from "./ledger.ts";
import { assertItems, type Items } from "./run/input.ts";
import type { InvalidItem } from "./run/run-loop.ts";
import { type RunOptions, toDesk } from "./run/run-options.ts";
import { prepareItem, type ToMessage, type WithToMessage } from "./send-many.ts";

/** Options of `previewMany`: those of the run to preview. Without `batch` and `ledger`, earlier runs are not considered. */
export interface PreviewManyOptions<Item>
  extends Partial<
    Pick<RunOptions<Item>, "batch" | "ledger" | "keyOf" | "skip" | "validateRequests">
  > {
  /** Function that makes the message of an item. Default: the item is the message. */
  readonly toMessage?: ToMessage<Item> | undefined;
}

/** An item that breaks a rule. */
export interface InvalidRow {
  /** Position in the input, starting at 0. */
  readonly index: number;
  /** Key of the item, if it has one. */
  readonly key?: string;
  /** One issue for each rule that the item breaks. */
  readonly errors: readonly ValidationIssue[];
}

/** An item with the key of an earlier item of the same input. */
export interface DuplicateRow {
  /** Position in the input, starting at 0. */
  readonly index: number;
  /** Key that the two items share. */
  readonly key: string;
}

/** Size of the SMS fallbacks of a batch, if every message fell back. */
export interface FallbackSize {
  /** Total number of SMS segments. */
  readonly segments: number;
  /** Length of the longest text in septets. */
  readonly longest: number;
  /** Number of messages that take more than one segment. */
  readonly several: number;
}

/** Preview of a run: what it would do with the same items. */
export interface Preview {
  /** Number of items of the input. */
  readonly items: number;
  /** Number of items that would be sent. */
  readonly sendable: number;
  /** Items that break a rule. */
  readonly invalid: readonly InvalidRow[];
  /** Items whose key an earlier item of the same input has already. */
  readonly duplicates: readonly DuplicateRow[];
  /** Number of items that an earlier run sent. */
  readonly acceptedBefore: number;
  /** Number of items that the service refused in an earlier run, with this exact content. */
  readonly rejectedBefore: number;
  /** Number of items whose key was used in this batch for another message. */
  readonly changed: number;
  /** Number of items in doubt: an earlier or concurrent run began them, and their result is not known. */
  readonly inDoubt: number;
  /** Number of items that `skip` leaves out now. */
  readonly excluded: number;
  /** Size of the SMS fallbacks of the items that would be sent. */
  readonly fallback: FallbackSize;
}

/** Number of items that are prepared and looked up at the same time. */
const CHUNK = 64;

/** An item with its key, its issues and its entry in the ledger. */
interface LookedUp {
  readonly prepared: PreparedMessage | InvalidItem;
  readonly entry?: LedgerEntry | undefined;
  /** Whether `skip` leaves the item out. */
  readonly isOut?: boolean;
}

/** Counts what a run would do with each item, in the order of the input. */
class PreviewTally {
  readonly invalid: InvalidRow[] = [];
  readonly duplicates: DuplicateRow[] = [];
  items = 0;
  sendable = 0;
  acceptedBefore = 0;
  rejectedBefore = 0;
  changed = 0;
  inDoubt = 0;
  excluded = 0;
  fallback = { segments: 0, longest: 0, several: 0 };
  readonly #sent = new Set<string>();

  add({ prepared, entry, isOut }: LookedUp) {
    const index = this.items;
    this.items += 1;
    if ("error" in prepared) {
      const key = prepared.key === undefined ? {} : { key: prepared.key };
      this.invalid.push({ index, ...key, errors: prepared.error.errors });
      return;
    }
    const { key, digest, ref, body } = prepared;
    // A preview has no run, so every entry that it finds belongs to another one.
    const verdict = this.#sent.has(key)
      ? "duplicate"
      : toClaimResult(entry, { digest, ref, owner: "" });
    if (verdict === "duplicate") this.duplicates.push({ index, key });
    else if (verdict === "accepted_before") this.acceptedBefore += 1;
    else if (verdict === "rejected_before") this.rejectedBefore += 1;
    else if (verdict === "changed") this.changed += 1;
    else if (verdict === "in_doubt") this.inDoubt += 1;
    else if (isOut) this.excluded += 1;
    else this.#addSendable(key, body.smsFailover);
  }

  #addSendable(key: string, smsFailover: string) {
    this.#sent.add(key);
    this.sendable += 1;
    const { septets, segments } = analyzeGsm7(String(smsFailover));
    this.fallback.segments += segments;
    this.fallback.longest = Math.max(this.fallback.longest, septets);
    if (segments > 1) this.fallback.several += 1;
  }
}

/** Reads an input in chunks. */
async function* chunksOf<Item>(items: Items<Item>): AsyncGenerator<Item[]> {
  let chunk: Item[] = [];
  for await (const item of items) {
    chunk.push(item);
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  yield chunk;
}

/**
 * Counts what a run of the same items would do, by the same rules, keys and ledger. It sends nothing and records
 * nothing.
 *
 * @throws TypeError that names an invalid option.
 * @throws {@link LedgerError} if the ledger fails.
 * @throws whatever the input or a callback throws.
 * @example
 * const { sendable, invalid, fallback } = await previewMany(messages, { batch: "reminders 2026-11-21", ledger });
 */
export function previewMany<Item extends RcsMessage>(
  items: Items<Item>,
  options?: PreviewManyOptions<Item>,
): Promise<Preview>;
export function previewMany<Item>(
  items: Items<Item>,
  options: WithToMessage<Item, PreviewManyOptions<Item>>,
): Promise<Preview>;
export async function previewMany<Item>(
  items: Items<Item>,
  options: PreviewManyOptions<Item> = {},
): Promise<Preview> {
  const { batch, ledger, toMessage, keyOf, skip, validateRequests } = assertObject(
    "options",
    options,
  );
  assertItems("items", items);
  const desk =
    batch === undefined && ledger === undefined
      ? undefined
      : toDesk({ batch, ledger } as Required<Pick<RunOptions<Item>, "batch" | "ledger">>);
  const preparation = {
    toMessage: optionOr("toMessage", toMessage, undefined, assertFunction),
    keyOf: optionOr("keyOf", keyOf, undefined, assertFunction),
    validate: optionOr("validateRequests", validateRequests, true, assertBoolean),
  };
  const askSkip = optionOr("skip", skip, undefined, assertFunction);

  const look = async (item: Item) => {
    const prepared = await prepareItem(item, preparation);
    if ("error" in prepared) return { prepared };
    const entry = await askLedger(async () => desk?.ledger.find(desk.batch, prepared.key));
    return { prepared, entry: entry ?? undefined, isOut: Boolean(await askSkip?.(item)) };
  };
  const tally = new PreviewTally();
  for await (const chunk of chunksOf(items)) {
    for (const looked of await Promise.all(chunk.map(look))) tally.add(looked);
  }
  return { ...tally };
}
