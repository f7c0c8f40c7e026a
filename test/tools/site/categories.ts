/** Categories of exports in the order in which a reader meets them. An export belongs to the first whose names match. */
export const CATEGORIES: readonly (readonly [title: string, names: RegExp])[] = [
  ["Clients", /^(V2Client|TransactionalClient)$/],
  [
    "Calls",
    /^(Accounts|Lists|Subscribers|ScheduledMessages|MomtReports|CustomRequest|Method|StandardSchema)$/,
  ],
  [
    "The fake service",
    /^(createFakeService|FakeService|FakeServiceOptions|listen|Listen.*|handlersFor|Answered)$/,
  ],
  ["Promises and pages", /^(Api(Promise|Response)|Page.*|Resume)$/],
  ["The opt-in machine", /^([oO]ptIn(Transition|State|Event|Condition|Answer))/],
  ["Errors", /Error$|^(Outcome|ThrottleReason|ValidationIssue)$/],
  ["Events", /Event$/],
  ["Throttle", /Throttle|^(throttleFrom|Limiter|AcquireOptions)$/],
  ["Options", /Options$|^(ResponseValidation|HeaderFields|FetchLike)$/],
  [
    "Rules",
    /^(toE164|isUsOrCanadianNumber|.*Gsm7.*|checkFile|CheckedFile|.*ContentTypes?|maxFileBytes)$/,
  ],
  ["What goes in", /^(New|ReceivedText|HostedFile|Duration)/],
  [
    "What came out",
    /^(\w+Message|RecordedRequest|AcceptedSend|Webhook|Fake(Account|List|Phone|State)|PhoneOptIn)$/,
  ],
  ["Failures", /^(Fault|FakeEndpoint|RequestFilter|\w+Failure|FailureEffect)$/],
  ["Entry points", /^Fake(Request|Response)$/],
  ["Schemas", /Schema$/],
  ["Resources and messages", /./],
];

/** Returns the category of an export. */
export const categoryOf = (name: string): string =>
  CATEGORIES.find(([, names]) => names.test(name))?.[0] ?? "";
