import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { BOTH, thrownBy } from "../../core/clients/both.ts";
import { API_KEY, EMAIL } from "../../support/calls.ts";

const BASE64 = Buffer.from(`${EMAIL}:${API_KEY}`).toString("base64");
const HEADER = "tenant-secret-77";
const SECRETS = [API_KEY, BASE64, HEADER];

describe.each(BOTH)("secrecy of $name", ({ options, make }) => {
  const client = make({ ...options, headers: { "x-tenant": HEADER } });
  const parts = Object.values(client);

  test.each([
    ["JSON.stringify", (value: object) => JSON.stringify(value)],
    ["util.inspect", (value: object) => inspect(value)],
    [
      "util.inspect with all its options",
      (value: object) => inspect(value, { depth: null, showHidden: true, getters: true }),
    ],
    ["String", (value: object) => String(value)],
    ["Object.entries", (value: object) => JSON.stringify(Object.entries(value))],
    ["a copy", (value: object) => inspect({ ...value }, { depth: null, showHidden: true })],
    [
      "all its own keys",
      (value: object) =>
        inspect(
          Reflect.ownKeys(value).map((key) => Reflect.get(value, key)),
          { depth: null },
        ),
    ],
    ["an error's message", (value: object) => thrownBy(() => JSON.parse(`${value}`)).message],
  ])("a client and its parts show no secret in %s", (_, show) => {
    for (const value of [client, ...parts]) {
      const shown = show(value as object);
      expect(shown).not.toBe("");
      for (const secret of SECRETS) expect(shown).not.toContain(secret);
    }
  });

  test("structuredClone of a client shows no secret", () => {
    let clone: unknown;
    try {
      clone = structuredClone(client);
    } catch (error) {
      clone = error;
    }
    const shown = inspect(clone, { depth: null, showHidden: true });
    for (const secret of SECRETS) expect(shown).not.toContain(secret);
  });
});
