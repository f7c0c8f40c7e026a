import { describe, expect, test } from "vitest";
import * as transactional from "../../../src/core/wire/transactional.ts";
import * as v2 from "../../../src/core/wire/v2.ts";
import { endpointIds, findRoute } from "../../../src/testing/service/router.ts";
import { openHeld } from "../../support/held-clients.ts";
import { ENDPOINTS, type Specified, toPath } from "../../support/tables/specification.ts";
import { refusedCases } from "../../support/wire-cases/refused-cases.ts";
import { transactionalCases } from "../../support/wire-cases/transactional-cases.ts";
import { v2Cases } from "../../support/wire-cases/v2-cases.ts";
import type { WireCase } from "../../support/wire-cases/wire-case.ts";

const ids = [...Object.values(v2), ...Object.values(transactional)].map(({ id }) => id).toSorted();

describe("the endpoints", () => {
  test("each endpoint has a handler in the fake, and can be named in failNext", () => {
    expect(endpointIds.toSorted()).toEqual(ids);
  });

  test.each(Object.entries<Specified>(ENDPOINTS))(
    "the method of %s sends the request of the specification, and resolves to the data of the response",
    async (_, { method, path, required, calls: [call] }) => {
      const { service, held } = openHeld();
      const { data, body } = await call(held).withResponse();
      const [request, ...others] = service.requests;
      expect(request?.method).toBe(method);
      expect(decodeURIComponent(request?.path ?? "")).toBe(toPath(path, held));
      expect(others).toEqual([]);
      const [[field = "", type] = []] = Object.entries(required);
      const fields = body as Readonly<Record<string, unknown>>;
      if (type === "string") expect(data).toEqual(body);
      if (type === "object") expect(data).toEqual(fields[field]);
      if (type === "array") {
        const { [field]: items, page, per_page, count, pages_count } = fields;
        expect(data).toMatchObject({ items, page, per_page, count, pages_count });
      }
    },
  );

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
});
