// Places orders, or works on their jobs, by the recipes of the guide: `node outbox-program.ts place COUNT` or `… work`.
import process from "node:process";

const [, , task, count = "0"] = process.argv;
const load = (name: string) => import(name);

if (task === "place") {
  const { placeOrder } = await load("./outbox.ts");
  const numbers = Array.from({ length: Number(count) }, (_, number) => 100 + number);
  // This process has no worker, so the transaction of an order is all that it does.
  await Promise.all(numbers.map((number) => placeOrder(`${number}`, `+12065550${number}`)));
  console.log("placed");
  process.kill(process.pid, "SIGKILL");
} else {
  const { boss } = await load("./worker.ts");
  // pg-boss restarts the jobs of a killed worker when it checks for expired jobs.
  await boss?.supervise("receipts");
}
