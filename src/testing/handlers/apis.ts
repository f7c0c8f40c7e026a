import type { ValidationIssue } from "../../errors/validation-issue.ts";
import {
  type FakeAnswer,
  type FakeRequest,
  jsonAnswer,
  v2Error,
  v2Invalid,
  validationAnswer,
} from "../fake-answer.ts";
import type { FakeAccount } from "../state/fake-store.ts";
import type { Handler } from "./handler.ts";
import { transactionalHandlers } from "./transactional.ts";
import { v2Handlers } from "./v2.ts";

/** In what the two APIs differ, besides what they do. */
export interface FakeApi {
  readonly handlers: readonly Handler[];
  readonly isLimited: boolean;
  readonly ownsPath: (path: string) => boolean;
  /** Whether a request carries the credentials of an account. */
  readonly admits: (request: FakeRequest, account: FakeAccount) => boolean;
  readonly error: (status: number, error: string, headers?: Record<string, string>) => FakeAnswer;
  /** The answer to a query or a body that breaks rules. */
  readonly invalid: (errors: readonly ValidationIssue[]) => FakeAnswer;
}

const toBasic = ({ email, apiKey }: FakeAccount): string => {
  const bytes = new TextEncoder().encode(`${email}:${apiKey}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
};

/** Its errors are the fake's own: the specification does not show their format. */
export const v2Api: FakeApi = {
  handlers: v2Handlers,
  isLimited: true,
  ownsPath: (path) => path.startsWith("/api/v2/"),
  admits: ({ headers }, account) => headers.authorization === toBasic(account),
  error: v2Error,
  invalid: v2Invalid,
};

/** Of its errors, the specification shows those of validation; the others are the fake's own. */
export const transactionalApi: FakeApi = {
  handlers: transactionalHandlers,
  isLimited: false,
  ownsPath: () => true,
  admits: ({ headers }, { apiKey }) => headers["x-api-key"] === apiKey,
  error: (status, error, headers) => jsonAnswer(status, { error }, headers),
  invalid: validationAnswer,
};

export const apis: readonly FakeApi[] = [v2Api, transactionalApi];
