// Fills a table with lists as they arrive.
import { MessagingServiceError } from "messaging-service-client";
import { element, v2 } from "./clients.ts";

const told = element("told");
let count = 0;
try {
  for await (const { name, keyword_names, counts } of v2.lists.list()) {
    const row = element<HTMLTableSectionElement>("lists").insertRow();
    for (const text of [name, keyword_names.join(", "), counts.subscribers]) {
      row.insertCell().textContent = String(text);
    }
    told.textContent = `${++count} lists`;
  }
  if (count === 0) told.textContent = "There are no lists yet.";
} catch (error) {
  if (!MessagingServiceError.is(error)) throw error;
  told.textContent = `Only ${count} lists could be loaded (${error.code}).`;
}
