import { CLIENT_KIND } from "../clients/client-kind.ts";
import { invalidOption } from "../options/assertions.ts";

/**
 * Checks that a client calls its attempt guard, as those of this package do. Anything else, such as a test double, would send
 * without a claim.
 *
 * @throws TypeError that names the argument.
 */
export const assertClient = (name: string, client: unknown, api: "v2" | "transactional"): void => {
  if (Object(client)[CLIENT_KIND] === api) return;
  const expected = api === "v2" ? "a V2Client" : "a TransactionalClient";
  throw invalidOption(name, `${expected} of this package, not a test double`);
};
