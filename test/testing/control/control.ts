import type { FakeService, FakeServiceOptions } from "messaging-service-client/testing";
import { type ListeningService, listen } from "messaging-service-client/testing/node";
import { onTestFinished } from "vitest";
import { createFake } from "../../support/fakes/fake-service.ts";

/** A listening fake service with its inbox, and functions that call its control API. */
export interface Control {
  readonly service: FakeService;
  readonly server: ListeningService;
  /** URL of the control API, with a trailing slash. */
  readonly url: string;
  /** Calls the control API. Returns the status and the parsed body. */
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<{ readonly status: number; readonly body: unknown }>;
}

/** Starts a fake service with its inbox. The service closes when the test ends. */
export const openControl = async (options?: FakeServiceOptions): Promise<Control> => {
  const service = createFake(options);
  const server = await listen(service, { inbox: true });
  onTestFinished(() => server.close());
  const url = server.inboxUrl ?? "";
  const call: Control["call"] = async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  };
  return { service, server, url, call };
};
