import type { FakeService } from "messaging-service-client/testing";
import { expect, test } from "vitest";
import {
  type OptInState,
  type OptInTransition,
  optInTransitions,
} from "../../../src/testing/fake/opt-in-transitions.ts";
import { v2Of } from "../../support/fakes/fake-service.ts";
import {
  causesOf,
  isSubscribed,
  openList,
  PHONE,
  texting,
} from "../../support/fakes/opt-in-lists.ts";
import { scenarios } from "./scenarios.ts";

const keyOf = ({ from, on, when }: Pick<OptInTransition, "from" | "on" | "when">): string =>
  `${from}, ${on} ${when ?? ""}`.trim();

const named = scenarios.map((scenario) => [keyOf(scenario), scenario] as const);

/** Determines the state of a phone from the reply to a meaningless text. */
const probe = (service: FakeService, listId: number): { state: OptInState; waiting?: string } => {
  const [reply] = service.receiveText({ from: PHONE, text: "#", list_id: listId });
  if (reply?.cause === "retry_message") return { state: "asked", waiting: reply.text ?? "" };
  return { state: isSubscribed(service, listId) ? "subscribed" : "not_subscribed" };
};

test("every row of the opt-in machine has a scenario, and every scenario a row", () => {
  expect(scenarios.map(keyOf).toSorted()).toEqual(optInTransitions.map(keyOf).toSorted());
});

test.each(named)("the fake follows the row of the opt-in machine: %s", async (_, scenario) => {
  const { list, texts, event, replies, from, to, waiting } = scenario;
  const { service, id } = openList(list);
  texting(service)(...texts);
  // The probe itself is a text, so it needs a separate fake.
  const begun = openList(list);
  begun.text(...texts);
  expect(probe(begun.service, begun.id).state).toBe(from);
  const before = service.outbox.length;

  if (event === "DELETE") await v2Of(service).subscribers.remove(id, PHONE);
  else if (typeof event === "string") service.receiveText({ from: PHONE, text: event });
  else service.advance(event);

  expect(causesOf(service.outbox.slice(before))).toEqual(replies);
  expect(probe(service, id)).toEqual(
    waiting === undefined ? { state: to } : { state: to, waiting },
  );

  // The scenario matches the table from which the diagrams of the docs are drawn.
  const row = optInTransitions.find((known) => keyOf(known) === keyOf(scenario));
  expect(row).toMatchObject({ from, to });
  const confirmation = /_optin_message$|opt_in_message$/;
  expect(replies.map((cause) => (confirmation.test(cause) ? "confirmation" : cause))).toEqual(
    row?.message === undefined ? [] : [row.message],
  );
});
