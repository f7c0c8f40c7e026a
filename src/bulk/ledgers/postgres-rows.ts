// The results of statements on Postgres, whose form depends on the driver.
import type { Row } from "./sql-database.ts";

const isObject = (value: unknown): value is object => Object(value) === value;

/** Describes how a result differs from an array of rows with these columns. Returns `undefined` if it does not. */
const describeMismatch = (result: unknown, columns: readonly string[]): string | undefined => {
  if (isObject(result) && !Array.isArray(result)) return "an object without `rows`";
  if (!Array.isArray(result)) return result == null ? `${result}` : `a ${typeof result}`;
  if (result.some(Array.isArray)) {
    const isRow = (row: unknown) =>
      Array.isArray(row) && row.length === columns.length && !row.some(isObject);
    return result.every(isRow)
      ? "rows that are arrays, not objects"
      : "rows within an array, such as [rows, metadata] of Sequelize or [rows, count] of TypeORM";
  }
  for (const row of result) {
    if (!isObject(row)) return "rows that are not objects";
    const missing = columns.find((column) => !Object.hasOwn(row, column));
    if (missing !== undefined)
      return `rows without the column \`${missing}\`, such as renamed ones`;
    const values = Object.values(row);
    // The names of the other columns may be data, so the description does not list them.
    if (values.length > columns.length) return "rows with columns that the statement does not have";
    if (values.some(isObject)) return "values that were converted to objects";
  }
  return undefined;
};

/** Creates the error for a result that a statement cannot have. */
export const mismatchError = (mismatch: string): TypeError =>
  new TypeError(
    `a statement of the ledger resulted in ${mismatch}: pass an object whose \`query\` resolves to the rows alone, as objects with the columns of the statement (the guide on databases has one for each library)`,
  );

/**
 * Returns the result of a statement as rows with exactly its columns. Drivers differ, and a ledger that misreads a result could
 * mistake a refused claim for a granted one.
 */
export const toRows = (result: unknown, columns: readonly string[]): readonly Row[] => {
  const mismatch = describeMismatch(result, columns);
  if (mismatch !== undefined) throw mismatchError(mismatch);
  return result as readonly Row[];
};
