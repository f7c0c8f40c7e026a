import { describe } from "vitest";
import { transactionSchema } from "../../src/schemas/index.ts";
import { testFields, testResponses } from "../support/tables/field-table.ts";
import { transaction } from "../support/tables/response-fixtures.ts";

describe("transactionSchema", () => {
  testResponses(transactionSchema, { "an acceptance": transaction });

  testFields(transactionSchema, transaction, {
    message: "string",
    transactionId: "string",
  });
});
