// The statements of the docs about the inbox and the control API.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { listen } from "messaging-service-client/testing/node";
import { expect, test } from "vitest";
import { controlRoutes } from "../../src/testing/control/routes.ts";
import { createFake } from "../support/fakes/fake-service.ts";
import { PICTURE, PICTURE_HASH, pictureHash } from "../tools/inbox/picture-hash.ts";

const readPage = (name: string) =>
  readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8");
const CONTROL = readPage("control-api");

/** The curl session on the page. The comment after an arrow is part of the command's output. */
const session = /<!-- curl session -->\n+```sh\n([\s\S]*?)```/.exec(CONTROL)?.[1] ?? "";

const toScript = (text: string): string =>
  text.replace(/ +# → (.*)$/gm, (_, expected: string) => {
    const quoted = `'${expected.replaceAll("'", "'\\''")}'`;
    return ` | grep -F -- ${quoted} > /dev/null || { echo "not printed:" ${quoted} >&2; exit 1; }`;
  });

test("curl alone drives a double opt-in and a fault, as docs/control-api.md shows", async () => {
  expect(session.match(/# → /g)?.length).toBeGreaterThan(6);
  const service = createFake({ account: { email: "owner@example.com", apiKey: "test-key" } });
  const server = await listen(service, { inbox: true });
  const script = toScript(session).replaceAll("http://127.0.0.1:4010", server.v2BaseUrl);
  const shell = spawn("bash", ["--norc", "-euo", "pipefail", "-c", script], {
    // Bash reads its start-up files if its input is a socket.
    stdio: ["ignore", "pipe", "pipe"],
  });
  let problems = "";
  shell.stderr.setEncoding("utf8").on("data", (text: string) => {
    problems += text;
  });
  shell.stdout.resume();
  const [code] = await once(shell, "close");
  await server.close();
  expect({ code, problems }).toEqual({ code: 0, problems: "" });
  expect(service.lists).toMatchObject([{ name: "News", counts: { subscribers: 1 } }]);
  expect(service.outbox.map(({ cause }) => cause)).toEqual([
    "request_message",
    "retry_message",
    "no_response_message",
    "request_message",
    "opt_in_message",
  ]);
  expect(service.requests).toMatchObject([{ status: 503, failure: "status" }, { status: 200 }]);
}, 60_000);

test("the table in docs/control-api.md lists exactly the calls of the control API", () => {
  const listed = [...CONTROL.matchAll(/^\| `(GET|POST|PUT|DELETE) \/__fake\/([^`?]*)/gm)];
  const calls = controlRoutes.map(({ method, path }) => `${method} ${path}`);
  const names = listed.map(([, method, path]) => `${method} ${path}`);
  expect(names.toSorted()).toEqual([...calls, "GET events"].toSorted());
});

test("the picture in the docs is up to date: `npm run generate picture` would take the same one", async () => {
  for (const page of ["testing", "fake-command"]) {
    expect(readPage(page)).toContain("](images/inbox.png)");
  }
  expect(readFileSync(PICTURE).subarray(1, 4).toString()).toBe("PNG");
  expect(readFileSync(PICTURE_HASH, "utf8").trim()).toBe(await pictureHash());
});
