import { readdirSync, readFileSync } from "node:fs";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { API_KEY, EMAIL } from "../../support/calls.ts";
import { BOTH, type ClientKind, requestOf, thrownBy, V2 } from "./both.ts";

const SECRET = "sk-9d2f71aa40";

/** Sets the environment variables of a client. */
const setAll = ({ prefix, options }: ClientKind) => {
  vi.stubEnv(`${prefix}_BASE_URL`, options.baseUrl);
  vi.stubEnv(`${prefix}_EMAIL`, EMAIL);
  vi.stubEnv(`${prefix}_API_KEY`, API_KEY);
};

beforeEach(() => {
  for (const { prefix } of BOTH) {
    for (const name of ["BASE_URL", "EMAIL", "API_KEY"]) vi.stubEnv(`${prefix}_${name}`, undefined);
  }
});

describe.each(BOTH)("environment variables of $name", (kind) => {
  const { make, options, prefix } = kind;
  const variables = [
    ["baseUrl", `${prefix}_BASE_URL`],
    ["apiKey", `${prefix}_API_KEY`],
    ...(kind === V2 ? [["email", `${prefix}_EMAIL`] as const] : []),
  ] as const;

  const allMissing =
    kind === V2
      ? "option `baseUrl` is missing: pass it, or set MESSAGING_V2_BASE_URL; option `email` is missing: pass it, or set MESSAGING_V2_EMAIL; option `apiKey` is missing: pass it, or set MESSAGING_V2_API_KEY"
      : "option `baseUrl` is missing: pass it, or set MESSAGING_TRANSACTIONAL_BASE_URL; option `apiKey` is missing: pass it, or set MESSAGING_TRANSACTIONAL_API_KEY";

  test("environment variables alone are enough to create a client", async () => {
    setAll(kind);
    const given = await requestOf(kind, options);
    expect(await requestOf(kind, {})).toEqual(given);
    const none = { baseUrl: undefined, apiKey: undefined, email: undefined };
    expect(await requestOf(kind, none)).toEqual(given);
  });

  test.each(variables)(
    "a missing option is read from the environment: %s from %s; the error names both",
    (option, name) => {
      setAll(kind);
      for (const value of [undefined, ""]) {
        vi.stubEnv(name, value);
        const error = thrownBy(() => make());
        expect(error).toBeInstanceOf(TypeError);
        expect(error.message).toContain(`option \`${option}\` is missing`);
        expect(error.message).toContain(name);
      }
    },
  );

  test.each(variables)("the option %s overrides the variable %s", async (option, name) => {
    setAll(kind);
    vi.stubEnv(name, "https://other.example.com/other");
    const given = { [option]: options[option] };
    expect(await requestOf(kind, given)).toEqual(await requestOf(kind, options));
  });

  test.each(variables)("a malformed option %s is not replaced by the variable %s", (option) => {
    setAll(kind);
    for (const value of ["", null]) {
      const error = thrownBy(() => make({ [option]: value }));
      expect(error.message).toContain(`option \`${option}\` must be a string that is not empty`);
    }
  });

  test.each(variables)(
    "the option %s from the variable %s is checked like an option, and not quoted",
    (option, name) => {
      setAll(kind);
      vi.stubEnv(name, `http://${SECRET}:\n@evil.example.com`);
      const error = thrownBy(() => make());
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toContain(`option \`${option}\``);
      expect(error.message).not.toContain(SECRET);
    },
  );

  test("environment variables are read when the client is created", async () => {
    setAll(kind);
    const { url } = await requestOf(kind, {});
    vi.stubEnv(`${prefix}_BASE_URL`, "https://later.example.com");
    expect(url).toBe(`${options.baseUrl}/any`);
    expect((await requestOf(kind, {})).url).toBe("https://later.example.com/any");
  });

  test("the environment variables of the other client are ignored", () => {
    for (const other of BOTH) if (other !== kind) setAll(other);
    expect(() => make()).toThrow(allMissing);
  });

  const trap = () => {
    throw new Error(`permission denied ${SECRET}`);
  };
  const forbidden = allMissing.replaceAll(
    /set (\w+)/g,
    "allow the program to read $1 (Deno: --allow-env), which the runtime forbids",
  );
  test.each([
    ["no process", undefined, allMissing],
    ["a process without an environment", {}, allMissing],
    [
      "an environment that may not be read",
      Object.defineProperty({}, "env", { get: trap }),
      forbidden,
    ],
    ["variables that may not be read", { env: new Proxy({}, { get: trap }) }, forbidden],
  ])(
    "%s counts as missing environment variables, and the error says why",
    (_, process, message) => {
      vi.stubGlobal("process", process);
      const missing = thrownBy(() => make());
      make(options);
      vi.unstubAllGlobals();
      expect(missing).toBeInstanceOf(TypeError);
      expect(missing.message).toBe(message);
      expect(missing.message).not.toContain(SECRET);
    },
  );
});

test("no source file names an environment variable in full, because bundlers would inline its value", () => {
  const src = new URL("../../../src/core/", import.meta.url);
  const files = readdirSync(src, { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => /^(clients|call|transport|resources)\/.*\.ts$/.test(file));
  expect(sources.length).toBeGreaterThan(20);
  for (const file of sources) {
    expect(readFileSync(new URL(file, src), "utf8"), file).not.toMatch(/env\s*\??\.\s*MESSAGING/);
  }
});
