// Server of the benchmark, in a separate process. Its responses are prepared, so its speed hardly matters.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const list = (id: number) => ({
  id,
  name: `List ${id}`,
  email_digest: "owner@example.com",
  email_subscribe: true,
  email_unsubscribe: null,
  first_optin_message: "Welcome! Reply STOP to leave.",
  second_optin_message: "Welcome back!",
  message_help: "Call 206-555-0100, or reply STOP to leave.",
  message_stop: "You will get no more messages.",
  message_reply: null,
  message_already_subscribed: "You are subscribed already.",
  message_yes: null,
  keyword_names: ["VIP", "DEALS"],
  counts: { subscribers: 1200, unsubscribed: 34, cleaned: 5 },
  opt_in_type: "single",
  opt_in_requests: [],
});

const page = (number: number, perPage: number, pages: number) =>
  JSON.stringify({
    status: "OK",
    per_page: perPage,
    count: perPage * pages,
    page: number,
    pages_count: pages,
    lists: Array.from({ length: perPage }, (_, index) => list(number * perPage + index)),
  });

const account = JSON.stringify({
  status: "OK",
  account: { id: 1, email: "owner@example.com", username: "owner" },
});
const transaction = JSON.stringify({ message: "Accepted", transactionId: "0a1b2c3d" });
/** Pages of lists: 10 of 1000 at once, and 20 of 50 with 20 ms of latency. */
const large = Array.from({ length: 10 }, (_, index) => page(index + 1, 1000, 10));
const slow = Array.from({ length: 20 }, (_, index) => page(index + 1, 50, 20));

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const number = Number(searchParams.get("page") ?? 1);
  const send = (body: string | undefined, status = 200) => {
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  };
  request.resume().on("end", () => {
    if (pathname.endsWith("/accounts/me")) send(account);
    else if (request.method === "POST") send(transaction, 202);
    else if (searchParams.get("per_page") === "50") setTimeout(send, 20, slow[number - 1]);
    else send(large[number - 1]);
  });
});

server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
