// The MCP server of the examples, used by the official client over stdio.
import { join } from "node:path";
import { createFakeService, type FakeService } from "messaging-service-client/testing";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { installExamplePackages } from "../support/example-packages.ts";
import { importFrom } from "../support/fixture.ts";
import { accountOf, EXAMPLES, newFolder } from "../support/run-example.ts";

// Installing packages and starting processes takes a long time on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

beforeAll(() => void installExamplePackages());

interface ToolResult {
  readonly content: readonly { readonly text: string }[];
  readonly isError?: boolean;
}

interface CallOptions {
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

/** Part of the official client that the tests use. */
interface McpClient {
  connect(transport: object): Promise<void>;
  close(): Promise<void>;
  listTools(): Promise<{
    tools: readonly { name: string; inputSchema: { required?: string[] } }[];
  }>;
  callTool(params: object, schema?: undefined, options?: CallOptions): Promise<ToolResult>;
  setRequestHandler(
    schema: unknown,
    handler: (request: { params: { message: string } }) => unknown,
  ): void;
}
interface Sdk {
  readonly Client: new (info: object, options: { capabilities: object }) => McpClient;
  readonly StdioClientTransport: new (options: object) => { readonly pid: number | null };
  readonly ElicitRequestSchema: unknown;
}

const PHONE = "+12065550123";
const CALL = { key: "order-17-ready", phone: "(206) 555-0123", text: "Your order is ready 🎉" };

/** The user's response to a question. `undefined` stands for a client that cannot ask. */
type Action = "accept" | "decline" | "cancel";
type Answer = Action | (() => Action | Promise<Action>);

/** Starts the server and connects the official client to it. */
const connect = async (
  service: FakeService,
  answer: Answer | undefined,
  { allowed = PHONE, ledger = join(newFolder(), "texts.db") } = {},
) => {
  const load = (path: string) => importFrom<Sdk>(EXAMPLES, `@modelcontextprotocol/sdk/${path}`);
  const { Client } = await load("client/index.js");
  const { StdioClientTransport } = await load("client/stdio.js");
  const { ElicitRequestSchema } = await load("types.js");
  const capabilities = answer === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities });
  const questions: string[] = [];
  if (answer !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      questions.push(params.message);
      const action = typeof answer === "string" ? answer : await answer();
      return { action, ...(action === "accept" && { content: {} }) };
    });
  }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(EXAMPLES, "with-packages/mcp-server.ts"), ledger],
    env: { ...(await accountOf(service)), ALLOWED_PHONES: allowed },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const send = async (more: Partial<typeof CALL> = {}, options: CallOptions = {}) => {
    const params = { name: "send_text", arguments: { ...CALL, ...more } };
    const { content, isError = false } = await client.callTool(params, undefined, options);
    return { text: content[0]?.text ?? "", isError };
  };
  const { pid } = transport;
  return { client, pid: pid as number, questions, send };
};

const accepted = (service: FakeService, when: "now" | "before") => ({
  text: `accepted: ${when}, as ${service.outbox[0]?.transactionId}`,
  isError: false,
});
const notSent = (why: string) => ({ text: expect.stringContaining(why), isError: true });
const IN_DOUBT = {
  text: expect.stringMatching(/^unknown: It may have been sent\. Do not send it again\./),
  isError: false,
};

test("mcp-server has one tool, which requires a key", async () => {
  const { client } = await connect(createFakeService(), "accept");
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["send_text"]);
  expect(tools[0]?.inputSchema.required).toEqual(["key", "phone", "text"]);
});

test("a text that a person approves is sent once, and a repeated call gets its result without a question", async () => {
  const service = createFakeService();
  const { send, questions } = await connect(service, "accept");
  expect(await send()).toEqual(accepted(service, "now"));
  expect(await send()).toEqual(accepted(service, "before"));
  expect(questions).toEqual([`Text ${PHONE}?\n\n${CALL.text}`]);

  expect(await send({ text: "A different text" })).toEqual(
    notSent("a second message needs a new key"),
  );
  expect(questions).toHaveLength(2);
  expect(service.outbox).toHaveLength(1);
});

