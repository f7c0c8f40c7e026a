// Hono: sends a text once when an order is ready, and treats its webhook as proof that it was accepted.
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { TransactionalClient } from "messaging-service-client";
import { sendOnce, sqliteLedger } from "messaging-service-client/bulk";
import { responseTo } from "./status-of.ts";

const rcs = new TransactionalClient({ totalTimeout: 8_000 });
const ledger = sqliteLedger("hono.db");
const app = new Hono();

app.onError((error) => {
  const answer = responseTo(error);
  if (answer) return Response.json(answer.body, answer);
  if (error instanceof HTTPException) return error.getResponse();
  throw error;
});

app.post("/orders/:id/ready", async (context) => {
  const id = context.req.param("id");
  const order = await context.req.json().catch(() => null);
  if (order === null) return context.text("The body is not JSON.", 400);
  const toMessage = ({ ref }: { ref: string }) => ({
    phoneNumber: order.phone,
    webhookUrl: `https://example.com/hooks/${ref}`, // the public address of the route below
    rcsPayload: { text: `Order ${id} is ready 🎉` },
    smsFailover: `Order ${id} is ready`,
  });
  // A double click gets the `transactionId` of the first click.
  const { transactionId } = await sendOnce(rcs, toMessage, { ledger, key: `order-${id}-ready` });
  return context.json({ transactionId }, 202);
});

// Do not parse the body before `confirm`. A parser could reject it, and the send would stay in doubt.
app.post("/hooks/:ref", async (context) => {
  await ledger.confirm(context.req.param("ref"));
  return context.body(null, 204);
});

const server = serve(
  { fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: "127.0.0.1" },
  ({ port }) => console.log(`listening on http://127.0.0.1:${port}`),
);
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    if ("maxRequestsPerSocket" in server) server.maxRequestsPerSocket = 1; // a connection in use ends after its next response
    server.close();
  });
}
