import type {
  Lists,
  RcsTextMessage,
  Transaction,
  TransactionalClient,
  V2Client,
} from "messaging-service-client";
import { memoryLedger, removeMany, sendMany, sendOnce } from "messaging-service-client/bulk";
import { describe, expectTypeOf, test } from "vitest";

/** Type of what `reactive()` and `ref()` of Vue return for an object: a mapped type, without the private fields of a class. */
type Reactive<T> = T extends (...given: never[]) => unknown
  ? T
  : T extends object
    ? { [K in keyof T]: K extends symbol ? T[K] : Reactive<T[K]> }
    : T;

declare const rcs: Reactive<TransactionalClient>;
declare const v2: Reactive<V2Client>;
declare const message: RcsTextMessage;
const ledger = memoryLedger();

describe("types of clients in reactive state", () => {
  test("a client in reactive state has the type of a client", () => {
    expectTypeOf<Reactive<TransactionalClient>>().toExtend<TransactionalClient>();
    expectTypeOf<Reactive<V2Client>>().toExtend<V2Client>();
    expectTypeOf(v2.lists).toExtend<Lists>();
    sendOnce(rcs, message, { ledger, key: "one" });
    sendMany(rcs, [message], { ledger, batch: "one" });
    removeMany(v2, ["+12065550123"], { ledger, batch: "one", listId: 17 });
    // @ts-expect-error: a client of the other API
    sendOnce(v2, message, { ledger, key: "one" });
  });

  test("methods of a client may be destructured", () => {
    const { sendRcsText } = rcs;
    expectTypeOf(sendRcsText(message)).toExtend<Promise<Transaction>>();
  });

  test("a method as the callback of map does not compile, because an index is not an options object", () => {
    // @ts-expect-error: write `(message) => rcs.sendRcsText(message)`
    [message].map(rcs.sendRcsText);
  });
});
