import type { ClaimGuard } from "../item/claim-guard.ts";

/** An item that was read and has no result yet. */
export class UnderWay<Item> {
  readonly item: Item;
  readonly controller = new AbortController();
  /** Key of the item, once it is known. */
  key: string | undefined;
  /** Guard of its current call; absent between two calls. */
  guard: ClaimGuard | undefined;
  /** Resolves when the item has ended. */
  end = Promise.resolve();
  /** Ends the wait for the turn. */
  begin = (_mayStart: boolean): void => {};
  /** Resolves to whether the item may be sent, when its turn comes or the run is stopped. */
  readonly turn = new Promise<boolean>((resolve) => {
    this.begin = resolve;
  });

  constructor(item: Item) {
    this.item = item;
  }
}