test("a call that times out while the service is slow is sent once, and the repeated call gets its result", async () => {
  const service = createFakeService();
  service.failNext({ fault: "slow", delayMs: 5_000 });
  const { send } = await connect(service, "accept");
  await expect(send({}, { timeout: 3_000 })).rejects.toThrow("timed out");
  expect(await send()).toEqual(accepted(service, "before"));
  expect(service.outbox).toHaveLength(1);
});

test("a call that times out while a person decides sends nothing, whatever the person answers later", async () => {
  const service = createFakeService();
  let approve = () => {};
  const decided = new Promise<"accept">((resolve) => {
    approve = () => resolve("accept");
  });
  const { send, questions } = await connect(service, () => decided);
  const timeout = new AbortController();
  const call = send({}, { signal: timeout.signal });
  await expect.poll(() => questions).toHaveLength(1);
  timeout.abort("timed out");
  await expect(call).rejects.toThrow("timed out");
  approve();
  // The result of this call proves that the server has received the late response.
  expect(await send({ key: "order-18-ready" })).toEqual(accepted(service, "now"));
  expect(service.outbox).toHaveLength(1);
  expect((await send()).text).toContain("accepted: now");
  expect(questions).toHaveLength(3);
});

test("a send in doubt is reported as doubt, never as sent or failed, even after a restart of the server", async () => {
  const service = createFakeService();
  const ledger = join(newFolder(), "texts.db");
  service.failNext({ fault: "dropped" });
  const { send, client } = await connect(service, "accept", { ledger });
  expect(await send()).toEqual(IN_DOUBT);
  expect(await send()).toEqual(IN_DOUBT);
  await client.close();
  const restarted = await connect(service, "accept", { ledger });
  expect(await restarted.send()).toEqual(IN_DOUBT);
  expect(service.outbox).toHaveLength(1);
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "mcp-server finishes its send at %s, and returns its result after a restart",
  async (signal) => {
    const service = createFakeService();
    const ledger = join(newFolder(), "texts.db");
    service.failNext({ fault: "slow", delayMs: 2_000 });
    const { send, pid } = await connect(service, "accept", { ledger });
    const call = expect(send()).rejects.toThrow("Connection closed");
    await expect.poll(() => service.requests.length, { timeout: 60_000 }).toBe(1);
    process.kill(pid, signal);
    await call;
    const restarted = await connect(service, "accept", { ledger });
    expect(await restarted.send()).toEqual(accepted(service, "before"));
    expect(service.outbox).toHaveLength(1);
  },
);

test("a text that the service rejects may be sent again with the same key", async () => {
  const service = createFakeService();
  service.failNext({ status: 403 });
  const { send, questions } = await connect(service, "accept");
  expect(await send()).toEqual(notSent("PermissionDeniedError"));
  expect(service.outbox).toEqual([]);
  expect(await send()).toEqual(accepted(service, "now"));
  expect(questions).toHaveLength(1);
});

test("mcp-server sends no text that a person does not approve, or whose arguments it refuses, and says why", async () => {
  const service = createFakeService();
  let answer: Action = "accept";
  const { send } = await connect(service, () => answer);
  expect(await send({ phone: "(312) 555-0142" })).toEqual(notSent("allowRecipient did not permit"));
  expect(await send({ phone: "123" })).toEqual(notSent("must be a valid U.S. or Canadian"));
  expect(await send({ key: "" })).toEqual(notSent("key"));
  expect(await send({ text: "a".repeat(161) })).toEqual(notSent("text"));
  for (answer of ["decline", "cancel"] as const) {
    expect(await send()).toEqual(notSent(`approval: ${answer}`));
  }
  expect(service.requests).toEqual([]);
});

test.each([
  { name: "of a client that cannot ask", answer: undefined, error: "does not support" },
  { name: "without a list of phones", allowed: "", error: "allowRecipient did not permit" },
] as const)("mcp-server sends no text $name, and says why", async (row) => {
  const { answer, allowed, error } = { answer: "accept" as const, allowed: undefined, ...row };
  const service = createFakeService();
  const { send } = await connect(service, answer, { allowed });
  expect(await send()).toEqual(notSent(error));
  expect(service.requests).toEqual([]);
});
