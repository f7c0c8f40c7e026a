import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createFakeService, type FakeService } from "messaging-service-client/testing";
import { type ListeningService, listen } from "messaging-service-client/testing/node";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import * as transactional from "../../src/wire/transactional.ts";
import * as v2 from "../../src/wire/v2.ts";
import { buildPrograms } from "../runtime/programs.ts";
import { FIXTURE, isThere, runtimes } from "../runtime/runtimes.ts";
import { checks } from "../runtime/suite/checks.ts";
import type { Results } from "../runtime/suite/index.ts";

if (!existsSync(join(FIXTURE, "node_modules/workerd"))) {
  try {
    execFileSync("npm", ["ci", "--prefer-offline"], { cwd: FIXTURE, stdio: "pipe" });
  } catch {
    console.warn("SKIPPED: other runtimes than this one, for they could not be installed");
  }
}

const operations = [...Object.values(v2), ...Object.values(transactional)];

/** A fake whose first answers make the suite repeat, wait and abort. */
const openFake = () => {
  const service = createFakeService();
  const lists = ["A", "B", "C"].map((name) => service.addList({ name }));
  const listId = lists[0]?.id ?? 0;
  const { phone_number: phone } = service.addSubscriber(listId);
  service.addScheduledMessage(listId);
  const reportId = service.addReport({ minutes: 0 }).id;
  service.failNext({ status: 503, endpoint: v2.getAccount.id });
  service.failNext({ fault: "hang", endpoint: v2.retrieveMomtReport.id, times: 2 });
  return { service, listId, phone, reportId };
};

beforeAll(() => buildPrograms(inject("application")));

for (const runtime of runtimes) {
  if (!isThere(runtime)) {
    console.warn(`SKIPPED: the suite in ${runtime.name}, for there is no ${runtime.command}`);
  }
  describe.runIf(isThere(runtime))(runtime.name, () => {
    let service: FakeService;
    let server: ListeningService;
    let results: Results;

    beforeAll(async () => {
      const { service: made, ...known } = openFake();
      service = made;
      server = await listen(service);
      const { v2BaseUrl, transactionalBaseUrl } = server;
      const { email, apiKey } = service.account;
      const settings = { v2BaseUrl, transactionalBaseUrl, email, apiKey, ...known };
      results = await runtime.run(settings, inject("application"));
    });
    afterAll(() => server.close());

    test.each(Object.keys(checks))("%s", (name) => expect(results[name]).toBe("passed"));

    test("the service saw every operation, two sends, and the GET that it refused twice", () => {
      const seen = (method: string, path: RegExp) =>
        service.requests.filter((request) => request.method === method && path.test(request.path));
      for (const { method, path, id } of operations) {
        const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);
        expect(seen(method, pattern).length, id).toBeGreaterThan(0);
      }
      expect(service.sends).toHaveLength(2);
      // Refused, repeated, and once more behind the throttle of its own.
      expect(seen("GET", /accounts\/me$/)).toHaveLength(3);
    });
  });
}
