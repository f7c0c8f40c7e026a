// The inbox in Firefox and WebKit. The other files test it in Chromium.

import type { FakeService } from "messaging-service-client/testing";
import { listen } from "messaging-service-client/testing/node";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { firefox, type Tab, webkit } from "../../support/browsers/index.ts";
import { userOf } from "../../support/browsers/user.ts";
import { createFake, rcsOf, rcsText } from "../../support/fakes/fake-service.ts";
import { createScene, GUEST, newsList } from "../../support/fakes/inbox-scene.ts";
import { newPort } from "../../support/servers/new-port.ts";
import { TIMEOUT_MS } from "./open-inbox.ts";

for (const { name, missing, launch } of [firefox, webkit]) {
  if (missing) console.warn(`SKIPPED: the inbox in ${name}, for ${missing}`);
  describe.skipIf(missing)(`the inbox in ${name}`, { timeout: TIMEOUT_MS }, () => {
    let tab: Tab;
    let port: number;
    beforeAll(async () => {
      // WebKit starts a process for each origin.
      port = await newPort();
      tab = await launch();
    }, TIMEOUT_MS);
    afterAll(() => tab.close());

    /** Opens the inbox of a service at a fragment. The test fails if the page logs anything. */
    const openInbox = async (service: FakeService, fragment = "") => {
      const server = await listen(service, { inbox: true, port });
      onTestFinished(async () => {
        const log = await tab.log();
        await server.close();
        expect(log).toEqual([]);
      });
      await tab.open(`${server.inboxUrl}${fragment}`);
      const user = userOf(tab);
      await user.sees("Live");
      return user;
    };
    const htmlOf = (selector: string) =>
      tab.evaluate((all) => [...document.querySelectorAll(all)].map((e) => e.innerHTML), selector);

    test("the inbox shows a send by itself, formatted, with its details", async () => {
      const service = createFake();
      const user = await openInbox(service);
      await user.sees("Waiting for the first message");
      const rcsPayload = { text: "*Bold* _italic_ __underline__ ~gone~ 2*3*4 👋" };
      const { transactionId } = await rcsOf(service).sendRcsText({ ...rcsText, rcsPayload });
      await user.clicks("(206) 555-0123");
      await user.sees("Bold italic underline gone 2*3*4 👋");
      expect(await htmlOf(".bubble :is(strong, em, u, s)")).toEqual([
        "Bold",
        "italic",
        "underline",
        "gone",
      ]);
      await user.clicks("send_rcs_text");
      await user.sees(transactionId);
    });

    test("the inbox shows texts that look like HTML, and does not run them", async () => {
      const html = "<img src=x onerror=alert(1)><script>alert(2)</script><b>bold</b>";
      const service = createFake();
      service.receiveText({ from: GUEST, text: html });
      const user = await openInbox(service, `#/conversations/${GUEST}`);
      await user.sees(html);
      expect(await htmlOf("main :is(img, script, b)")).toEqual([]);
    });

    test("the inbox can text as a new phone, and complete a double opt-in", async () => {
      const service = createFake();
      service.addList(newsList);
      const user = await openInbox(service);
      await user.clicks("New phone");
      await user.enters("(206) 555-0123", "Phone number");
      await user.clicks("Open conversation");
      const field = "Text from (206) 555-0123";
      for (const [text, reply] of [
        ["news", "Reply YES to get our news."],
        ["yes", "What is your ZIP code?"],
        ["98101", "You are in!"],
      ] as const) {
        await user.enters(text, field);
        await user.clicks("Send text");
        await user.sees(reply);
      }
      await user.clicks("Lists");
      await user.sees("News");
      expect(service.lists[0]?.counts.subscribers).toBe(1);
    });

    test("the inbox switches RCS off, moves the clock and searches", async () => {
      const service = createScene();
      const user = await openInbox(service, `#/conversations/${GUEST}`);
      await user.clicks("RCS reaches this phone");
      const phone = () => service.phones.find(({ phoneNumber }) => phoneNumber === GUEST);
      await expect.poll(() => phone()?.rcsReachable).toBe(false);
      const before = service.now.getTime();
      await user.clicks("+1 hour");
      await expect.poll(() => service.now.getTime() - before).toBe(3_600_000);
      await user.enters("nothing of the kind", "Search conversations");
      await user.sees("No conversation matches.");
    });

    test("the keyboard alone can skip to the content of the inbox, and open and leave its dialog", async () => {
      await openInbox(createFake());
      const focused = () =>
        tab.evaluate(() => {
          const { activeElement: element } = document;
          const shown = element?.getAttribute("aria-label") ?? element?.textContent;
          return `${element?.localName}: ${shown} ${element && getComputedStyle(element).outlineStyle}`;
        }, null);
      const tabTo = async (name: string) => {
        for (let presses = 0; presses < 20 && !(await focused()).startsWith(name); presses += 1) {
          await tab.press("Tab");
        }
        expect(await focused()).toBe(`${name} solid`);
      };
      await tabTo("a: Skip to content");
      await tab.press("Enter");
      expect(await focused()).toMatch(/^main: /);
      await tabTo("button: New phone");
      await tab.press("Enter");
      await expect.poll(focused).toMatch(/^input: /);
      await tab.press("Escape");
      await expect.poll(focused).toBe("button: New phone solid");
    });

    test("no part of the inbox is wider than the window, and a reset empties it", async () => {
      const service = createScene();
      const user = await openInbox(service);
      for (const part of ["Lists", "Faults", "Requests", "Webhooks", "Conversations"]) {
        await user.clicks(part);
        const excess = await tab.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          return scrollWidth - clientWidth;
        }, null);
        expect(excess, part).toBe(0);
      }
      service.reset();
      await user.sees("Waiting for the first message");
    });
  });
}
