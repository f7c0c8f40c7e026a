/** Replacement for data that a span must not show, as OpenTelemetry's conventions require. */
const REDACTED = "REDACTED";
/** Matches the id of a list or a report; a phone number has more digits. */
const ID = /^\d{1,9}$/;
/** Matches query parameters of pages and dates. */
const HARMLESS_QUERY =
  /^\?(?:(?:page|per_page|include_deleted|start_date|end_date)=(?:\d{1,8}|true|false)(?:&|$))+$/;

/**
 * Matches the endpoints of this package whose path has no placeholder. Any other such path is one of `request()`, and may
 * hold data.
 */
const WITHOUT_PLACEHOLDER =
  /^(GET \/api\/v2\/(accounts\/me|lists)|POST \/(api\/v2\/lists\/|transactional_messages\/send_rcs_(text|file)))$/;

/** Returns whether the path template of an endpoint certainly holds no data. */
export const isTemplate = (endpoint: string): boolean =>
  endpoint.includes("{") || WITHOUT_PLACEHOLDER.test(endpoint);

/** Returns a URL in which everything is redacted but the path template, ids, pages and dates. */
export const toSafeUrl = ({ origin, pathname, search }: URL, endpoint: string): string => {
  const query = search === "" || HARMLESS_QUERY.test(search) ? search : `?${REDACTED}`;
  // A very long path is shortened in events, so that its segments cannot be told from those of the client's `baseUrl`.
  if (endpoint.endsWith("…")) return `${origin}/${REDACTED}${query}`;
  const isSafe = isTemplate(endpoint);
  const segments = pathname.split("/");
  const expected = endpoint.split("/").slice(1);
  const first = segments.length - expected.length;
  const shown = segments.map((segment, index) => {
    // The path of the client's `baseUrl` precedes the template.
    if (index < first) return segment;
    const part = expected[index - first];
    const isShown = isSafe && (part === segment || (part === "{ID}" && ID.test(segment)));
    return isShown || segment === "" ? segment : REDACTED;
  });
  return origin + shown.join("/") + query;
};
