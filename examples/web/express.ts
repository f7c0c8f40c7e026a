// Express: sends a text when an order is ready.
import express from "express";
import { MessagingServiceError, TransactionalClient } from "messaging-service-client";
import { retryAfterOf, statusOf } from "./status-of.ts";

const rcs = new TransactionalClient({ totalTimeout: 8_000 });
const app = express();
app.use(express.json());

app.post("/orders/:id/ready", async (request, response) => {
  const { id } = request.params;
  try {
    const { transactionId } = await rcs.sendRcsText({
      phoneNumber: request.body.phone,
      webhookUrl: "https://example.com/webhooks/messages",
      rcsPayload: { text: `Order ${id} is ready 🎉` },
      smsFailover: `Order ${id} is ready`,
    });
    response.status(202).json({ transactionId });
  } catch (error) {
    if (!MessagingServiceError.is(error)) throw error;
    const { code, outcome, message } = error;
    response.status(statusOf(error)).set(retryAfterOf(error)).json({ code, outcome, message });
  }
});

app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1");
