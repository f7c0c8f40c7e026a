import type { FakeService } from "messaging-service-client/testing";
import { basic, createFake } from "../fakes/fake-service.ts";
import { toPath } from "../tables/specification.ts";

/** The account that owns the lists. */
export const OWNER = {
  id: 1,
  email: "owner@example.com",
  username: "owner",
  apiKey: "key-of-owner",
};
const OTHER = { id: 2, email: "other@example.com", username: "other", apiKey: "key-of-other" };

/** Credentials as headers. */
export const credentials = {
  none: {},
  v2: { authorization: basic(OWNER) },
  v2WrongKey: { authorization: basic({ ...OWNER, apiKey: "wrong" }) },
  v2WrongEmail: { authorization: basic({ ...OWNER, email: OTHER.email }) },
  v2AsBearer: { authorization: `Bearer ${OWNER.apiKey}` },
  transactional: { "x-api-key": OWNER.apiKey },
  transactionalWrongKey: { "x-api-key": "wrong" },
} as const;

/** The phone on list 10. */
export const PHONE = "+12065550123";

/** Returns a request to an endpoint, with the ids of the world. */
export const requestTo = ({ id }: { readonly id: string }): `${string} /${string}` => {
  return toPath(id, { listId: 10, phone: PHONE, reportId: 30 }) as `${string} /${string}`;
};

/** Creates a service with known ids that allows two calls of version 2 an hour. */
export const openWorld = (): FakeService => {
  const service = createFake({ account: OWNER, rateLimit: { limit: 2 } });
  service.addAccount(OTHER);
  service.addList({ id: 10, name: "VIP", keyword_names: ["VIP"], message_help: "Call us." });
  service.addSubscriber(10, { phone_number: PHONE, carrier: 7, total_messages_received: 3 });
  service.addScheduledMessage(10, { id: 20, sent_at: "2026-01-05T17:00:00.000Z" });
  service.addScheduledMessage(10, { id: 21, sent_at: "2026-02-05T17:00:00.000Z" });
  service.addList({ id: 11, name: "Old", deleted: true });
  service.addList({ id: 12, name: "Of the other account", account_id: OTHER.id });
  service.addReport({ id: 30, total_rows: 600 });
  return service;
};

/** Returns whether the phone was removed from list 10. */
export const wasRemoved = (service: FakeService): boolean =>
  service.subscribersOf(10)[0]?.opted_out_at !== null;
