// Hono: sends a text when an order is ready.
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { MessagingServiceError, TransactionalClient } from "messaging-service-client";
import { retryAfterOf, statusOf } from "./status-of.ts";

const rcs = new TransactionalClient({ totalTimeout: 8_000 });
const app = new Hono();

app.post("/orders/:id/ready", async (context) => {
  const id = context.req.param("id");
  const { phone } = await context.req.json();
  try {
    const { transactionId } = await rcs.sendRcsText({
      phoneNumber: phone,
      webhookUrl: "https://example.com/webhooks/messages",
      rcsPayload: { text: `Order ${id} is ready 🎉` },
      smsFailover: `Order ${id} is ready`,
    });
    return context.json({ transactionId }, 202);
  } catch (error) {
    if (!MessagingServiceError.is(error)) throw error;
    const { code, outcome, message } = error;
    return context.json({ code, outcome, message }, statusOf(error), retryAfterOf(error));
  }
});

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: "127.0.0.1" });
