// The fields of the service's schemas, for those of the fake, which are made at the import.

import * as fields from "../../schemas/fields.ts";

export { listOf, mustBe, oneOf, rule } from "../../schemas/fields.ts";

export const string = /* @__PURE__ */ fields.string();
export const boolean = /* @__PURE__ */ fields.boolean();
export const integer = /* @__PURE__ */ fields.integer();
export const number = /* @__PURE__ */ fields.number();
export const stringOrNull = /* @__PURE__ */ fields.stringOrNull();
export const optionalBoolean = /* @__PURE__ */ fields.optionalBoolean();
