/** Categories of exports, in the order in which a reader needs them. An export belongs to the first category with a matching name. */
export const CATEGORIES: readonly (readonly [title: string, names: RegExp])[] = [
  ["Clients", /^(V2Client|TransactionalClient)$/],
  [
    "Methods of the clients",
    /^(Accounts|Lists|Subscribers|ScheduledMessages|MomtReports|Custom(Request|Data|ResponseType)|Method|QueryValue|StandardSchema)$/,
  ],
  [
    "The fake service",
    /^(createFakeService|FakeService|FakeServiceOptions|listen|Listen.*|handlersFor)$/,
  ],
  [
    "Durable sends",
    /^(sendOnce|sendMany|removeMany|previewMany|SentOnce|(SendOnce|SendMany|RemoveMany|PreviewMany)Options|RcsMessage|RcsFileItem|(With)?ToMessage|MessageContext|Items|Item(Result|State)|(BulkR|R)un\w*|Skip(Note|Reason)|StopReason|Preview|(Invalid|Duplicate)Row|FallbackSize)$/,
  ],
  [
    "Ledgers",
    /^(\w+Ledger|(Postgres|Sqlite)LedgerOptions|ForgetFilter|Ledger(?!Error)\w*|ledgerChecks|Sqlite\w+|Queryable)$/,
  ],
  ["Reports", /^(downloadReport|Download\w+)$/],
  ["Tracing", /^([tT]raced\w*|AttributeValues|(?!Ky|Fetch|Dispatcher)\w+Like)$/],
  ["Promises and pages", /^(Api(Promise|Response)|Page.*)$/],
  ["The opt-in machine", /^[oO]ptIn(Transitions?|State|Event|Condition|Message)$/],
  [
    "Errors",
    /Error$|^(Outcome|(Throttle|LedgerError)Reason|ValidationIssue|CallContext|ResponseDetails)$/,
  ],
  ["Events", /Event$|^(ClientEventListener|FakeServiceListener)$/],
  ["Throttle", /Throttle|^(throttleFrom|Limiter|AcquireOptions|Pace\w+|Slot)$/],
  [
    "Rules",
    /^(toE164|isUsOrCanadianNumber|checkPhone|[pP]hone(Check|Reasons?)|InvalidPhone|ValidPhone|\w*Gsm7\w*|fitSms|FitSmsOptions|FittedSms|checkFile|CheckFileOptions|CheckedFile|is(File|Webhook)Url|\w*ContentTypes?|max[A-Z]\w+|collectedDataTypes|successActions)$/,
  ],
  [
    "Failures",
    /^(Fault|FakeEndpoint|RequestFilter|\w+Failure|FailureEffect|Latency\w+|RateLimit\w+)$/,
  ],
  [
    "Options",
    /Options$|^(ResponseValidation|HeaderFields|FetchLike|fetchFrom|KyLike|DispatcherLike|IdMode)$/,
  ],
  ["Test data", /^(New|ReceivedText|HostedFile|Duration)/],
  ["Webhooks", /^(Webhook\w*|PostWebhook)$/],
  [
    "Records of the fake service",
    /^((Sent|Received|Phone)Message|RecordedRequest|AcceptedSend|Fake(Account|List|Phone|State)|PhoneOptIn)$/,
  ],
  ["Requests and responses", /^Fake(Request|Response)$/],
  ["Schemas", /Schema$/],
  ["Resources and messages", /./],
];

/** Returns the category of an export. */
export const categoryOf = (name: string): string =>
  CATEGORIES.find(([, names]) => names.test(name))?.[0] ?? "";
