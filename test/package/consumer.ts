// What an application writes, as the compilers of the matrix must take it. Each `@ts-expect-error` is a mistake of
// the application that its compiler must find.

const uses = `
const service = createFakeService();
const { email, apiKey } = service.account;
const v2 = new V2Client({ baseUrl: service.v2BaseUrl, email, apiKey, fetch: service.fetch });
const rcs = new TransactionalClient({ apiKey, onEvent: (event) => console.log(event.type) });
const parsed: List = listSchema.parse({});
const aloneToo: [V2Alone, TransactionalAlone] = [v2, rcs];

export const run = async (): Promise<void> => {
  for await (const list of v2.lists.list({ per_page: 100 }, { prefetch: true })) {
    const name: string = list.name;
    // @ts-expect-error: a name is a text
    const wrong: number = list.name;
    console.log(name, wrong);
  }
  const page: Page<List> = await v2.lists.list();
  const { data, response }: ApiResponse<List> = await v2.lists.create({ name: "VIP" }).withResponse();
  const result = await v2.lists.configureOptIn(data.id, { opt_in_type: "single" });
  const text: string | null = result.first_optin_message;
  // @ts-expect-error: a single opt-in has no steps
  const steps = result.opt_in_requests;
  const listening = await listen(service);
  console.log(page.items.length, response.status, text, steps, listening.v2BaseUrl, parsed, aloneToo);
  try {
    const { transactionId } = await rcs.sendRcsText({
      phoneNumber: "+12065550123",
      webhookUrl: "https://example.com/webhooks",
      rcsPayload: { text: "Hi" },
      smsFailover: "Hi",
    });
    // @ts-expect-error: the fallback is required
    await rcs.sendRcsText({ phoneNumber: "1", webhookUrl: "", rcsPayload: { text: "" } });
    console.log(transactionId);
  } catch (error) {
    if (ValidationError.is(error)) for (const { path } of error.errors) console.log(path.join("."));
    if (MessagingServiceError.is(error)) {
      switch (error.code) {
        case "rate_limit":
          console.log(error.retryAfterMs);
          break;
        case "timeout":
          console.log(error.phase);
          break;
        default:
          console.log(error.outcome);
      }
    }
  }
};
`;

const imports = {
  "messaging-service-client":
    "V2Client, TransactionalClient, MessagingServiceError, ValidationError, type List, type Page, type ApiResponse",
  "messaging-service-client/v2": "V2Client as V2Alone",
  "messaging-service-client/transactional": "TransactionalClient as TransactionalAlone",
  "messaging-service-client/schemas": "listSchema",
  "messaging-service-client/testing": "createFakeService",
  "messaging-service-client/testing/node": "listen",
};

export const consumer = `${Object.entries(imports)
  .map(([specifier, names]) => `import { ${names} } from "${specifier}";`)
  .join("\n")}\n${uses}`;
