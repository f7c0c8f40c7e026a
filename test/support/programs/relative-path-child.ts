// A child process that opens a ledger at a relative path, and changes its working directory before it uses the ledger.
import { sqliteLedger } from "../../../src/bulk/ledgers/sqlite-ledger.ts";
import { claim } from "../../bulk/ledgers/claim.ts";

const ledger = sqliteLedger("sends.db");
process.chdir(process.argv[2] ?? "");
await ledger.claim(claim);
await ledger.close();
