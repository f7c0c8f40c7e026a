// Sends a message from a form and shows each error at its field.
import { analyzeGsm7, MessagingServiceError, toGsm7 } from "messaging-service-client";
import { element, rcs, valueIn } from "./clients.ts";

const FIELDS = ["phoneNumber", "rcsPayload.text", "smsFailover"];
const tellErrors = (errors: ReadonlyMap<string, string>) => {
  for (const id of FIELDS) {
    element(`${id}-error`).textContent = errors.get(id) ?? "";
    element(id).setAttribute("aria-invalid", String(errors.has(id)));
  }
  const first = FIELDS.find((id) => errors.has(id));
  if (first) element(first).focus();
};

const tellFallback = () => {
  const typed = valueIn("smsFailover");
  const { valid, characters } = analyzeGsm7(typed);
  element("count").textContent = valid
    ? `${characters} of 160 characters`
    : `SMS cannot show all of this. It can show: ${toGsm7(typed)}`;
};
element("smsFailover").addEventListener("input", tellFallback);
tellFallback();

const form = element<HTMLFormElement>("send");
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (form.ariaBusy === "true") return; // a second click must not send a second message
  form.ariaBusy = "true";
  tellErrors(new Map());
  element("sent").textContent = "Sending …";
  try {
    const { transactionId } = await rcs.sendRcsText({
      phoneNumber: valueIn("phoneNumber"),
      webhookUrl: "https://example.com/webhooks/messages",
      rcsPayload: { text: valueIn("rcsPayload.text") },
      smsFailover: valueIn("smsFailover"),
    });
    element("sent").textContent = `Accepted as ${transactionId}`;
  } catch (error) {
    if (!MessagingServiceError.is(error)) throw error;
    if (error.code === "validation") {
      const errors = new Map<string, string>();
      for (const { path, message } of error.errors) {
        const id = path.join(".");
        const earlier = errors.get(id); // a field can break several rules
        errors.set(id, earlier ? `${earlier}; ${message}` : message);
      }
      tellErrors(errors);
    }
    // A browser cannot tell whether a lost request arrived. Let the user decide whether to send it again.
    const isOpen = error.outcome === "not_sent" || error.outcome === "rejected";
    element("sent").textContent = isOpen ? "It was not sent." : "It may have been sent.";
  } finally {
    form.ariaBusy = "false";
  }
});
