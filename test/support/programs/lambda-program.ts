// Replaces the runtime of AWS Lambda. Calls the handler of `lambda.ts` with the event of API Gateway for each HTTP request.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const load = (name: string) => import(name);
const { handler } = await load("./lambda.ts");

createServer(async (request, response) => {
  const [, , id] = request.url?.split("/") ?? [];
  const event = { version: "2.0", pathParameters: { id }, body: await text(request) };
  const { statusCode, headers, body } = await handler(event, {});
  response.writeHead(statusCode, headers).end(body);
}).listen(Number(process.env.PORT), "127.0.0.1");
