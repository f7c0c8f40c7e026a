import type { FakeService } from "messaging-service-client/testing";
import { expect } from "vitest";
import { credentials } from "./world.ts";

/** A request to the world, and what each door must answer. */
export interface WireCase {
  readonly name: string;
  /** Method, path and query. */
  readonly request: `${string} /${string}`;
  /** Default: those of the owner, for the API that the path belongs to. */
  readonly as?: keyof typeof credentials;
  /** A text goes out as it is, anything else as JSON. */
  readonly send?: unknown;
  /** What happened before. */
  readonly before?: (service: FakeService) => Promise<unknown>;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A whole body; asymmetric matchers where a value does not matter. */
  readonly body: unknown;
}

/** Method, target and options of `fetch` for a case. */
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

/** That an answer is the one of the case. */
export const expectAnswer = async (wireCase: WireCase, response: Response): Promise<void> => {
  expect(await response.json()).toEqual(wireCase.body);
  expect(response.status).toBe(wireCase.status);
  const headers = { "content-type": "application/json", ...wireCase.headers };
  for (const [name, value] of Object.entries(headers)) {
    expect(response.headers.get(name), name).toBe(value);
  }
};
