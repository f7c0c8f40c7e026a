// Lets agents send each text once, and only if somebody approves it: `node mcp-server.ts`. It speaks the Model Context Protocol on
// stdio. ALLOWED_PHONES lists the phone numbers that may be texted (+12065550123,…). If it is empty, nobody is texted.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import * as client from "messaging-service-client";
import { sendOnce, sqliteLedger } from "messaging-service-client/bulk";
import { z } from "zod";

const ledger = sqliteLedger(process.argv[2] ?? "texts.db");
const allowed = new Set(process.env.ALLOWED_PHONES?.split(","));
const rcs = new client.TransactionalClient({
  totalTimeout: 20_000,
  allowRecipient: (phone) => allowed.has(phone),
});
const mcp = new McpServer({ name: "texts", version: "1.0.0" });
const approved = new Set<string>(); // repeated calls need no second approval

/** Asks the person who uses the agent. An answer after the call was canceled does not count. */
const ask = async (message: string, signal: AbortSignal): Promise<string> => {
  const form = { message, requestedSchema: { type: "object" as const, properties: {} } };
  const answer = mcp.server.elicitInput(form, { signal, timeout: 600_000 });
  const { action } = await answer.catch((error) => ({ action: `${error}` }));
  return signal.aborted ? "canceled" : action;
};

/** Reports an error only if the text was certainly not sent, because agents retry failed calls. */
const toResult = (state: "accepted" | "not_sent" | "unknown", details: string) => ({
  content: [{ type: "text" as const, text: `${state}: ${details}` }],
  isError: state === "not_sent",
});

const tool = {
  description: "Texts a phone in the U.S. or Canada. A call with the same key never sends twice.",
  inputSchema: {
    key: z.string().min(1).describe("Cause of the text, such as order-17-ready"),
    phone: z.string(),
    text: z.string().min(1).max(160),
  },
};
mcp.registerTool("send_text", tool, async ({ key, phone, text }, { signal }) => {
  try {
    const phoneNumber = client.toE164(phone);
    const content = JSON.stringify([key, phoneNumber, text]);
    const question = `Text ${phoneNumber}?\n\n${text}`;
    const answer = approved.has(content) ? "accept" : await ask(question, signal);
    if (answer !== "accept") return toResult("not_sent", `approval: ${answer}`);
    approved.add(content);
    const webhookUrl = "https://example.com/webhooks/messages"; // your own URL
    const texts = { rcsPayload: { text }, smsFailover: client.toGsm7(text) };
    // Does not pass `signal`, so a send in flight finishes, and a repeated call returns its result.
    const sent = await sendOnce(rcs, { phoneNumber, webhookUrl, ...texts }, { ledger, key });
    return toResult("accepted", `${sent.sentNow ? "now" : "before"}, as ${sent.transactionId}`);
  } catch (error) {
    const outcome = client.MessagingServiceError.is(error) ? error.outcome : "unknown";
    if (outcome === "not_sent" || outcome === "rejected") return toResult("not_sent", `${error}`);
    return toResult("unknown", `It may have been sent. Do not send it again. ${error}`);
  }
});
await mcp.connect(new StdioServerTransport());
// A send in flight finishes first, and a repeated call returns its result.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => mcp.close());
