// Koa: sends a text once when an order is ready, and treats its webhook as proof that it was accepted.
import { text } from "node:stream/consumers";
import { Router } from "@koa/router";
import Koa from "koa";
import { TransactionalClient } from "messaging-service-client";
import { sendOnce, sqliteLedger } from "messaging-service-client/bulk";
import { responseTo } from "./status-of.ts";

const rcs = new TransactionalClient({ totalTimeout: 8_000 });
const ledger = sqliteLedger("koa.db");
const router = new Router();

router.post("/orders/:id/ready", async (context) => {
  const { id } = context.params;
  const body = await text(context.req);
  const order = await new Response(body)
    .json()
    .catch(() => context.throw(400, "The body is not JSON."));
  const toMessage = ({ ref }: { ref: string }) => ({
    phoneNumber: order?.phone,
    webhookUrl: `https://example.com/hooks/${ref}`, // the public address of the route below
    rcsPayload: { text: `Order ${id} is ready 🎉` },
    smsFailover: `Order ${id} is ready`,
  });
  // A double click gets the `transactionId` of the first click.
  const { transactionId } = await sendOnce(rcs, toMessage, { ledger, key: `order-${id}-ready` });
  context.status = 202;
  context.body = { transactionId };
});

// Do not parse the body before `confirm`. A parser could reject it, and the send would stay in doubt.
router.post("/hooks/:ref", async (context) => {
  await ledger.confirm(context.params.ref ?? "");
  context.status = 204;
});

const app = new Koa();
app.use(async (context, next) => {
  try {
    await next();
  } catch (error) {
    const answer = responseTo(error);
    if (answer === undefined) throw error;
    context.set(answer.headers);
    context.status = answer.status;
    context.body = answer.body;
  }
});
app.use(router.routes()); // after the error handler

const port = Number(process.env.PORT ?? 3000);
const server = app.listen(port, "127.0.0.1", () =>
  console.log(`listening on http://127.0.0.1:${port}`),
);
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    server.maxRequestsPerSocket = 1; // a connection in use ends after its next response
    server.close();
  });
}
