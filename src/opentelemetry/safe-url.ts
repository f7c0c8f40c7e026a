/** What stands for data that a span must not show, as OpenTelemetry's conventions ask. */
const REDACTED = "REDACTED";
/** An id of a list or a report; a phone number has more digits. */
const ID = /^\d{1,9}$/;
/** Queries of pages and dates. */
const HARMLESS_QUERY =
  /^\?(?:(?:page|per_page|include_deleted|start_date|end_date)=(?:\d{1,8}|true|false)(?:&|$))+$/;

/** Returns a URL with nothing in it that the path template does not show, but ids, pages and dates. */
export const toSafeUrl = ({ origin, pathname, search }: URL, template: string): string => {
  const segments = pathname.split("/");
  const expected = template.split("/").slice(1);
  const first = segments.length - expected.length;
  const shown = segments.map((segment, index) => {
    // In front of the template stands the path of the client's `baseUrl`.
    const part = index < first ? segment : expected[index - first];
    return part === segment || (part === "{ID}" && ID.test(segment)) ? segment : REDACTED;
  });
  const query = search === "" || HARMLESS_QUERY.test(search) ? search : `?${REDACTED}`;
  return origin + shown.join("/") + query;
};
