// AWS Lambda behind API Gateway: the route `POST /orders/{id}/ready` sends a text when an order is ready.
import type { APIGatewayProxyHandlerV2 } from "aws-lambda";
import { TransactionalClient } from "messaging-service-client";
import { responseTo } from "./status-of.ts";

const rcs = new TransactionalClient({ totalTimeout: 8_000 }); // less than the timeout of the function

export const handler: APIGatewayProxyHandlerV2 = async ({ pathParameters, body }) => {
  const id = pathParameters?.id ?? "";
  const order = await new Response(body).json().catch(() => null);
  if (order === null) return { statusCode: 400, body: "The body is not JSON." };
  try {
    const { transactionId } = await rcs.sendRcsText({
      phoneNumber: order.phone,
      webhookUrl: "https://example.com/webhooks/messages",
      rcsPayload: { text: `Order ${id} is ready 🎉` },
      smsFailover: `Order ${id} is ready`,
    });
    return { statusCode: 202, body: JSON.stringify({ transactionId }) };
  } catch (error) {
    const answer = responseTo(error);
    if (answer === undefined) throw error;
    const { status: statusCode, headers } = answer;
    return { statusCode, headers, body: JSON.stringify(answer.body) };
  }
};
