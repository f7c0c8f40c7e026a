// A child process that claims each key that it reads, and prints what the ledger responds: `granted`, `found`, or the error.
import { createInterface } from "node:readline";
import { sqliteLedger } from "../../../src/bulk/ledgers/sqlite-ledger.ts";
import { claim } from "../../bulk/ledgers/claim.ts";

const ledger = sqliteLedger(process.argv[2] ?? "");
console.log("open");
for await (const key of createInterface({ input: process.stdin })) {
  const own = { ...claim, key, id: `${process.pid}-${key}`, ref: `${process.pid}-${key}` };
  const response = await ledger.claim(own).then(
    (found) => (found ? "found" : "granted"),
    (error: Error) => error.message,
  );
  console.log(response);
}
