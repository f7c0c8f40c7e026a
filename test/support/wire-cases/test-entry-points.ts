import { expect, test } from "vitest";
import { describeEntryPoints } from "./describe-entry-points.ts";
import type { EntryPoint } from "./entry-point.ts";
import { refusedCases } from "./refused-cases.ts";
import { transactionalCases } from "./transactional-cases.ts";
import { v2Cases } from "./v2-cases.ts";
import { expectResponse, toFetch } from "./wire-case.ts";
import { credentials } from "./world.ts";

/** Declares the tests that every entry point must pass. */
export const testEntryPoints = (entryPoints: readonly EntryPoint[]): void =>
  describeEntryPoints(entryPoints, (world) => {
    test.each([...v2Cases, ...transactionalCases, ...refusedCases])(
      "the fake responds as documented to: $name",
      async (wireCase) => {
        await wireCase.before?.(world.service);
        const { method, target, init } = toFetch(wireCase);
        await expectResponse(wireCase, await world.fetch(target, init));

        // Every entry point must record the same request.
        const url = new URL(target, "https://example.com");
        const recorded = world.service.requests.at(-1);
        expect(recorded).toMatchObject({
          method,
          path: url.pathname,
          query: Object.fromEntries(url.searchParams),
        });
        expect(recorded?.headers.accept).toBe("application/json");
        expect(recorded?.body).toEqual(wireCase.send);
      },
    );

    test("the fake never records credentials", async () => {
      for (const headers of [credentials.v2, credentials.transactional, credentials.v2WrongKey]) {
        await world.fetch("/api/v2/accounts/me", { headers });
      }
      expect(world.service.requests.map(({ headers }) => headers)).toMatchObject([
        { authorization: "[redacted]" },
        { "x-api-key": "[redacted]" },
        { authorization: "[redacted]" },
      ]);
      const told = JSON.stringify(world.service.requests);
      const { apiKey } = world.service.account;
      for (const secret of [apiKey, ...Object.values(credentials.v2), "wrong"]) {
        expect(told).not.toContain(secret);
      }
    });

    test("a path that begins with two slashes matches no route, and the fake quotes it as it was sent", async () => {
      const response = await world.fetch("//api/v2/lists", { headers: credentials.v2 });
      expect(response.status).toBe(501);
      expect(await response.text()).toContain("GET //api/v2/lists;");
      expect(world.service.requests[0]?.path).toBe("//api/v2/lists");
    });

    const createList = (list: object) =>
      world.fetch("/api/v2/lists/", {
        method: "POST",
        headers: credentials.v2,
        body: JSON.stringify({ list }),
      });

    test("a new list never replaces an existing one in the fake", async () => {
      await createList({ id: 10, name: "Duplicate" });
      await createList({ id: 12, name: "Duplicate of another account's list" });
      expect(world.service.subscribersOf(10)).toHaveLength(1);
    });

    test.each([{ keyword_names: "VIP" }, { opt_in_requests: 5 }, { opt_in_type: null }])(
      "the fake gives a documented response to a new list with $0",
      async (list) => {
        const response = await createList({ name: "New", ...list });
        expect(response.status).toBeOneOf([201, 422]);
        expect(response.headers.get("content-type")).toBe("application/json");
      },
    );
  });
