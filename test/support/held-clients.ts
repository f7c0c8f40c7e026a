// Every call of both clients, made with whatever a caller has in place of the client, such as a proxy.
import { memoryLedger, removeMany, sendMany, sendOnce } from "messaging-service-client/bulk";
import { createFake, rcsOf, rcsText, v2Of } from "./fakes/fake-service.ts";
import { type CallWorld, ENDPOINTS, type Specified } from "./tables/specification.ts";

/** Opens a fake service with data, and both of its clients. */
export const openHeld = () => {
  const service = createFake();
  const { id: listId } = service.addList();
  const { phone_number: phone } = service.addSubscriber(listId);
  service.addScheduledMessage(listId);
  const reportId = service.addReport({ minutes: 0 }).id;
  const held: CallWorld = { v2: v2Of(service), rcs: rcsOf(service), listId, phone, reportId };
  return { service, held };
};

const proxies = new WeakMap<object, object>();
/** Returns proxies of an object and of everything that is read from it, as reactive state does. */
export const deepProxyOf = <T>(target: T): T => {
  if (typeof target !== "object" || target === null || target instanceof Promise) return target;
  const proxy =
    proxies.get(target) ??
    new Proxy(target, { get: (...read) => deepProxyOf(Reflect.get(...read)) });
  proxies.set(target, proxy);
  return proxy as T;
};

const report = { interval: 1 };

/** Calls of every method as `client.method(…)`, and of durable sends with the client. */
export const HELD_CALLS: Readonly<Record<string, (held: CallWorld) => PromiseLike<unknown>>> = {
  ...Object.fromEntries(
    Object.entries<Specified>(ENDPOINTS).map(([name, { calls }]) => [name, calls[0]]),
  ),
  "lists.list().pages": async ({ v2 }) => {
    for await (const page of v2.lists.list().pages()) return page;
    return undefined;
  },
  "lists.list().toArray": ({ v2 }) => v2.lists.list().toArray(),
  "momtReports.waitUntilFinished": ({ v2, reportId }) =>
    v2.momtReports.waitUntilFinished(reportId, report),
  "v2.request": ({ v2 }) => v2.request({ method: "GET", path: "/api/v2/lists" }),
  "v2.throttle": async ({ v2 }) => v2.throttle?.snapshot?.(),
  "rcs.request": ({ rcs }) =>
    rcs.request({ method: "POST", path: "/transactional_messages/send_rcs_text", json: rcsText }),
  sendOnce: ({ rcs }) => sendOnce(rcs, rcsText, { ledger: memoryLedger(), key: "one" }),
  sendMany: ({ rcs }) => sendMany(rcs, [rcsText], { ledger: memoryLedger(), batch: "one" }),
  removeMany: ({ v2, listId, phone }) =>
    removeMany(v2, [phone], { listId, ledger: memoryLedger(), batch: "one" }),
};
