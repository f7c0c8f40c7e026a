/** Patterns from the root of the repository: the code that is mutated together, and the tests that must detect it. */
export interface Area {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
}

export const AREAS: Readonly<Record<string, Area>> = {
  rules: {
    mutate: ["src/rules/**/*.ts", "!src/rules/phone-metadata.ts"],
    tests: ["test/{rules,schemas}/**/*.test.ts"],
  },
  pages: {
    mutate: ["src/paging/**/*.ts", "src/wire/checks.ts"],
    tests: [
      "test/paging/**/*.test.ts",
      "test/reliability/pages/{changing-lists,pages}.test.ts",
      "test/wire/*-issue.test.ts",
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
    mutate: ["src/{http,responses}/**/*.ts"],
    tests: [
      "test/{http,responses,clients}/**/*.test.ts",
      "test/reliability/{bodies,callbacks,interruptions,not-sent}/*.test.ts",
    ],
  },
  bulk: {
    mutate: ["src/bulk/**/*.ts"],
    tests: [
      "test/bulk/{ending,input,item-states,ledger,message,preview-many,rate-limit,remove-many}.test.ts",
      "test/bulk/{reused-object,run-result,send-many,send-once,stop-reasons,unconfirmed-settle,waits}.test.ts",
      "test/bulk/ledgers/{memory,postgres,sqlite,sqlite-files,sqlite-locks}.test.ts",
      "test/reliability/bulk/{failing-ledger,queue}.test.ts",
    ],
  },
};
