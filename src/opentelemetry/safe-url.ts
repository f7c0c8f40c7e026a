/** Replacement for data that a span must not show, as OpenTelemetry's conventions require. */
const REDACTED = "REDACTED";
/** Matches the id of a list or a report; a phone number has more digits. */
const ID = /^\d{1,9}$/;
/** Matches query parameters of pages and dates. */
const HARMLESS_QUERY =
  /^\?(?:(?:page|per_page|include_deleted|start_date|end_date)=(?:\d{1,8}|true|false)(?:&|$))+$/;

/** Returns a URL in which everything is redacted but the path template, ids, pages and dates. */
export const toSafeUrl = ({ origin, pathname, search }: URL, template: string): string => {
  const segments = pathname.split("/");
  const expected = template.split("/").slice(1);
  const first = segments.length - expected.length;
  const shown = segments.map((segment, index) => {
    // The path of the client's `baseUrl` precedes the template.
    const part = index < first ? segment : expected[index - first];
    return part === segment || (part === "{ID}" && ID.test(segment)) ? segment : REDACTED;
  });
  const query = search === "" || HARMLESS_QUERY.test(search) ? search : `?${REDACTED}`;
  return origin + shown.join("/") + query;
};
