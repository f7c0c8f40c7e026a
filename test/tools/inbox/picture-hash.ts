import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { bundlePage } from "./bundle-page.ts";

const ROOT = new URL("../../../", import.meta.url);

/** The picture of the inbox, and the hash of what it was taken of. */
export const PICTURE = new URL("docs/images/inbox.png", ROOT);
export const PICTURE_HASH = new URL("docs/images/inbox.sha256", ROOT);

/** Returns a hash of what shows in the picture: the page as it is served, and the scene. */
export const pictureHash = async (): Promise<string> => {
  const scene = readFileSync(new URL("test/support/inbox-scene.ts", ROOT), "utf8");
  const shown = JSON.stringify([await bundlePage(), scene]);
  return createHash("sha256").update(shown).digest("hex");
};
