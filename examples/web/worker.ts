// Cloudflare Worker: sends a text when an order is ready.
import { TransactionalClient } from "messaging-service-client";
import { responseTo } from "./status-of.ts";

interface Env {
  readonly MESSAGING_TRANSACTIONAL_BASE_URL: string;
  readonly MESSAGING_TRANSACTIONAL_API_KEY: string;
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const [, id] = /^\/orders\/(\w+)\/ready$/.exec(new URL(request.url).pathname) ?? [];
    if (request.method !== "POST" || id === undefined) return new Response(null, { status: 404 });
    const order = (await request.json().catch(() => null)) as { phone: string } | null;
    if (order === null) return new Response("The body is not JSON.", { status: 400 });
    const rcs = new TransactionalClient({
      baseUrl: env.MESSAGING_TRANSACTIONAL_BASE_URL,
      apiKey: env.MESSAGING_TRANSACTIONAL_API_KEY,
      totalTimeout: 8_000,
    });
    try {
      const { transactionId } = await rcs.sendRcsText({
        phoneNumber: order.phone,
        webhookUrl: "https://example.com/webhooks/messages",
        rcsPayload: { text: `Order ${id} is ready 🎉` },
        smsFailover: `Order ${id} is ready`,
      });
      return Response.json({ transactionId }, { status: 202 });
    } catch (error) {
      const answer = responseTo(error);
      if (answer === undefined) throw error;
      return Response.json(answer.body, answer);
    }
  },
};
