import { describe } from "vitest";
import { accountSchema } from "../../src/schemas/account.ts";
import { testAnswers, testFields } from "../support/field-table.ts";
import { account } from "../support/response-fixtures.ts";

describe("accountSchema", () => {
  testAnswers(accountSchema, { "an account": account });

  testFields(accountSchema, account, {
    id: "integer",
    email: "string",
    username: "string",
  });
});
