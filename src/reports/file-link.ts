import { isLoopback } from "../clients/base-url.ts";
import { linkError } from "./download-errors.ts";

/** Returns whether a file may be read from a URL: over https, or over http from this machine. */
const isAllowed = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && isLoopback(hostname));

/**
 * Returns the URL of a report's link.
 *
 * @throws {@link ValidationError} at `["s3_url"]` that does not quote the link.
 */
export const toFileUrl = (link: unknown): URL => {
  if (link === null || link === undefined) {
    throw linkError(
      "must be a URL: the report has no file. Wait until it is finished; one that is cancelled or has run errors gets none",
    );
  }
  const url = typeof link === "string" && URL.canParse(link) ? new URL(link) : undefined;
  if (!url || !isAllowed(url)) throw linkError("must be an https URL");
  if (url.username || url.password) throw linkError("must have no user name and no password");
  return url;
};

/**
 * Returns the URL that a redirect leads to.
 *
 * @throws {@link ValidationError} when it leaves https.
 */
export const toRedirectUrl = (location: string, from: URL): URL => {
  if (!URL.canParse(location, from)) throw linkError("must not redirect to an invalid URL");
  const target = new URL(location, from);
  // A download over https does not continue over http, not even on this machine.
  if (!isAllowed(target) || (from.protocol === "https:" && target.protocol !== "https:")) {
    throw linkError("must not redirect to a URL without https");
  }
  return target;
};
