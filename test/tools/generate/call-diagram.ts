import { V2Client, ValidationError } from "../../../src/index.ts";
import { createFakeService } from "../../../src/testing/index.ts";

/** Runs a call that is retried after a 503. Returns its steps as a Mermaid sequence diagram. */
export async function callDiagram(): Promise<string> {
  const lines: string[] = [];
  const say = (line: string) => lines.push(`  ${line}`);
  const service = createFakeService();
  const { id } = service.addList();
  const v2 = new V2Client({
    baseUrl: service.v2BaseUrl,
    email: service.account.email,
    apiKey: service.account.apiKey,
    retry: { backoff: { initial: 1, max: 1 } },
    throttle: {
      acquire: async () => {
        say("Client->>Throttle: may an attempt start?");
        say("Throttle-->>Client: yes, a slot is free");
      },
    },
    fetch: async (url, init) => {
      const response = await service.fetch(url, init);
      say(`Client->>Service: ${init.method} ${new URL(url).pathname.replace(`/${id}`, "/{ID}")}`);
      say(`Service-->>Client: ${response.status}`);
      return response;
    },
    onEvent: (event) => {
      if (event.type !== "retry") return;
      say(`Note over Client: a GET may be repeated after a ${event.status}, after a pause`);
    },
  });

  const refused = await v2.lists.retrieve(-1).catch((error: unknown) => error);
  if (lines.length > 0 || !ValidationError.is(refused)) throw new Error("no rule refused it");
  say("App->>Client: v2.lists.retrieve(listId)");
  say("Note over Client: the rules refuse a wrong argument here, and nothing is sent");
  service.failNext({ status: 503 });
  const list = await v2.lists.retrieve(id);
  say("Note over Client: the response holds the required fields");
  if (list.id !== id) throw new Error("another list");
  say("Client-->>App: the list");
  return ["```mermaid", "sequenceDiagram", ...lines, "```"].join("\n");
}
