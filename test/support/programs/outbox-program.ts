// Places orders, or works on their jobs, by the recipes of the guide: `node outbox-program.ts place COUNT`, `… interrupt` or `… work`.
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
} else if (task === "interrupt") {
  // Postgres ends all connections during the transaction of an order. The process serves the next order.
  await load("./outbox.ts");
  const { saveOrder } = await load("./orders.ts");
  const end =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() ORDER BY pid = pg_backend_pid()";
  const saved = await Promise.allSettled([
    saveOrder("100", "+12065550100", (client: { query(text: string): unknown }) =>
      client.query(end),
    ),
  ]);
  await saveOrder("101", "+12065550101", async () => {});
  console.log(saved[0].status);
  process.exit();
} else {
  const { boss } = await load("./worker.ts");
  // pg-boss restarts the jobs of a killed worker when it checks for expired jobs.
  await boss?.supervise("receipts");
}
