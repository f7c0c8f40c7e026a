/**
 * Number of the last ledger checks that make every statement that all checks make, with each combination of values that are null. The
 * others follow the tables of states, which do not depend on the library of the database. pglite.full.test.ts compares the two.
 */
export const DECISIVE_CHECKS = 69;
