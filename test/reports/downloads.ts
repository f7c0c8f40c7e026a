// The file that tests download, and their shared checks.
import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { expect } from "vitest";
import { SIGNATURE } from "../support/servers/file-host.ts";

export const FILE = randomBytes(300_000);
const SECRETS = [SIGNATURE, "5f3a9c71e2d4b806", "/reports/7.csv"];

export const bytesOf = async ({ body }: { readonly body: ReadableStream<Uint8Array> }) =>
  Buffer.from(await new Response(body).arrayBuffer());

/** Expects that no property of an error reveals a part of the link. */
export const expectNoLink = (error: unknown) => {
  const shown = inspect(error, { depth: null, showHidden: true, getters: true });
  for (const secret of SECRETS) {
    expect(shown).not.toContain(secret);
    expect(JSON.stringify(error)).not.toContain(secret);
  }
};
