import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { bundlePage } from "../../../.config/inbox-page.ts";

const ROOT = new URL("../../../", import.meta.url);

/** URL of the picture of the inbox. Next to it is the hash of the page and the scene that it shows. */
export const PICTURE = new URL("docs/images/inbox.webp", ROOT);
export const PICTURE_HASH = new URL("docs/images/inbox.sha256", ROOT);

/** Returns a hash of everything in the picture: the page as it is served, and the scene. */
export const pictureHash = async (): Promise<string> => {
  const scene = readFileSync(new URL("test/support/fakes/inbox-scene.ts", ROOT), "utf8");
  const shown = JSON.stringify([await bundlePage(), scene]);
  return createHash("sha256").update(shown).digest("hex");
};
