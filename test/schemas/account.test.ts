import { describe } from "vitest";
import { accountSchema } from "../../src/schemas/account.ts";
import { testAnswers, testFields } from "./field-table.ts";
import { account } from "./fixtures.ts";

describe("accountSchema", () => {
  testAnswers(accountSchema, { "an account": account });

  testFields(accountSchema, account, {
    id: "integer",
    email: "string",
    username: "string",
  });
});
