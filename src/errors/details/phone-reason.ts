/** Reasons why a phone number is refused. */
export const phoneReasons = [
  /** Nothing was typed. */
  "empty",
  /** There are too few digits, but more of them can make a valid number. */
  "incomplete",
  /** There are more than ten digits after the country code. */
  "too_long",
  /** There are letters among the digits, or instead of them. */
  "letters",
  /** There is a character that no common format has. */
  "symbols",
  /** A text message cannot reach an extension. */
  "extension",
  /** It is a short code, such as 911 or 78787, and no valid number begins with it. */
  "short_code",
  /** The country code or the area code belongs to another country. */
  "other_country",
  /** No number that begins like this is in service. */
  "not_assigned",
] as const;

/** Reason why a phone number is refused. */
export type PhoneReason = (typeof phoneReasons)[number];
