import { describe } from "vitest";
import { accountSchema } from "../../src/schemas/index.ts";
import { testFields, testResponses } from "../support/tables/field-table.ts";
import { account } from "../support/tables/response-fixtures.ts";

describe("accountSchema", () => {
  testResponses(accountSchema, { "an account": account });

  testFields(accountSchema, account, {
    id: "integer",
    email: "string",
    username: "string",
  });
});
