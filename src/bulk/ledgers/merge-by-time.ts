import { Yielder } from "../../yielder.ts";
import type { LedgerEntry } from "./ledger.ts";

type Source = Iterator<LedgerEntry> | AsyncIterator<LedgerEntry>;

/** Merges entries that are sorted by the time of their claim. There may be thousands of sources. The event loop gets its turns. */
export async function* mergeByTime(sources: readonly Source[]): AsyncGenerator<LedgerEntry> {
  const yielder = new Yielder();
  /** The next entry of each source, the oldest at the end. */
  const heads: { readonly entry: LedgerEntry; readonly source: Source }[] = [];
  const advance = async (source: Source): Promise<void> => {
    if (yielder.shouldYield()) await yielder.yield();
    const { value: entry, done } = await source.next();
    if (done) return;
    let [low, high] = [0, heads.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((heads[middle]?.entry.at ?? "") > entry.at) low = middle + 1;
      else high = middle;
    }
    heads.splice(low, 0, { entry, source });
  };
  for (const source of sources) await advance(source);
  for (let head = heads.pop(); head; head = heads.pop()) {
    yield head.entry;
    await advance(head.source);
  }
}
