// A child process that walks through all lists and prints the size of the heap during the walk.
import { V2Client } from "../../../src/index.ts";

const [, , baseUrl = "", how = ""] = process.argv;
const v2 = new V2Client({
  ...{ baseUrl, email: "owner@example.com", apiKey: "key-5f3a9c71e2" },
  throttle: false,
});
const { signal } = new AbortController();
const lists = v2.lists.list({}, { prefetch: how === "items, prefetch", signal });

const heaps: number[] = [];
const kept: unknown[] = [];
let count = 0;
const look = () => {
  globalThis.gc?.();
  heaps.push(process.memoryUsage().heapUsed);
};
const see = (item: unknown) => {
  if (how === "everything kept") kept.push(item);
  if (count % 2_500 === 0) look();
  count += 1;
};

if (how === "pages") {
  for await (const { items } of lists.pages()) for (const item of items) see(item);
} else if (how === "items of a page") {
  for await (const item of await v2.lists.list({ per_page: 1000 })) see(item);
} else {
  for await (const item of lists) see(item);
}
console.log(JSON.stringify({ count, heaps }));
