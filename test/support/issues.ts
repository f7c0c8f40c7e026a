// Issues as the specification documents them, without their messages.

/** The issue of a string with more characters than `maximum`. */
export const tooBig = (maximum: number, ...path: readonly string[]) => ({
  code: "too_big",
  type: "string",
  maximum,
  inclusive: true,
  exact: false,
  path,
});

/** The issue of a string with fewer characters than `minimum`. */
export const tooSmall = (minimum: number, ...path: readonly string[]) => ({
  code: "too_small",
  type: "string",
  minimum,
  inclusive: true,
  exact: false,
  path,
});
