import { describe, expect, test } from "vitest";
import { endpointIds } from "../../src/testing/handlers/router.ts";
import * as transactional from "../../src/wire/transactional.ts";
import * as v2 from "../../src/wire/v2.ts";
import { makeExchanges } from "../tools/openapi/examples.ts";

const ids = [...Object.values(v2), ...Object.values(transactional)].map(({ id }) => id).toSorted();

describe("the endpoints", () => {
  test("each endpoint has a handler in the fake, and can be named in failNext", () => {
    expect(endpointIds.toSorted()).toEqual(ids);
  });

  test("each endpoint has a method of a client that calls it", async () => {
    const exchanges = await makeExchanges();
    const called = new Set(exchanges.map(({ endpointId }) => endpointId));
    expect([...called].toSorted()).toEqual(ids);
  });
});
