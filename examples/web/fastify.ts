// Fastify: sends a text once when an order is ready, and treats its webhook as proof that it was accepted.
import Fastify from "fastify";
import { TransactionalClient } from "messaging-service-client";
import { sendOnce, sqliteLedger } from "messaging-service-client/bulk";
import { responseTo } from "./status-of.ts";

const rcs = new TransactionalClient({ totalTimeout: 8_000 });
const ledger = sqliteLedger("fastify.db");
const app = Fastify({ keepAliveTimeout: 5_000 }); // an idle connection delays the end by this time

app.setErrorHandler((error, _request, reply) => {
  const answer = responseTo(error);
  if (answer === undefined) throw error;
  return reply.code(answer.status).headers(answer.headers).send(answer.body);
});

interface Order {
  Params: { id: string };
  Body: { phone: string };
}

app.post<Order>("/orders/:id/ready", async ({ params: { id }, body }, reply) => {
  const toMessage = ({ ref }: { ref: string }) => ({
    phoneNumber: body?.phone,
    webhookUrl: `https://example.com/hooks/${ref}`, // the public address of the route below
    rcsPayload: { text: `Order ${id} is ready 🎉` },
    smsFailover: `Order ${id} is ready`,
  });
  // A double click gets the `transactionId` of the first click.
  const { transactionId } = await sendOnce(rcs, toMessage, { ledger, key: `order-${id}-ready` });
  return reply.code(202).send({ transactionId });
});

// Do not parse the body before `confirm`. A parser could reject it, and the send would stay in doubt.
app.route<{ Params: { ref: string } }>({
  method: "POST",
  url: "/hooks/:ref",
  async onRequest({ params: { ref } }, reply) {
    await ledger.confirm(ref);
    return reply.code(204).send();
  },
  handler() {}, // never called
});

const url = await app.listen({ port: Number(process.env.PORT ?? 3000), host: "127.0.0.1" });
console.log(`listening on ${url}`);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => app.close());
