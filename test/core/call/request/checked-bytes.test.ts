// The client sends exactly the bytes that it has checked, even for unusual objects.
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isE164, parsePhone } from "../../../../src/core/rules/phone.ts";
import { clientsOf, errorOf } from "../../../support/calls.ts";

const plain = {
  phoneNumber: "+12065550123",
  webhookUrl: "https://example.com/hook",
  rcsPayload: { text: "Hi" },
  smsFailover: "Hi",
};
const EXPECTED = JSON.stringify(plain);

/** Objects with the same JSON as the message. Some change whenever a field is read. */
const ODD: Readonly<Record<string, () => unknown>> = {
  "a plain object": () => ({ ...plain }),
  "a frozen object": () => Object.freeze({ ...plain }),
  "an object without a prototype": () => Object.assign(Object.create(null), plain),
  "an object of another realm": () => runInNewContext(`(${EXPECTED})`),
  "an object with toJSON": () => ({ phoneNumber: "+13125550142", toJSON: () => ({ ...plain }) }),
  "a payload with toJSON": () => ({ ...plain, rcsPayload: { toJSON: () => plain.rcsPayload } }),
  "a string object": () => ({ ...plain, smsFailover: new String("Hi") }),
  "an object with other fields that JSON leaves out": () => ({
    ...plain,
    note: undefined,
    log: () => {},
    [Symbol("s")]: 1,
  }),
  "getters that change with each read": () => {
    let reads = 0;
    return {
      get phoneNumber() {
        reads += 1;
        return reads === 1 ? plain.phoneNumber : "+13125550142";
      },
      webhookUrl: plain.webhookUrl,
      rcsPayload: plain.rcsPayload,
      smsFailover: plain.smsFailover,
    };
  },
  "a proxy that changes with each read": () => {
    let reads = 0;
    return new Proxy(
      { ...plain },
      {
        get: (target, name) => {
          if (name === "smsFailover") reads += 1;
          return reads > 1 ? "Bye" : Reflect.get(target, name);
        },
      },
    );
  },
};

const sending = () => {
  const bodies: unknown[] = [];
  const fetch = async (_: unknown, init: RequestInit) => {
    bodies.push(await new Response(init.body).text());
    return Response.json({ message: "Accepted", transactionId: "t-1" }, { status: 202 });
  };
  const { rcs } = clientsOf({ baseUrl: "https://rcs.example.com" }, { fetch });
  return { rcs, bodies };
};

test.each(Object.entries(ODD))("%s is sent as it was checked", async (_, make) => {
  const { rcs, bodies } = sending();
  await rcs.sendRcsText(make() as never);
  expect(bodies).toEqual([EXPECTED]);
});

test("a message is sent in the same bytes, whatever the format of its phone number and the order of its fields", async () => {
  const { rcs, bodies } = sending();
  const { phoneNumber, ...others } = plain;
  await rcs.sendRcsText({ ...others, phoneNumber });
  await rcs.sendRcsText({ ...plain, phoneNumber: "(206) 555-0123" });
  expect(bodies).toEqual([EXPECTED, EXPECTED]);
});

test("a polluted prototype adds nothing to a message, and does not complete one", async () => {
  const { rcs, bodies } = sending();
  const { smsFailover, ...others } = plain;
  Object.assign(Object.prototype, { note: "polluted" });
  try {
    await rcs.sendRcsText({ ...plain });
  } finally {
    Reflect.deleteProperty(Object.prototype, "note");
  }
  expect(bodies).toEqual([EXPECTED]);
  const error = await errorOf(rcs.sendRcsText(others as never));
  expect(error).toMatchObject({ code: "validation", outcome: "not_sent" });
  expect(smsFailover).toBe("Hi");
});

test("the bytes of any message that is sent satisfy the rules", async () => {
  const { rcs, bodies } = sending();
  const texts = fc.oneof(fc.string({ unit: "binary", maxLength: 20 }), fc.constant("Hi"));
  const phones = fc.oneof(fc.constantFrom("+12065550123", "(206) 555-0123", "+1206555012"), texts);
  await fc.assert(
    fc.asyncProperty(phones, texts, texts, async (phoneNumber, text, smsFailover) => {
      bodies.length = 0;
      const message = { ...plain, phoneNumber, rcsPayload: { text }, smsFailover };
      const sent = await rcs.sendRcsText(message).then(
        () => true,
        () => false,
      );
      expect(bodies).toHaveLength(sent ? 1 : 0);
      const body = sent ? JSON.parse(String(bodies[0])) : undefined;
      if (sent) expect(body).toEqual({ ...message, phoneNumber: "+12065550123" });
    }),
    { numRuns: 300 },
  );
});

test("isE164 accepts only strings that parsePhone returns unchanged", () => {
  const digit = fc.constantFrom(..."0123456789 -x+");
  const like = fc.array(digit, { minLength: 9, maxLength: 11 }).map((end) => `+1${end.join("")}`);
  const near = fc
    .tuple(fc.nat({ max: 11 }), fc.constantFrom(..."0123456789 -x+(１\n"))
    .map(([at, sign]) => `+12065550123`.slice(0, at) + sign + `+12065550123`.slice(at + 1));
  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof(like, near), (value) => {
      if (!isE164(value)) return;
      accepted += 1;
      expect(parsePhone(value)).toEqual({ e164: value });
    }),
    { numRuns: 5_000 },
  );
  expect(accepted).toBeGreaterThan(20);
});
