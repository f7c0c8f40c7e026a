import { CLIENT_ACCESS, type ClientAccess } from "../clients/client-access.ts";
import { invalidOption } from "../options.ts";

/**
 * Returns the access to a client.
 *
 * @throws TypeError that names the argument if it is not a client of this package, such as a test double, which would
 * send without a claim.
 */
export const assertClient = (
  name: string,
  client: unknown,
  api: ClientAccess["api"],
): ClientAccess => {
  const access: ClientAccess | undefined = Object(client)[CLIENT_ACCESS];
  if (access?.api === api) return access;
  const expected = api === "v2" ? "a V2Client" : "a TransactionalClient";
  throw invalidOption(name, `${expected} of this package, not a test double`);
};
