import type { ValidationIssue } from "../../errors.ts";
import { toBasic } from "../../wire/basic.ts";
import {
  type FakeRequest,
  type FakeResponse,
  jsonResponse,
  v2Error,
  v2Invalid,
  validationResponse,
} from "../exchange/fake-response.ts";
import type { FakeAccount } from "../resources/stored-list.ts";
import type { Handler } from "./handler.ts";
import type { ApiRateLimits } from "./rate-limit.ts";
import { toServiceIssue } from "./service-issue.ts";
import { transactionalHandlers } from "./transactional.ts";
import { v2Handlers } from "./v2.ts";

/** Differences between the two APIs, apart from the behavior of their endpoints. */
export interface FakeApi {
  readonly name: keyof ApiRateLimits;
  readonly handlers: readonly Handler[];
  readonly ownsPath: (path: string) => boolean;
  /** Returns whether a request carries the credentials of an account. */
  readonly admits: (request: FakeRequest, account: FakeAccount) => boolean;
  readonly error: (status: number, error: string, headers?: Record<string, string>) => FakeResponse;
  /** Converts an issue that a shared schema found in a body to the one that the service reports. */
  readonly toIssue: (issue: ValidationIssue) => ValidationIssue;
  /** Builds the response to a query or a body that breaks rules. */
  readonly invalid: (errors: readonly ValidationIssue[]) => FakeResponse;
}

/** Version 2. Its errors are the fake's own: the specification does not show their format. */
export const v2Api: FakeApi = {
  name: "v2",
  handlers: v2Handlers,
  ownsPath: (path) => path.startsWith("/api/v2/"),
  admits: ({ headers }, { email, apiKey }) => headers.authorization === toBasic(email, apiKey),
  error: v2Error,
  toIssue: (issue) => issue,
  invalid: v2Invalid,
};

/** The transactional API. The specification shows its validation errors; the others are the fake's own. */
export const transactionalApi: FakeApi = {
  name: "transactional",
  handlers: transactionalHandlers,
  ownsPath: () => true,
  admits: ({ headers }, { apiKey }) => headers["x-api-key"] === apiKey,
  error: (status, error, headers) => jsonResponse(status, { error }, headers),
  toIssue: toServiceIssue,
  invalid: validationResponse,
};

export const apis: readonly FakeApi[] = [v2Api, transactionalApi];
