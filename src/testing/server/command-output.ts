import type { FakeService } from "../fake-service.ts";
import type { ListeningService } from "./start-server.ts";

const listing = (ids: readonly number[]): string =>
  ids.length > 5 ? `${ids.slice(0, 5).join(", ")}, … (${ids.length})` : ids.join(", ");

/** Describes the content of a service in a few words, without phone numbers. */
const describeContents = ({ lists, reports, phones }: FakeService): string => {
  const parts = [
    `lists ${listing(lists.map(({ id }) => id)) || "none"}`,
    `reports ${listing(reports.map(({ id }) => id)) || "none"}`,
    `${phones.length} phones`,
  ];
  return parts.join("; ");
};

/** Returns what the command prints when it listens, for people. */
export const toSummary = (service: FakeService, server: ListeningService): string => {
  const { email, apiKey } = service.account;
  const inbox = server.inboxUrl === undefined ? "" : `inbox          ${server.inboxUrl}\n`;
  return `version 2      ${server.v2BaseUrl}
transactional  ${server.transactionalBaseUrl}
e-mail         ${email}
API key        ${apiKey}  (valid for this fake only)
${inbox}contents       ${describeContents(service)}
`;
};

/** Quotes a value for shells and the parsers of `.env` files, unless every one of them reads it as it is. */
const quote = (value: string): string => {
  if (/^[\w.:/@+-]+$/.test(value)) return value;
  return value.includes("'") ? JSON.stringify(value) : `'${value}'`;
};

/** Returns the settings of the clients in the form of an `.env` file. */
export const toEnv = ({ account }: FakeService, server: ListeningService): string => {
  const { email, apiKey } = account;
  const settings = {
    MESSAGING_V2_BASE_URL: server.v2BaseUrl,
    MESSAGING_V2_EMAIL: email,
    MESSAGING_V2_API_KEY: apiKey,
    MESSAGING_TRANSACTIONAL_BASE_URL: server.transactionalBaseUrl,
    MESSAGING_TRANSACTIONAL_API_KEY: apiKey,
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${quote(value)}`)
    .join("\n");
};
