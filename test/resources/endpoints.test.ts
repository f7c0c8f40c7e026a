import type { ClientEvent } from "messaging-service-client";
import { describe, expect, test } from "vitest";
import { apis, endpointIds } from "../../src/testing/handlers/router.ts";
import * as transactional from "../../src/wire/transactional.ts";
import * as v2 from "../../src/wire/v2.ts";
import { createFake, rcsFile, rcsOf, rcsText, v2Of } from "../support/fakes/fake-service.ts";

const ids = [...Object.values(v2), ...Object.values(transactional)].map(({ id }) => id).toSorted();

describe("the endpoints", () => {
  test("each have a handler in the fake", () => {
    const handled = apis.flatMap(({ handlers }) => handlers.map(({ endpoint }) => endpoint.id));
    expect(handled.toSorted()).toEqual(ids);
  });

  test("each can be named in a failure of the fake", () => {
    expect(endpointIds.toSorted()).toEqual(ids);
  });

  test("each have a method of a client that calls them", async () => {
    const service = createFake();
    const called = new Set<string>();
    const onEvent = (event: ClientEvent) => {
      if (event.type === "request") called.add(event.endpoint);
    };
    const { accounts, lists, subscribers, scheduledMessages, momtReports } = v2Of(service, {
      onEvent,
    });
    const rcs = rcsOf(service, { onEvent });
    const { id } = service.addList();
    const { phone_number } = service.addSubscriber(id);
    const report = service.addReport({ minutes: 0 });

    await accounts.me();
    await lists.list();
    await lists.retrieve(id);
    await lists.create({ name: "New" });
    await lists.configureOptIn(id, { opt_in_type: "single" });
    await subscribers.remove(id, phone_number);
    await scheduledMessages.list(id);
    await momtReports.retrieve(report.id);
    await momtReports.waitUntilFinished(report.id);
    await rcs.sendRcsText(rcsText);
    await rcs.sendRcsFile(rcsFile);

    expect([...called].toSorted()).toEqual(ids);
  });
});
