import { invalidOption } from "../options.ts";
import { isSecureUrl } from "../rules/https-url.ts";

/**
 * Converts a base URL to one without a slash at its end.
 *
 * @param pathPrefix Start of every path of the API, which the base must not repeat.
 * @throws TypeError if the URL is malformed or not allowed; the error never quotes the URL, which may hold a password.
 */
export const toBaseUrl = (url: string, allowInsecureHttp: boolean, pathPrefix: string): string => {
  const refuse = (expected: string) => invalidOption("baseUrl", expected);
  if (!URL.canParse(url)) throw refuse("an absolute URL, such as https://app.example.com");
  const base = new URL(url);
  const { protocol, username, password, search, hash, origin, pathname } = base;
  if (username || password) throw refuse("without a user name and a password");
  if (search || hash) throw refuse("without a query and a fragment");
  if (protocol !== "https:" && protocol !== "http:") throw refuse("an https URL");
  if (!allowInsecureHttp && !isSecureUrl(base)) {
    throw refuse("an https URL, unless its host is loopback or `allowInsecureHttp` is true");
  }
  const path = pathname.replace(/\/+$/, "");
  if (path.toLowerCase().endsWith(pathPrefix))
    throw refuse(`without ${pathPrefix} at its end, because every path begins with it`);
  return origin + path;
};
