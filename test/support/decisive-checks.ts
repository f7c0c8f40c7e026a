/**
 * Number of ledger checks, from the end, that run every SQL statement of all checks, with every combination of null values. The
 * other checks cover the tables of states, which do not depend on the database library. pglite.full.test.ts compares both.
 */
export const DECISIVE_CHECKS = 69;
