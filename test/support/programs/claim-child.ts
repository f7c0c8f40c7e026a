// A child process that claims every key of a batch in a SQLite file that several processes share.
import { sqliteLedger } from "../../../src/bulk/ledgers/sqlite-ledger.ts";

const [, , path = "", owner = "", keys = "", startAt = ""] = process.argv;
// All processes create the file at the same moment.
while (Date.now() < Number(startAt));

const ledger = sqliteLedger(path);
const taken: string[] = [];
for (let number = 0; number < Number(keys); number += 1) {
  const key = `${number}`;
  const at = new Date().toISOString();
  const claim = {
    id: `${owner}-${key}`,
    batch: "b",
    key,
    digest: "d",
    ref: `${owner}-${key}`,
    owner,
    at,
  };
  if ((await ledger.claim(claim)) === undefined) taken.push(key);
}
await ledger.close();
console.log(JSON.stringify(taken));
