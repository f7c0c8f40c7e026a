// Imported by path, because in plain Node the package name resolves to the last build.
import { TransactionalClient, V2Client } from "../../../src/index.ts";
import { createFakeService } from "../../../src/testing/index.ts";
import { findRoute } from "../../../src/testing/service/router.ts";
import { ENDPOINTS, type Specified } from "../../support/tables/specification.ts";

/** Request and response of an example. */
export interface Exchange {
  readonly endpointId: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly request: unknown;
  readonly status: number;
  readonly response: unknown;
}

/** Calls every endpoint of the fake service through both clients. */
export const makeExchanges = async (): Promise<readonly Exchange[]> => {
  const service = createFakeService({ now: () => new Date("2026-11-20T17:00:00.000Z") });
  const { account } = service;
  const exchanges: Exchange[] = [];
  let sends = 0;
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await service.fetch(url, init);
    const { pathname, searchParams } = new URL(url);
    const query = Object.fromEntries(searchParams);
    // The fake's ids are random, but the ids in the document must not change.
    const body = await response.clone().json();
    if (body.transactionId !== undefined) {
      sends += 1;
      body.transactionId = `00000000-0000-4000-8000-${String(sends).padStart(12, "0")}`;
    }
    const text = typeof init.body === "string" ? init.body : "";
    const route = findRoute({
      method: init.method ?? "",
      path: pathname,
      query,
      headers: {},
      body: "",
    });
    exchanges.push({
      endpointId: route?.endpoint.id ?? "",
      params: route?.params ?? {},
      query,
      request: text === "" ? undefined : JSON.parse(text),
      status: response.status,
      response: body,
    });
    return response;
  };
  const { email, apiKey } = account;
  const v2 = new V2Client({ baseUrl: service.v2BaseUrl, email, apiKey, fetch });
  const rcs = new TransactionalClient({
    baseUrl: service.transactionalBaseUrl,
    apiKey: account.apiKey,
    validateRequests: false,
    fetch,
  });
  const { id } = service.addList({
    name: "VIP",
    keyword_names: ["VIP"],
    first_optin_message: "Welcome! Reply STOP to leave.",
    message_help: "Call us. Reply STOP to leave.",
    message_stop: "You have left.",
  });
  const { phone_number } = service.addSubscriber(id);
  service.addScheduledMessage(id, { name: "Sale", content: "The sale starts tomorrow." });
  const report = service.addReport();
  service.advance({ minutes: 4 });

  const world = { v2, rcs, listId: id, phone: phone_number, reportId: report.id };
  for (const { calls } of Object.values<Specified>(ENDPOINTS)) {
    // Some calls are refused: their responses are examples, too.
    for (const call of calls) await call(world).then(undefined, () => {});
  }
  return exchanges;
};
