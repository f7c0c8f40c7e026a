import { globSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as transactional from "../../../src/core/wire/transactional.ts";
import * as v2 from "../../../src/core/wire/v2.ts";
import { endpointIds, findRoute } from "../../../src/testing/service/router.ts";
import { ROOT, readPage } from "../../docs/pages.ts";
import { refusedCases } from "../../support/wire-cases/refused-cases.ts";
import { transactionalCases } from "../../support/wire-cases/transactional-cases.ts";
import { v2Cases } from "../../support/wire-cases/v2-cases.ts";
import type { WireCase } from "../../support/wire-cases/wire-case.ts";
import { makeExchanges } from "../../tools/openapi/examples.ts";
import { transactionalOperations, v2Operations } from "../../tools/openapi/operations.ts";

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

  test.each<[string, (wireCase: WireCase) => boolean]>([
    ["a success", ({ status }) => status < 300],
    ["a request without credentials", ({ as, status }) => as === "none" && status === 401],
  ])("each endpoint has a wire case of %s", (_, isKind) => {
    const cases = [...v2Cases, ...transactionalCases, ...refusedCases].filter(isKind);
    const tried = cases.map(({ request }) => {
      const [method = "", path = ""] = request.replace(/\?.*/, "").split(" ");
      return findRoute({ method, path, query: {}, headers: {}, body: "" })?.endpoint.id;
    });
    expect([...new Set(tried)].toSorted()).toEqual(ids);
  });

  test.each([
    "test/core/resources/!(endpoints).test.ts",
    "test/runtimes/suite/*.ts",
    "test/types/*.test-d.ts",
    "docs/guides/lists-and-pages.md",
    "docs/agents.md",
  ])("the method of each endpoint is in %s", (pattern) => {
    const text = globSync(pattern, { cwd: ROOT }).map(readPage).join("");
    const methods = [...v2Operations, ...transactionalOperations].map(
      ({ example }) => /\b(?:v2|rcs)\.([\w.]+)/.exec(`${example}`)?.[1] ?? "no method",
    );
    // The page for agents may leave out the group of a method.
    const group = pattern === "docs/agents.md" ? /.*\./ : "";
    expect(methods.filter((method) => !text.includes(method.replace(group, "")))).toEqual([]);
  });
});
