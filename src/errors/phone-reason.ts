/** The reasons for which a phone number is refused. */
export const phoneReasons = [
  /** Nothing was typed. */
  "empty",
  /** There are too few digits, but more of them can make a valid number. */
  "incomplete",
  /** There are more than ten digits after the country code. */
  "too_long",
  /** There are letters beside the digits, or instead of them. */
  "letters",
  /** There is a sign that no common format has. */
  "symbols",
  /** A text message cannot reach an extension. */
  "extension",
  /** A short code, such as 911 or 78787, which no valid number begins with. */
  "short_code",
  /** The country code, or the area code, is of another country. */
  "other_country",
  /** No number that begins like this is in service. */
  "not_assigned",
] as const;

/** Why a phone number is refused. */
export type PhoneReason = (typeof phoneReasons)[number];
