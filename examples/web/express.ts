// Express: sends a text once when an order is ready, and treats its webhook as proof that it was accepted.
import express, { type ErrorRequestHandler } from "express";
import { TransactionalClient } from "messaging-service-client";
import { sendOnce, sqliteLedger } from "messaging-service-client/bulk";
import { responseTo } from "./status-of.ts";

const rcs = new TransactionalClient({ totalTimeout: 8_000 });
const ledger = sqliteLedger("express.db");
const app = express();

app.post("/orders/:id/ready", express.json(), async (request, response) => {
  const { id } = request.params;
  const toMessage = ({ ref }: { ref: string }) => ({
    phoneNumber: request.body?.phone,
    webhookUrl: `https://example.com/hooks/${ref}`, // the public address of the route below
    rcsPayload: { text: `Order ${id} is ready 🎉` },
    smsFailover: `Order ${id} is ready`,
  });
  // A double click gets the `transactionId` of the first click.
  const { transactionId } = await sendOnce(rcs, toMessage, { ledger, key: `order-${id}-ready` });
  response.status(202).json({ transactionId });
});

// Do not parse the body before `confirm`. A parser could reject it, and the send would stay in doubt.
app.post("/hooks/:ref", async (request, response) => {
  await ledger.confirm(request.params.ref);
  response.sendStatus(204);
});

const handleError: ErrorRequestHandler = (error, _request, response, next) => {
  const answer = responseTo(error);
  if (answer === undefined || response.headersSent) return next(error);
  response.status(answer.status).set(answer.headers).json(answer.body);
};
app.use(handleError); // after all routes

const port = Number(process.env.PORT ?? 3000);
const server = app.listen(port, "127.0.0.1", (error) => {
  if (error) throw error;
  console.log(`listening on http://127.0.0.1:${port}`);
});
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    server.maxRequestsPerSocket = 1; // a connection in use ends after its next response
    server.close();
  });
}
