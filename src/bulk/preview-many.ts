import type { ValidationIssue } from "../errors/validation-issue.ts";
import { assertBoolean, assertFunction, assertObject, optionOr } from "../options/assertions.ts";
import { analyzeGsm7 } from "../rules/gsm7.ts";
import { askLedger } from "./item/ask-ledger.ts";
import type { PreparedMessage, RcsMessage } from "./item/message-task.ts";
import type { LedgerEntry } from "./ledger.ts";
import { assertItems, type Items } from "./run/input.ts";
import type { InvalidItem } from "./run/run-loop.ts";
import { type RunOptions, toDesk } from "./run/run-options.ts";
import { prepareItem, type ToMessage, type WithToMessage } from "./send-many.ts";
import { toVerdict } from "./transitions.ts";

/** Options of `previewMany`: those of the run that it foretells. Without `batch` and `ledger`, no earlier run counts. */
export interface PreviewManyOptions<Item>
  extends Partial<
    Pick<RunOptions<Item>, "batch" | "ledger" | "keyOf" | "skip" | "validateRequests">
  > {
  /** Makes the message of an item. Default: the item is the message. */
  readonly toMessage?: ToMessage<Item> | undefined;
}

/** An item that breaks a rule. */
export interface InvalidRow {
  /** Position in the input, from 0. */
  readonly index: number;
  /** Its key, where it has one. */
  readonly key?: string;
  /** Every rule that it breaks. */
  readonly errors: readonly ValidationIssue[];
}

/** An item whose key an earlier item of the same input has. */
export interface DuplicateRow {
  /** Position in the input, from 0. */
  readonly index: number;
  /** The key that they share. */
  readonly key: string;
}

/** What the SMS fallbacks of a batch come to, if every message fell back. */
export interface FallbackSize {
  /** SMS segments in all. */
  readonly segments: number;
  /** Length of the longest text in septets. */
  readonly longest: number;
  /** Messages that take more than one segment. */
  readonly several: number;
}

/** What a run of the same items would do. */
export interface Preview {
  /** Items of the input. */
  readonly items: number;
  /** Items that would be sent. */
  readonly sendable: number;
  /** Items that break a rule. */
  readonly invalid: readonly InvalidRow[];
  /** Items whose key would be sent by an earlier item of the same input. */
  readonly duplicates: readonly DuplicateRow[];
  /** Items that an earlier run has sent. */
  readonly acceptedBefore: number;
  /** Items that the service has refused in an earlier run, with this very content. */
  readonly rejectedBefore: number;
  /** Items whose key was used in this batch for another message. */
  readonly changed: number;
  /** Items that an earlier or another run began, and whose end is not known. */
  readonly inDoubt: number;
  /** Items that `skip` leaves out now. */
  readonly excluded: number;
  /** The SMS fallbacks of the items that would be sent. */
  readonly fallback: FallbackSize;
}

/** Items that are prepared and looked up at the same time. */
const CHUNK = 64;

/** An item with what is known of it. */
interface LookedUp {
  readonly prepared: PreparedMessage | InvalidItem;
  readonly entry?: LedgerEntry | undefined;
  /** Whether `skip` leaves it out. */
  readonly isOut?: boolean;
}

/** Counts what becomes of each item, in the order of the input. */
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
    // No entry that a preview finds is of this run.
    const verdict = this.#sent.has(key)
      ? "duplicate"
      : toVerdict(entry, { digest, ref, owner: "" });
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
 * Counts what a run of the same items would do: by the same rules, the same keys and the same ledger. Sends nothing and
 * records nothing.
 *
 * @throws TypeError that names an option that is misused, {@link LedgerError} where the ledger fails, and what the input or a callback throws.
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
