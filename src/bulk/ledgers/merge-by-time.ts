import { Yielder } from "../../yielder.ts";
import type { StoredEntry } from "./ledger.ts";

type Source<Entry> = Iterator<Entry> | AsyncIterator<Entry>;

/** Merges entries that are sorted by the time of their claim. There may be thousands of sources. The event loop gets its turns. */
export async function* mergeByTime<Entry extends Pick<StoredEntry, "at">>(
  sources: readonly Source<Entry>[],
): AsyncGenerator<Entry> {
  const yielder = new Yielder();
  /** The next entry of each source, the oldest at the end. */
  const heads: { readonly entry: Entry; readonly source: Source<Entry> }[] = [];
  const advance = async (source: Source<Entry>): Promise<void> => {
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
