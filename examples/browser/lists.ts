// A table of lists, filled as they come.
import { element, v2 } from "./clients.ts";

let count = 0;
for await (const { name, keyword_names, counts } of v2.lists.list()) {
  const row = element<HTMLTableSectionElement>("lists").insertRow();
  for (const text of [name, keyword_names.join(", "), counts.subscribers]) {
    row.insertCell().textContent = String(text);
  }
  element("told").textContent = `${++count} lists`;
}
