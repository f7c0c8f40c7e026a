// Errors quote field names and values of closed sets without redaction, even if the caller sent them.
import { describe, expect, test } from "vitest";
import { Redactor } from "../../../src/core/responses/redact.ts";
import type { Endpoint } from "../../../src/core/wire/endpoint.ts";
import { documentedWords } from "../../../src/core/wire/endpoint.ts";
import * as transactional from "../../../src/core/wire/transactional.ts";
import * as v2 from "../../../src/core/wire/v2.ts";
import { API_KEY, type Clients, clientsOf, errorOf, message } from "../../support/calls.ts";
import { expectLinear } from "../../support/growth.ts";
import { respond, startLoopback } from "../../support/servers/loopback.ts";

const step = {
  collected_data: "zip_code",
  request_message: "What is your zip code?",
  retry_message: "Sorry, what is your zip code?",
  follow_up: false,
  success_action: "nextrequest",
} as const;
const last = { ...step, collected_data: "yes", success_action: "optinsubscriber" } as const;
const double = { opt_in_type: "double", opt_in_requests: [step, last] } as const;
const configure = ({ v2 }: Clients) => v2.lists.configureOptIn(17, double);
const create = (name: string) => (clients: Clients) => clients.v2.lists.create({ name });
const send = (text: string) => (clients: Clients) =>
  clients.rcs.sendRcsText({ ...message, rcsPayload: { text } });

/** Returns the error message for a sentence of the service, without its endpoint and status. */
const quoted = async (call: (clients: Clients) => PromiseLike<unknown>, sentence: string) => {
  await using server = await startLoopback(respond(422, { error: sentence }));
  const error = await errorOf(call(clientsOf(server)));
  return error.message.replace(/^.*422 Unprocessable Entity: /, "");
};

describe("sentences of the service about documented names and values", () => {
  test.each<[call: (clients: Clients) => PromiseLike<unknown>, sentence: string]>([
    [configure, "opt_in_type double needs a last step with success_action optinsubscriber"],
    [configure, "step 1: success_action must be nextrequest, collected_data zip_code is unknown"],
    [configure, "expected 'single', got 'double'"],
    [configure, "first_name, email_address, yes, zip_code"],
    [create("name"), "name is too short"],
    [create("list"), "list.keyword_names must not be empty"],
    [create("type"), "opt_in_type is missing"],
    [create("opt_in_type"), "opt_in_type is missing"],
    [create("message"), "message_help and message_stop are too long"],
    [send("smsFailover"), "smsFailover must have at most 160 characters"],
    [send("text"), "rcsPayload.text is too long"],
    [send("phoneNumber"), "phoneNumber is blocked"],
    [
      ({ rcs }) =>
        rcs.sendRcsFile(
          { ...message, rcsPayload: { file: { url: "https://example.com/a" } } },
          { contentType: "video/mp4" },
        ),
      "a file of type video/mp4 is not allowed",
    ],
    [({ v2 }) => v2.subscribers.remove(17, "SUBSCRIBER_ID"), "SUBSCRIBER_ID: no such phone_number"],
  ])(
    "words that the specification documents are kept in an error (case %#): %s",
    async (call, sentence) => {
      expect(await quoted(call, sentence)).toBe(sentence);
    },
  );

  test.each<[call: (clients: Clients) => PromiseLike<unknown>, sentence: string, shown: string]>([
    [create("single ticket for Anna"), "single ticket for Anna?", "[redacted]?"],
    [create("type Anna"), "opt_in_type Anna", "opt_in_[redacted]"],
    [create("Anna name"), "Anna name", "[redacted]"],
    [create("name"), "rename it", "re[redacted] it"],
    [create("Anna"), "Anna name single", "[redacted] name single"],
    [configure, `What is your zip code? ${API_KEY}`, "[redacted] [redacted]"],
    [send("single"), "single text", "[redacted] text"],
  ])(
    "words of the caller that are not documented are hidden in an error (case %#): %s",
    async (call, sentence, shown) => {
      expect(await quoted(call, sentence)).toBe(shown);
    },
  );
});

describe("documented words", () => {
  test.each(Object.entries<unknown>({ ...v2, ...transactional }))(
    "the words of %s contain the names of its parameters and fields",
    (_, endpoint) => {
      const { params, wrap, requiredFields = {} } = endpoint as Endpoint;
      const names = [
        ...Object.keys(params),
        ...(wrap ? [wrap] : []),
        ...Object.keys(requiredFields),
      ];
      expect([...documentedWords(endpoint as Endpoint)]).toEqual(expect.arrayContaining(names));
    },
  );

  test("a long run of letters is redacted in linear time", () => {
    const redactor = new Redactor(["part"], () => new Set(["part_part"]));
    expect(redactor.quote("part".repeat(50))).not.toContain("part");
    expect(redactor.quote("part_part part")).toBe("part_part [redacted]");
    const quote = (text: string) => redactor.quote(text);
    expectLinear(quote, (count) => "part".repeat(count), 50_000);
  });
});
