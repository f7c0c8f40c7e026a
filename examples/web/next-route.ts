// Next.js route handler: sends a text when an order is ready. Save it as app/orders/[id]/ready/route.ts, beside status-of.ts.
import { TransactionalClient } from "messaging-service-client";
import { responseTo } from "./status-of";

// Create the client on the first request, because `next build` loads this file without a key.
let client: TransactionalClient | undefined;

export async function POST(request: Request, context: { params: Promise<{ id: string }> }) {
  const { id } = await context.params;
  const order = await request.json().catch(() => null);
  if (order === null) return new Response("The body is not JSON.", { status: 400 });
  client ??= new TransactionalClient({ totalTimeout: 8_000 });
  try {
    const { transactionId } = await client.sendRcsText({
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
}
