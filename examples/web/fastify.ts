// Fastify: sends a text when an order is ready.
import Fastify from "fastify";
import { MessagingServiceError, TransactionalClient } from "messaging-service-client";
import { retryAfterOf, statusOf } from "./status-of.ts";

const rcs = new TransactionalClient({ totalTimeout: 8_000 });
const app = Fastify();

interface Order {
  Params: { id: string };
  Body: { phone: string };
}

app.post<Order>("/orders/:id/ready", async ({ params: { id }, body }, reply) => {
  try {
    const { transactionId } = await rcs.sendRcsText({
      phoneNumber: body.phone,
      webhookUrl: "https://example.com/webhooks/messages",
      rcsPayload: { text: `Order ${id} is ready 🎉` },
      smsFailover: `Order ${id} is ready`,
    });
    return reply.code(202).send({ transactionId });
  } catch (error) {
    if (!MessagingServiceError.is(error)) throw error;
    const { code, outcome, message } = error;
    return reply
      .code(statusOf(error))
      .headers(retryAfterOf(error))
      .send({ code, outcome, message });
  }
});

await app.listen({ port: Number(process.env.PORT ?? 3000), host: "127.0.0.1" });
