// Sends one text when an order is ready, even if the request arrives twice: `node order-ready.ts`, then
// run the command that it prints, as often as you like.
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { TransactionalClient } from "messaging-service-client";
import { sendOnce, sqliteLedger } from "messaging-service-client/bulk";
import { responseTo } from "../web/status-of.ts";

const [path = "orders.db"] = process.argv.slice(2);
const ledger = sqliteLedger(path);
const rcs = new TransactionalClient({ totalTimeout: 10_000 });
const app = new Hono();

app.post("/orders/:id/ready", async (context) => {
  const id = context.req.param("id");
  const { phone } = await context.req.parseBody();
  const textFor = ({ ref }: { ref: string }) => ({
    phoneNumber: String(phone),
    webhookUrl: `https://example.com/hooks/${ref}`, // the public address of the route below
    rcsPayload: { text: `Your order ${id} is ready 🎉` },
    smsFailover: `Your order ${id} is ready`,
  });
  // A double click gets the `transactionId` of the first click. After the outcome "unknown", this route does not send again: the
  // webhook decides, or a person calls `ledger.resolve`.
  return context.json(await sendOnce(rcs, textFor, { ledger, key: `order-${id}-ready` }));
});

app.onError((error) => {
  const answer = responseTo(error);
  if (answer === undefined) throw error;
  return Response.json(answer.body, answer);
});

// Only the service knows this URL. A request to it proves that the service accepted the message, whatever the body contains.
app.post("/hooks/:ref", async (context) => {
  await ledger.confirm(context.req.param("ref"));
  return context.body(null, 204);
});

const server = serve(
  { fetch: app.fetch, port: Number(process.env.PORT ?? 0), hostname: "127.0.0.1" },
  ({ port }) => console.log(`curl http://127.0.0.1:${port}/orders/17/ready -d phone=+12065550123`),
);
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    if ("maxRequestsPerSocket" in server) server.maxRequestsPerSocket = 1; // a connection in use ends after its next response
    server.close();
  });
}
