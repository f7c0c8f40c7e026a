import { expect, test } from "vitest";
import { endpointIds } from "../../../src/testing/handlers/router.ts";
import { transactionalHandlers } from "../../../src/testing/handlers/transactional.ts";
import { v2Handlers } from "../../../src/testing/handlers/v2.ts";

test("the ids of the fake's endpoints are those of its handlers", () => {
  const handled = [...v2Handlers, ...transactionalHandlers].map(({ endpoint }) => endpoint.id);
  expect(endpointIds.toSorted()).toEqual(handled.toSorted());
});
