import { describe, expect, test } from "vitest";
import { type Clients, clientsOf, fileMessage, message } from "../../../support/calls.ts";
import { respond, startLoopback } from "../../../support/servers/loopback.ts";

/** Every operation, with path parameters that have to be encoded. */
const PATHS: readonly [call: (clients: Clients) => PromiseLike<unknown>, request: string][] = [
  [({ v2 }) => v2.accounts.me(), "GET /api/v2/accounts/me"],
  [({ v2 }) => v2.lists.list(), "GET /api/v2/lists"],
  [
    ({ v2 }) => v2.lists.list({ page: 2, per_page: 50, include_deleted: false }),
    "GET /api/v2/lists?page=2&per_page=50&include_deleted=false",
  ],
  [({ v2 }) => v2.lists.list({ page: undefined }), "GET /api/v2/lists"],
  [({ v2 }) => v2.lists.retrieve(17), "GET /api/v2/lists/17"],
  [({ v2 }) => v2.lists.create({}), "POST /api/v2/lists/"],
  [
    ({ v2 }) => v2.lists.configureOptIn(17, { opt_in_type: "single" }),
    "PUT /api/v2/lists/17/opt_in_settings",
  ],
  [
    ({ v2 }) => v2.subscribers.remove(17, "+1 (206) 555-0123"),
    "DELETE /api/v2/lists/17/subscribers/%2B1%20(206)%20555-0123",
  ],
  [
    ({ v2 }) => v2.subscribers.remove(17, "a/b?c#d%2F"),
    "DELETE /api/v2/lists/17/subscribers/a%2Fb%3Fc%23d%252F",
  ],
  [
    ({ v2 }) => v2.subscribers.remove(17, "é…"),
    "DELETE /api/v2/lists/17/subscribers/%C3%A9%E2%80%A6",
  ],
  [({ v2 }) => v2.subscribers.remove(17, "$&"), "DELETE /api/v2/lists/17/subscribers/%24%26"],
  [({ v2 }) => v2.subscribers.remove(17, "..."), "DELETE /api/v2/lists/17/subscribers/..."],
  [({ v2 }) => v2.subscribers.remove(17, "{ID}"), "DELETE /api/v2/lists/17/subscribers/%7BID%7D"],
  [({ v2 }) => v2.scheduledMessages.list(17), "GET /api/v2/lists/17/messages/scheduled"],
  [
    ({ v2 }) =>
      v2.scheduledMessages.list(17, {
        start_date: "20270101",
        end_date: new Date("2027-01-31T23:59:59Z"),
      }),
    "GET /api/v2/lists/17/messages/scheduled?start_date=20270101&end_date=20270131",
  ],
  [({ v2 }) => v2.momtReports.retrieve(3), "GET /api/v2/momt_reports/3"],
  [({ rcs }) => rcs.sendRcsText(message), "POST /transactional_messages/send_rcs_text"],
  [({ rcs }) => rcs.sendRcsFile(fileMessage), "POST /transactional_messages/send_rcs_file"],
];

describe("method and path of operations", () => {
  test.each(PATHS)(
    "%s requests %s, even below the path of the base URL",
    async (call, expected) => {
      await using server = await startLoopback(respond(404));
      for (const path of ["", "/gateway/messages//"]) {
        const clients = clientsOf({ baseUrl: server.baseUrl + path });
        await expect(Promise.resolve(call(clients))).rejects.toThrow("404");
      }
      expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
        expected,
        expected.replace(" ", " /gateway/messages"),
      ]);
    },
  );
});
