import type { FakeService } from "messaging-service-client/testing";
import { expect } from "vitest";
import { credentials } from "./world.ts";

/** A request to the test world, and the response that every entry point gives. */
export interface WireCase {
  readonly name: string;
  /** Method, path and query. */
  readonly request: `${string} /${string}`;
  /** Credentials. Default: the owner's, for the API that the path belongs to. */
  readonly as?: keyof typeof credentials;
  /** Body. A string is sent unchanged, anything else as JSON. */
  readonly send?: unknown;
  /** Changes to make before the request. */
  readonly before?: (service: FakeService) => Promise<unknown>;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The whole body, with asymmetric matchers for values that do not matter. */
  readonly body: unknown;
}

/** Returns the method, target and options of `fetch` for a case. */
export const toFetch = ({ request, as, send }: WireCase) => {
  const [method = "", target = ""] = request.split(" ");
  const isTransactional = target.startsWith("/transactional_messages/");
  const init: RequestInit = {
    method,
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      ...credentials[as ?? (isTransactional ? "transactional" : "v2")],
    },
  };
  if (send !== undefined) init.body = typeof send === "string" ? send : JSON.stringify(send);
  return { method, target, init };
};

/** Expects the response of a case. */
export const expectResponse = async (wireCase: WireCase, response: Response): Promise<void> => {
  expect(await response.json()).toEqual(wireCase.body);
  expect(response.status).toBe(wireCase.status);
  const headers = { "content-type": "application/json", ...wireCase.headers };
  for (const [name, value] of Object.entries(headers)) {
    expect(response.headers.get(name), name).toBe(value);
  }
};
