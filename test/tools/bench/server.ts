// Server of the benchmark, in a separate process. Its responses are built in advance, so its speed hardly matters.
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
/** Pages of lists by their size: 10,000 lists, and 1000 lists at 50 a page with 20 ms of latency. */
const pages = new Map(
  [
    [10, 1000],
    [1000, 10],
    [50, 20],
  ].map(([perPage = 0, count = 0]) => [
    perPage,
    Array.from({ length: count }, (_, index) => page(index + 1, perPage, count)),
  ]),
);

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const number = Number(searchParams.get("page") ?? 1);
  const perPage = Number(searchParams.get("per_page"));
  const send = (body: string | undefined, status = 200) => {
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  };
  request.resume().on("end", () => {
    if (pathname.endsWith("/accounts/me")) send(account);
    else if (request.method === "POST") send(transaction, 202);
    else if (perPage === 50) setTimeout(send, 20, pages.get(perPage)?.[number - 1]);
    else send(pages.get(perPage)?.[number - 1]);
  });
});

server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
