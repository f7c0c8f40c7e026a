import {
  TransactionalClient,
  type TransactionalClientOptions,
  V2Client,
  type V2ClientOptions,
} from "messaging-service-client";
import {
  createFakeService,
  type FakeAccount,
  type FakeService,
  type FakeServiceOptions,
} from "messaging-service-client/testing";

/** Start time of the clock of every fake. */
export const NEW_YEAR = "2026-01-01T00:00:00.000Z";

/** Creates a fake whose clock moves only by `advance`. */
export const createFake = (options: FakeServiceOptions = {}): FakeService =>
  createFakeService({ now: () => new Date(NEW_YEAR), ...options });

/** Creates a client that rejects undocumented responses and never retries. */
export const v2Of = (
  service: FakeService,
  options: V2ClientOptions = {},
  { email, apiKey }: FakeAccount = service.account,
): V2Client =>
  new V2Client({
    ...service.v2Options,
    email,
    apiKey,
    retry: 0,
    responseValidation: "strict",
    ...options,
  });

/** Creates a client of the transactional API like {@link v2Of}. */
export const rcsOf = (
  service: FakeService,
  options: TransactionalClientOptions = {},
): TransactionalClient =>
  new TransactionalClient({
    ...service.transactionalOptions,
    retry: 0,
    responseValidation: "strict",
    ...options,
  });

export const basic = ({ email, apiKey }: Pick<FakeAccount, "email" | "apiKey">): string =>
  `Basic ${btoa(`${email}:${apiKey}`)}`;

/** An RCS text that breaks no rule. */
export const rcsText = {
  phoneNumber: "+12065550123",
  webhookUrl: "https://example.com/webhooks/messages",
  rcsPayload: { text: "Your table is ready 🎉" },
  smsFailover: "Your table is ready",
};

/** An RCS file that breaks no rule. */
export const rcsFile = {
  ...rcsText,
  rcsPayload: { file: { url: "https://example.com/menu.pdf" } },
};
