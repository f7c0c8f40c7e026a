// Operates the inbox in Chromium through its labels.
import type { Route } from "playwright";
import { describe, expect } from "vitest";
import { CHROMIUM, hasChromium } from "../../support/chromium.ts";
import { createFake, rcsFile, rcsOf, rcsText } from "../../support/fakes/fake-service.ts";
import { createScene, DINER, GUEST, newsList, READER } from "../../support/fakes/inbox-scene.ts";
import { TIMEOUT_MS, test } from "./open-inbox.ts";

if (!hasChromium) console.warn(`SKIPPED: the inbox in a browser, for there is no ${CHROMIUM}`);

describe.runIf(hasChromium)("the inbox", { timeout: TIMEOUT_MS }, () => {
  test("the inbox shows a send by itself, formatted, with its channel, cause and transaction id", async ({
    page,
    openInbox,
  }) => {
    const service = createFake();
    const problems = await openInbox(service);
    await page.getByRole("heading", { name: "Waiting for the first message" }).waitFor();
    const text = "*Bold* _italic_ __underline__ ~gone~ 2*3*4";
    const { transactionId } = await rcsOf(service).sendRcsText({
      ...rcsText,
      rcsPayload: { text },
    });
    await page.getByRole("link", { name: /\(206\) 555-0123/ }).click();
    const message = page.getByRole("log", { name: "Messages" }).locator(".message");
    await message.waitFor();
    for (const [tag, content] of [
      ["strong", "Bold"],
      ["em", "italic"],
      ["u", "underline"],
      ["s", "gone"],
    ] as const) {
      expect(await message.locator(tag).textContent()).toBe(content);
    }
    expect(await message.textContent()).toContain("2*3*4");
    const meta = message.locator("summary");
    expect(await meta.textContent()).toMatch(/RCS.*send_rcs_text.*00:00/);
    await meta.click();
    await message.getByText(transactionId).waitFor();
    await message.getByText(text).waitFor();
    expect(problems).toEqual([]);
  });

  test("the inbox shows that RCS failed, and the length of the fallback SMS", async ({
    page,
    openInbox,
  }) => {
    const service = createScene();
    await openInbox(service, `#/conversations/${DINER}`);
    const message = page.locator(".message");
    await message.getByText("sent because RCS failed").waitFor();
    expect(await message.textContent()).toMatch(/SMS.*1 segment · 51 septets/);
    await message.locator("summary").click();
    await message.getByText("Your *table* is _ready_ ✓").waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Webhooks" }).click();
    const webhook = page.getByRole("listitem").filter({ hasText: "fell_back" }).first();
    await webhook.getByText("200", { exact: true }).waitFor();
  });

  test("the inbox shows a file as a link with its type, which opens in a new tab", async ({
    page,
    openInbox,
  }) => {
    const service = createFake();
    await rcsOf(service).sendRcsFile(rcsFile);
    await openInbox(service, `#/conversations/${GUEST}`);
    const link = page.getByRole("link", { name: "menu.pdf application/pdf" });
    expect(await link.getAttribute("href")).toBe("https://example.com/menu.pdf");
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
  });

  test("the inbox shows the text of a scheduled message with an attachment", async ({
    page,
    openInbox,
  }) => {
    const service = createFake();
    const { id } = service.addList();
    service.addSubscriber(id, { phone_number: GUEST });
    const attachment = "https://example.com/menu.png";
    service.addScheduledMessage(id, { content: "Our new menu", attachment });
    service.advance({ days: 1 });
    await openInbox(service, `#/conversations/${GUEST}`);
    await page.locator(".bubble").getByText("Our new menu").waitFor();
    await page.getByRole("link", { name: "menu.png image/png" }).waitFor();
  });

  test("the inbox shows texts that look like HTML, and does not run them", async ({
    page,
    openInbox,
  }) => {
    const html = "<img src=x onerror=alert(1)><script>alert(2)</script><b>bold</b>";
    const service = createFake();
    service.addList({ name: html, keyword_names: [html.toUpperCase().slice(0, 40)] });
    service.addList({ keyword_names: ["GO"], first_optin_message: html });
    service.receiveText({ from: GUEST, text: "go" });
    service.receiveText({ from: GUEST, text: html });
    const rcsPayload = { text: `*${html}*` };
    await rcsOf(service).sendRcsText({ ...rcsText, rcsPayload });
    await service.fetch(`${service.v2BaseUrl}/api/v2/${encodeURIComponent(html)}?q=${html}`);
    const problems = await openInbox(service, `#/conversations/${GUEST}`);
    await expect.poll(() => page.locator(".bubble").allTextContents()).toHaveLength(4);
    expect(await page.locator(".bubble").allTextContents()).toEqual(["go", html, html, html]);
    for (const tab of ["Lists", "Requests", "Conversations"]) {
      await page.getByRole("navigation").getByRole("link", { name: tab }).click();
    }
    expect(await page.locator("main :is(img, script, b)").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test("the inbox can text as a new phone, and complete a double opt-in", async ({
    page,
    openInbox,
  }) => {
    const service = createFake();
    service.addList(newsList);
    const problems = await openInbox(service);
    await page.getByRole("button", { name: "New phone" }).click();
    const dialog = page.getByRole("dialog", { name: "New phone" });
    await dialog.getByLabel("Phone number").fill("555");
    await dialog.getByRole("button", { name: "Open conversation" }).click();
    await dialog
      .getByRole("alert")
      .getByText(/must be a valid/)
      .waitFor();
    await dialog.getByLabel("Phone number").fill("(206) 555-0123");
    await dialog.getByRole("button", { name: "Open conversation" }).click();
    const field = page.getByLabel("Text from (206) 555-0123");
    const say = async (text: string, reply: string): Promise<void> => {
      await field.fill(text);
      await page.getByRole("button", { name: "Send text" }).click();
      await page.locator(".bubble").getByText(reply).last().waitFor();
    };
    await say("news", "Reply YES to get our news.");
    await page.getByText("News: step 1 of 2, reminder in 1 day").waitFor();
    await page.getByRole("button", { name: "Until the next reminder" }).click();
    await page.locator(".bubble").getByText("Still interested? Reply YES.").waitFor();
    await say("YES", "What is your ZIP code?");
    await page.getByText("News: step 2 of 2").waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Lists" }).click();
    await page.getByText("(206) 555-0123 step 2 of 2").waitFor();
    await page.getByRole("link", { name: "(206) 555-0123" }).click();
    await say("98101", "You are in!");
    await page.getByText("News: subscribed").waitFor();
    expect(service.lists[0]?.counts.subscribers).toBe(1);
    // The browser itself logs the 400 for the invalid phone number.
    expect(problems).toEqual([expect.stringContaining("400")]);
  });

  test("the inbox has switches that set whether RCS and SMS reach the phone", async ({
    page,
    openInbox,
  }) => {
    const service = createScene();
    await openInbox(service, `#/conversations/${GUEST}`);
    const rcs = page.getByRole("switch", { name: "RCS reaches this phone" });
    await expect.poll(() => rcs.isChecked()).toBe(true);
    await rcs.click();
    await page.getByRole("switch", { name: "SMS reaches this phone" }).click();
    const phone = () => service.phones.find(({ phoneNumber }) => phoneNumber === GUEST);
    await expect.poll(phone).toMatchObject({ rcsReachable: false, smsReachable: false });
  });

  test("the inbox search finds a conversation by its number and by its texts", async ({
    page,
    openInbox,
  }) => {
    await openInbox(createScene());
    const found = () => page.getByRole("list", { name: "Conversations" }).locator("strong");
    const search = page.getByLabel("Search conversations");
    await expect.poll(() => found().allTextContents()).toHaveLength(3);
    await search.fill("555-0142");
    await expect.poll(() => found().allTextContents()).toEqual(["(416) 555-0142"]);
    await search.fill("within 15 minutes");
    await expect.poll(() => found().allTextContents()).toEqual(["(702) 555-0188"]);
    await search.fill("within 20 15 minutes");
    await expect.poll(() => found().allTextContents()).toEqual(["(206) 555-0123"]);
    await search.fill("nothing of the kind");
    await page.getByText("No conversation matches.").waitFor();
  });

  test("the inbox lists the newest conversation first, each with its last text", async ({
    page,
    openInbox,
  }) => {
    const service = createScene();
    await openInbox(service);
    const first = page.getByRole("list", { name: "Conversations" }).getByRole("link").first();
    await expect.poll(() => first.textContent()).toContain("(206) 555-0123");
    service.receiveText({ from: READER, text: "yes" });
    await expect.poll(() => first.textContent()).toContain("What is your ZIP code?");
    const preview = first.locator(".preview");
    service.clearFailures();
    const rcsPayload = { text: "*Bold* and __underlined__" };
    await rcsOf(service).sendRcsText({ ...rcsText, rcsPayload });
    await expect.poll(() => preview.textContent()).toBe("Bold and underlined");
    expect(await preview.locator("strong").textContent()).toBe("Bold");
    await rcsOf(service).sendRcsFile(rcsFile);
    await expect.poll(() => preview.textContent()).toBe("https://example.com/menu.pdf");
  });

  test("the inbox moves the clock by an hour, by a day, and to the next reminder", async ({
    page,
    openInbox,
  }) => {
    const service = createScene();
    await openInbox(service);
    const before = service.now.getTime();
    const hours = () => (service.now.getTime() - before) / 3_600_000;
    await page.getByRole("button", { name: "+1 hour" }).click();
    await expect.poll(hours).toBe(1);
    await page.getByText("Fri, Nov 20, 18:50 UTC").waitFor();
    await page.getByRole("button", { name: "Until the next reminder" }).click();
    await page.getByText("Sat, Nov 21, 17:00 UTC").waitFor();
    await page.getByRole("button", { name: "+1 day" }).click();
    await page.getByText("Sun, Nov 22, 17:00 UTC").waitFor();
    expect(await page.getByRole("button", { name: "Until the next reminder" }).isDisabled()).toBe(
      true,
    );
  });

  test("the inbox shows a fault that is chosen and armed, and disarms it", async ({
    page,
    openInbox,
  }) => {
    const service = createFake();
    await openInbox(service, "#/faults");
    await page.getByText("Nothing is armed").waitFor();
    await page.getByLabel("Requests to").selectOption("GET /api/v2/lists");
    await page.getByLabel("What happens").selectOption("slow");
    await page.getByLabel("Delay in milliseconds").fill("250");
    await page.getByLabel("How many requests").fill("0");
    await page.getByRole("button", { name: "Arm", exact: true }).click();
    await page.locator("#times-problem").getByText("must be").waitFor();
    await page.getByLabel("How many requests").fill("3");
    await page.getByLabel("Only this phone number").fill("206-555-0123");
    await page.getByLabel("Share in percent").fill("50");
    await page.getByRole("button", { name: "Arm", exact: true }).click();
    const armed = page.getByRole("list", { name: "Armed faults" });
    await armed.getByText("3 more requests · only (206) 555-0123").waitFor();
    expect(service.failures).toMatchObject([
      { fault: "slow", delayMs: 250, endpoint: "GET /api/v2/lists", timesLeft: 3, share: 0.5 },
    ]);
    await page.getByLabel("What happens").selectOption("responds with an error status");
    await page.getByLabel("Status", { exact: true }).selectOption("429");
    await page.getByRole("button", { name: "Arm", exact: true }).click();
    await armed.getByText("429").waitFor();
    await armed.getByRole("button", { name: "Disarm slow" }).click();
    await expect.poll(() => service.failures.map(({ status }) => status)).toEqual([429]);
    await page.getByRole("button", { name: "Disarm all" }).click();
    await page.getByText("Nothing is armed").waitFor();
    expect(service.failures).toEqual([]);
  });

  test("the inbox shows requests with path, status, errors by field, and the body on demand, without credentials", async ({
    page,
    openInbox,
  }) => {
    const service = createScene();
    await openInbox(service, "#/requests");
    const list = page.getByRole("list", { name: "Requests" });
    const refused = list.locator(".request", { hasText: "400" });
    await refused.getByText("/transactional_messages/send_rcs_text").waitFor();
    const errors = refused.getByRole("list", { name: "Validation errors" });
    expect(await errors.getByRole("listitem").allTextContents()).toEqual([
      expect.stringContaining("phoneNumber"),
      expect.stringContaining("smsFailover"),
    ]);
    await refused.locator("summary").click();
    await refused.getByRole("group", { name: "Body" }).getByText("“Ready”").waitFor();
    await expect.poll(() => page.content()).not.toContain(service.account.apiKey);
    expect(await refused.getByRole("group", { name: "Headers" }).textContent()).toContain(
      "[redacted]",
    );
    expect(await list.locator("summary").first().textContent()).toMatch(
      /GET.*\/api\/v2\/lists\/\d+.*404/,
    );
    await list.locator("summary").first().click();
    const endpoint = list.getByRole("group", { name: "Endpoint" }).first();
    await endpoint.getByText("GET /api/v2/lists/{ID}", { exact: true }).waitFor();
    await list.getByText("armed: status").waitFor();
  });

  test("the inbox keeps an opened request open and focused while new requests arrive", async ({
    page,
    openInbox,
  }) => {
    const service = createScene();
    await openInbox(service, "#/requests");
    const summary = page.locator(".request summary").first();
    await summary.press("Enter");
    await service.fetch(`${service.v2BaseUrl}/api/v2/accounts/me`);
    await page.getByText("/api/v2/accounts/me").waitFor();
    const second = page.locator(".request details").nth(1);
    expect(await second.getAttribute("open")).toBe("");
    expect(await second.locator("summary").evaluate((node) => node.matches(":focus"))).toBe(true);
  });

  test("the inbox keeps what was typed and opened in a panel while another panel is open", async ({
    page,
    openInbox,
  }) => {
    await openInbox(createScene(), "#/faults");
    const open = (tab: string) =>
      page.getByRole("navigation").getByRole("link", { name: tab }).click();
    await page.getByLabel("How many requests").fill("7");
    await open("Requests");
    await page.locator(".request summary").first().click();
    await open("Faults");
    expect(await page.getByLabel("How many requests").inputValue()).toBe("7");
    await open("Requests");
    expect(await page.locator(".request details").first().getAttribute("open")).toBe("");
  });

  test("the inbox shows the application's responses to webhooks", async ({ page, openInbox }) => {
    const service = createFake({ webhooks: (_, event) => ({ event }) });
    await openInbox(service, "#/webhooks");
    await page.getByText("No webhooks yet").waitFor();
    await rcsOf(service).sendRcsText(rcsText);
    const webhook = page.getByRole("list", { name: "Webhooks" }).locator(".request");
    await webhook.getByText("no response").waitFor();
    await webhook.locator("summary").click();
    await webhook.getByText("is not this machine").waitFor();
    await webhook.getByRole("group", { name: "Sent" }).getByText("delivered").waitFor();
  });

  test("the inbox keeps a message that arrives while it loads, and recovers from a failed read", async ({
    page,
    openInbox,
  }) => {
    const service = createFake();
    const holdBack = async (route: Route): Promise<void> => {
      const response = await route.fetch();
      service.receiveText({ from: READER, text: "Anyone there?" });
      await page.waitForTimeout(300);
      await route.fulfill({ response });
    };
    await page.route("**/__fake/messages", holdBack, { times: 1 });
    await openInbox(service);
    await page.getByText("Anyone there?").waitFor();
    await page.route("**/__fake/state", (route) => route.abort(), { times: 1 });
    service.addList();
    await page.getByText("Not connected").waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
  });

  test("the inbox is empty after a reset, and reconnects after the server was away", async ({
    page,
    openInbox,
  }) => {
    const service = createScene();
    await openInbox(service);
    await page.getByRole("link", { name: /555-0123/ }).waitFor();
    service.reset();
    await page.getByRole("heading", { name: "Waiting for the first message" }).waitFor();
  });
});
