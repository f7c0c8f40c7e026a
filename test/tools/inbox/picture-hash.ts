import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = new URL("../../../", import.meta.url);

/** The picture of the inbox, and the hash of what it was taken of. */
export const PICTURE = new URL("docs/images/inbox.png", ROOT);
export const PICTURE_HASH = new URL("docs/images/inbox.sha256", ROOT);

/** Returns a hash of everything that shows in the picture: the page, and the scene. */
export const pictureHash = (): string => {
  const files = [
    ...globSync("src/testing/inbox/page/**/*.*", { cwd: ROOT.pathname }),
    "test/support/inbox-scene.ts",
    "test/tools/inbox/picture.ts",
  ];
  const hash = createHash("sha256");
  for (const file of files.toSorted()) {
    hash.update(`${file}\n`).update(readFileSync(join(ROOT.pathname, file)));
  }
  return hash.digest("hex");
};
