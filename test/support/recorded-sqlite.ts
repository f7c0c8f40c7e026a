// A SQLite ledger whose SQL a test can inspect.
import { DatabaseSync } from "node:sqlite";
import { vi } from "vitest";
import { sqliteLedger } from "../../src/bulk/ledgers/sqlite-ledger.ts";

/** Opens a ledger, and calls a function with each SQL string that it executes, prepares or runs as a statement. */
export const recordedLedger = (
  path: string,
  onSql: (kind: "exec" | "prepare" | "run", sql: string) => void,
) => {
  class Recorded extends DatabaseSync {
    override exec(sql: string): void {
      onSql("exec", sql);
      super.exec(sql);
    }
    override prepare(sql: string) {
      onSql("prepare", sql);
      const statement = super.prepare(sql);
      const all = statement.all.bind(statement);
      statement.all = ((...values: string[]) => {
        onSql("run", sql);
        return all(...values);
      }) as typeof all;
      return statement;
    }
  }
  const { getBuiltinModule } = process;
  const builtIn = vi.spyOn(process, "getBuiltinModule");
  builtIn.mockImplementation(((name: string) =>
    name === "node:sqlite"
      ? { DatabaseSync: Recorded }
      : getBuiltinModule.call(process, name)) as never);
  try {
    return sqliteLedger(path);
  } finally {
    builtIn.mockRestore();
  }
};
