import type {
  FakeService,
  FakeServiceEvent,
  PostWebhook,
  WebhookBody,
} from "messaging-service-client/testing";
import { describe, expect, test } from "vitest";
import { createFake, NEW_YEAR, rcsFile, rcsOf, rcsText } from "../../support/fakes/fake-service.ts";
import { PHONE } from "../../support/fakes/opt-in-lists.ts";

const body: WebhookBody = ({ transactionId }, event) => ({ transactionId, event });

const send = async (service: FakeService): Promise<string> =>
  (await rcsOf(service).sendRcsText(rcsText)).transactionId;

describe("the option webhooks", () => {
  test("the option webhooks builds the webhook of a send that was delivered, fell back or failed", async () => {
    const service = createFake({ webhooks: body });
    const ids = [await send(service)];
    service.setRcsReachable(PHONE, false);
    ids.push(await send(service));
    service.setSmsReachable(PHONE, false);
    ids.push(await send(service));
    const events = ["delivered", "fell_back", "failed"] as const;
    expect(service.webhooks).toEqual(
      events.map((event, index) => ({
        id: index + 1,
        at: NEW_YEAR,
        transactionId: ids[index],
        event,
        url: rcsText.webhookUrl,
        body: { transactionId: ids[index], event },
      })),
    );
  });

  test("the option webhooks receives the whole send", async () => {
    const service = createFake({ webhooks: (accepted) => accepted });
    await rcsOf(service).sendRcsFile(rcsFile);
    expect(service.webhooks[0]?.body).toEqual(service.sends[0]);
  });

  test("the option webhooks sends no webhook for an event without a body", async () => {
    const service = createFake({ webhooks: (_, event) => (event === "failed" ? {} : undefined) });
    await send(service);
    expect(service.webhooks).toEqual([]);
  });

  test("an error thrown by the option webhooks is recorded on the webhook, and the send is still accepted", async () => {
    const service = createFake({
      webhooks: () => {
        throw new Error("no template");
      },
    });
    expect(await send(service)).toMatch(/./);
    expect(service.webhooks).toMatchObject([{ error: "The option webhooks threw: no template" }]);
  });
});

describe("postWebhooks", () => {
  const posting = (post: PostWebhook) => {
    const service = createFake({ webhooks: body });
    const events: FakeServiceEvent[] = [];
    service.subscribe((event) => {
      if (event.type === "webhook") events.push(event);
    });
    return { service, events, stop: service.postWebhooks(post) };
  };

  test("postWebhooks passes each webhook to a function, and records the responses of the application", async () => {
    const posted: unknown[] = [];
    const { service, events } = posting(async ({ url, body: json }) => {
      posted.push([url, json]);
      return { status: 200, response: "thanks" };
    });
    const transactionId = await send(service);
    await expect.poll(() => service.webhooks).toMatchObject([{ status: 200, response: "thanks" }]);
    expect(posted).toEqual([[rcsText.webhookUrl, { transactionId, event: "delivered" }]]);
    expect(events.map(({ type, ...event }) => [type, event])).toMatchObject([
      ["webhook", { webhook: { id: 1 } }],
      ["webhook", { webhook: { id: 1, status: 200 } }],
    ]);
  });

  test.each([
    [
      "throws",
      (() => {
        throw new Error("down");
      }) as PostWebhook,
    ],
    ["rejects", () => Promise.reject(new Error("down"))],
  ])("postWebhooks records why a webhook was not posted if the function %s", async (_, post) => {
    const { service } = posting(post);
    await send(service);
    await expect.poll(() => service.webhooks).toMatchObject([{ error: "down" }]);
  });

  test("postWebhooks changes no webhook after a reset when the response to an older webhook arrives", async () => {
    const answers: ((outcome: Awaited<ReturnType<PostWebhook>>) => void)[] = [];
    const { service, events } = posting(() => new Promise((resolve) => answers.push(resolve)));
    await send(service);
    service.reset();
    await send(service);
    answers[0]?.({ status: 500 });
    answers[1]?.({ status: 200 });
    await expect.poll(() => events).toHaveLength(3);
    expect(events.at(-1)).toMatchObject({ webhook: { id: 1, status: 200 } });
  });

  test("postWebhooks posts each webhook once, even with several functions", async () => {
    const calls: string[] = [];
    const { service, stop } = posting(() => {
      calls.push("first");
      return { status: 200 };
    });
    service.postWebhooks(() => {
      calls.push("second");
      return { status: 200 };
    });
    await send(service);
    stop();
    await send(service);
    await expect.poll(() => calls).toEqual(["first", "second"]);
  });
});
