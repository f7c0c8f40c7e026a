// Runs the tests of both clients once for each row of this table.
import {
  TransactionalClient,
  type TransactionalClientOptions,
  V2Client,
  type V2ClientOptions,
} from "../../../src/index.ts";
import { API_KEY, EMAIL } from "../../support/calls.ts";

export type Options = V2ClientOptions & TransactionalClientOptions;
export type Client = V2Client | TransactionalClient;

export interface ClientKind {
  readonly name: string;
  /** Valid options of the client. */
  readonly options: Options;
  /** Prefix of the client's environment variables. */
  readonly prefix: string;
  /** Start of every path of its API. */
  readonly ownPath: string;
  /** Creates a client from options of any type, as untyped JavaScript may. */
  make(options?: unknown): Client;
}

export const V2: ClientKind = {
  name: "V2Client",
  options: { baseUrl: "https://app.example.com", email: EMAIL, apiKey: API_KEY },
  prefix: "MESSAGING_V2",
  ownPath: "/api/v2",
  make: (options) => new V2Client(options as V2ClientOptions),
};
export const TRANSACTIONAL: ClientKind = {
  name: "TransactionalClient",
  options: { baseUrl: "https://rcs.example.com", apiKey: API_KEY },
  prefix: "MESSAGING_TRANSACTIONAL",
  ownPath: "/transactional_messages",
  make: (options) => new TransactionalClient(options as TransactionalClientOptions),
};
export const BOTH: readonly ClientKind[] = [V2, TRANSACTIONAL];

/** Returns the error that a constructor throws. */
export const thrownBy = (make: () => unknown): Error => {
  try {
    make();
  } catch (error) {
    return error as Error;
  }
  throw new Error("the constructor should have thrown");
};

/** Returns the URL and the headers of a request by a client with these options. */
export const requestOf = async (
  kind: ClientKind,
  options: Options,
): Promise<{ url: string; headers: Headers }> => {
  const sent: { url: string; headers: Headers }[] = [];
  const fetch: Options["fetch"] = async (url, { headers }) => {
    sent.push({ url, headers: new Headers(headers) });
    return Response.json({});
  };
  await kind.make({ ...options, fetch }).request({ method: "GET", path: "/any" });
  const [request, ...others] = sent;
  if (!request || others.length > 0) throw new Error(`there were ${sent.length} requests`);
  return request;
};
