// h3: sends a text once when an order is ready, and treats its webhook as proof that it was accepted.
import { H3, HTTPError, serve } from "h3";
import { TransactionalClient } from "messaging-service-client";
import { sendOnce, sqliteLedger } from "messaging-service-client/bulk";
import { responseTo } from "./status-of.ts";

const rcs = new TransactionalClient({ totalTimeout: 8_000 });
const ledger = sqliteLedger("h3.db");
const app = new H3({
  silent: true, // by itself, h3 also logs the `body` of an error
  onError({ cause, unhandled }) {
    if (unhandled) console.error(cause);
    const answer = responseTo(cause);
    return answer && Response.json(answer.body, answer);
  },
});

app.post("/orders/:id/ready", async ({ req, context: { params } }) => {
  const id = params?.id;
  const order = (await req.json().catch(() => null)) as { phone: string } | null;
  if (order === null) throw new HTTPError({ status: 400, message: "The body is not JSON." });
  const toMessage = ({ ref }: { ref: string }) => ({
    phoneNumber: order.phone,
    webhookUrl: `https://example.com/hooks/${ref}`, // the public address of the route below
    rcsPayload: { text: `Order ${id} is ready 🎉` },
    smsFailover: `Order ${id} is ready`,
  });
  // A double click gets the `transactionId` of the first click.
  const { transactionId } = await sendOnce(rcs, toMessage, { ledger, key: `order-${id}-ready` });
  return Response.json({ transactionId }, { status: 202 });
});

// Do not parse the body before `confirm`. A parser could reject it, and the send would stay in doubt.
app.post("/hooks/:ref", async ({ context: { params } }) => {
  await ledger.confirm(params?.ref ?? "");
  return new Response(null, { status: 204 });
});

const gracefulShutdown = { gracefulTimeout: 60 }; // seconds that requests have to finish after SIGTERM
const port = Number(process.env.PORT ?? 3000);
const { node } = serve(app, { port, hostname: "127.0.0.1", gracefulShutdown });
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    const server = node?.server;
    if (server && "maxRequestsPerSocket" in server) server.maxRequestsPerSocket = 1; // a connection in use ends after its next response
  });
}
