// `npm run generate picture`: takes the picture of the inbox in the docs.
import { mkdirSync, writeFileSync } from "node:fs";
import { listen } from "messaging-service-client/testing/node";
import { launchChromium } from "../../support/chromium.ts";
import { createScene, GUEST } from "../../support/fakes/inbox-scene.ts";
import { PICTURE, PICTURE_HASH, pictureHash } from "./picture-hash.ts";

const server = await listen(createScene(), { inbox: true });
const browser = await launchChromium();
const page = await browser.newPage({
  viewport: { width: 1280, height: 720 },
  colorScheme: "light",
});
await page.goto(`${server.inboxUrl}#/conversations/${GUEST}`);
await page.getByRole("status").getByText("Live", { exact: true }).waitFor();
await page.locator(".message").last().waitFor();
// WebP is a fifth of the size of PNG, and the picture is part of the package.
const devTools = await page.context().newCDPSession(page);
const { data } = await devTools.send("Page.captureScreenshot", { format: "webp", quality: 85 });
await browser.close();
await server.close();
mkdirSync(new URL(".", PICTURE), { recursive: true });
writeFileSync(PICTURE, Buffer.from(data, "base64"));
writeFileSync(PICTURE_HASH, `${await pictureHash()}\n`);
