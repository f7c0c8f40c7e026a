// Sends from a web form and shows each error at its field: `node web-form.ts`, then open the URL.
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { html } from "hono/html";
import { MessagingServiceError, TransactionalClient } from "messaging-service-client";
import { retryAfterOf, statusOf } from "../web/status-of.ts";

/** Labels of the fields, by their names in `errors[].path`. */
const FIELDS = {
  phoneNumber: "Phone",
  "rcsPayload.text": "Message",
  smsFailover: "SMS, if RCS fails",
};

type Texts = Readonly<Record<string, string>>;

const page = (values: Texts, errors: Texts, notice = "") => html`<!doctype html>
  <title>Send a message</title>
  <h1>Send a message</h1>
  <p role="status">${notice}</p>
  <form method="post">
    ${Object.entries(FIELDS).map(
      ([name, label]) => html`<p>
        <label>${label}<br /><input name="${name}" value="${values[name] ?? ""}" /></label>
        <strong data-for="${name}">${errors[name] ?? ""}</strong>
      </p>`,
    )}
    <button>Send</button>
  </form>`;

const rcs = new TransactionalClient({ totalTimeout: 10_000 });
const app = new Hono();
app.get("/", (context) => context.html(page({}, {})));

app.post("/", async (context) => {
  const values = Object.fromEntries(new URLSearchParams(await context.req.text()));
  try {
    const { transactionId } = await rcs.sendRcsText({
      phoneNumber: values.phoneNumber ?? "",
      webhookUrl: "https://example.com/webhooks/messages",
      rcsPayload: { text: values["rcsPayload.text"] ?? "" },
      smsFailover: values.smsFailover ?? "",
    });
    return context.html(page({}, {}, `Accepted as ${transactionId}`));
  } catch (error) {
    if (!MessagingServiceError.is(error)) throw error;
    if (error.code === "validation") {
      const errors = new Map<string, string>();
      for (const { path, message } of error.errors) {
        const field = path.join(".");
        const earlier = errors.get(field); // a field can break several rules
        errors.set(field, earlier ? `${earlier}; ${message}` : message);
      }
      const others = [...errors].filter(([path]) => !Object.hasOwn(FIELDS, path));
      const notice = ["It was not sent.", ...others.flat()].join(" ");
      return context.html(page(values, Object.fromEntries(errors), notice), statusOf(error));
    }
    const isOpen = error.outcome === "not_sent" || error.outcome === "rejected";
    const notice = `${isOpen ? "It was not sent" : "It may have been sent"}: ${error.code}.`;
    return context.html(page(values, {}, notice), statusOf(error), retryAfterOf(error));
  }
});

const server = serve(
  { fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env.PORT ?? 0) },
  (address) => console.log(`Open http://127.0.0.1:${address.port}/`),
);
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    if ("maxRequestsPerSocket" in server) server.maxRequestsPerSocket = 1; // a connection in use ends after its next response
    server.close();
  });
}
