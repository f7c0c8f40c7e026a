// The service, and what may happen to a request on the way to the service and back.
import { subscriber } from "../tables/specification.ts";
import type { Fate } from "./process.ts";

const HOST = "service.example.com";
export const BASE_URL = `https://${HOST}`;

const REFUSAL = {
  error: "Invalid request",
  errors: [{ code: "custom", message: "is not allowed", path: ["rcsPayload", "text"] }],
};

const page = (status: number) => () => new Response("<html>Sorry</html>", { status });

const noConnection = (): never => {
  const names = { code: "ENOTFOUND", syscall: "getaddrinfo", hostname: HOST };
  throw new TypeError("fetch failed", { cause: Object.assign(new Error("no host"), names) });
};

/** Request that the service has accepted. */
interface Acceptance {
  /** Name of the process that sent it. */
  readonly from: string;
  /** `ref` of the message. */
  readonly ref: string;
  /** Whether the request is a removal, which may be repeated. */
  readonly isRemoval: boolean;
}

export class Service {
  readonly accepted: Acceptance[] = [];

  /** Returns what may happen to a request. */
  fatesOf(from: string, { method, body }: RequestInit): readonly Fate<Response>[] {
    const message = body ? JSON.parse(String(body)) : {};
    const ref = String(message.webhookUrl).split("/").at(-1) ?? "";
    const isRemoval = method === "DELETE";
    const accept = () => {
      this.accepted.push({ from, ref, isRemoval });
      return isRemoval
        ? Response.json({ status: "success", subscriber: { ...subscriber, phone_number: PHONE } })
        : Response.json({ message: "Accepted", transactionId: `t-${from}` }, { status: 202 });
    };
    const lose = () => {
      accept();
      throw new TypeError("fetch failed");
    };
    const event = { isEvent: true, hasEffect: false };
    return [
      { text: "it is accepted", isEvent: false, hasEffect: true, act: accept },
      { text: "it is accepted, and the response is lost", ...event, act: lose },
      {
        text: "it is refused in the documented way",
        ...event,
        act: () => Response.json(REFUSAL, { status: 400 }),
      },
      { text: "a page in HTML refuses it with 403", ...event, act: page(403) },
      { text: "a page in HTML fails it with 500", ...event, act: page(500) },
      { text: "it is one too many: 429", ...event, act: () => Response.json({}, { status: 429 }) },
      { text: "it finds no connection", ...event, act: noConnection },
    ];
  }
}

export const PHONE = "+12065550100";
