/** Patterns from the root of the repository: the code that is mutated together, and the tests that must detect it. */
export interface Area {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
}

export const AREAS: Readonly<Record<string, Area>> = {
  rules: {
    mutate: ["src/rules/**/*.ts", "!src/rules/phone-metadata.ts"],
    // Without the tests of random values and of large inputs, which take a minute for each mutant that survives.
    tests: [
      "test/rules/{calendar-day,check-phone,content-type,fit-sms,gsm7,https-url,opt-in-steps,phone}.test.ts",
      "test/rules/{rcs-text,refusals,refused-extensions,sms-failover,timestamp,to-gsm7}.test.ts",
      "test/schemas/**/*.test.ts",
    ],
  },
  pages: {
    mutate: ["src/paging/**/*.ts"],
    tests: [
      "test/paging/**/*.test.ts",
      "test/reliability/pages/{changing-lists,pages}.test.ts",
      "test/wire/response-issues.test.ts",
      "test/resources/*.test.ts",
    ],
  },
  throttle: {
    mutate: ["src/throttle/**/*.ts"],
    tests: [
      "test/throttle/**/*.test.ts",
      "test/clients/throttle-option.test.ts",
      "test/reliability/throttle/throttle.test.ts",
    ],
  },
  http: {
    mutate: [
      "src/{http,responses}/**/*.ts",
      "src/reports/{check-file,redirects}.ts",
      "!src/http/{dispatched-response,dispatcher,fetch-attempt,fetch-from,platform,platform-web}.ts",
    ],
    tests: [
      "test/{responses,clients}/**/*.test.ts",
      "test/http/{events,request,retry}/*.test.ts",
      "test/http/{api-promise,attempt-guard,attempts,call-timer}.test.ts",
      "test/reports/{check-file,check-file-redirects}.test.ts",
      "test/http/{dispatcher,fetch-from,never-throws,options,outcome,redirects,dispatched-response,platform}.test.ts",
      "test/reliability/{callbacks,not-sent}/*.test.ts",
    ],
  },
  carriers: {
    mutate: [
      "src/http/{dispatched-response,dispatcher,fetch-attempt,fetch-from,platform,platform-web}.ts",
    ],
    tests: ["test/http/{dispatcher,dispatcher-interceptors,fetch-from,handlers}.test.ts"],
  },
  bulk: {
    mutate: [
      "src/bulk/{bulk-run,delivery,input,message,names,pauses}.ts",
      "src/bulk/{preview-many,remove-many,run,run-options,run-stops,run-tally,send-many}.ts",
      "src/bulk/{send-once,timed-ledger}.ts",
      "src/yielder.ts",
      "src/wait-for.ts",
    ],
    tests: [
      "test/bulk/{callbacks,ending,event-loop,input,item-states,message,preview-many,rate-limit}.test.ts",
      "test/bulk/{remove-many,reused-object,send-many,send-once,stop-reasons}.test.ts",
      "test/bulk/{unconfirmed-settle,waiting-items,waits}.test.ts",
      "test/reliability/bulk/{failing-ledger,stops}.test.ts",
    ],
  },
  ledgers: {
    mutate: [
      "src/bulk/ledgers/{ledger,memory-ledger,sql-database,sql-ledger,sql-statements,sqlite-files,sqlite-ledger}.ts",
    ],
    tests: [
      "test/bulk/ledgers/{filters,growth.timed.full,memory,rows,sqlite,sqlite-files,sqlite-locks,sqlite-place,steps}.test.ts",
    ],
  },
  postgres: {
    mutate: ["src/bulk/ledgers/postgres-ledger.ts"],
    tests: ["test/bulk/ledgers/{late-statements,pglite.full,postgres}.test.ts"],
  },
};
