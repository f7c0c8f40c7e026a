import {
  type OptInMessage,
  optInTransitions,
} from "../../../src/testing/fake/opt-in-transitions.ts";
import { toTable } from "../write-report.ts";

/** Returns the fields that have a message. The only confirmation of the table belongs to no step. */
const nameOf = (message: OptInMessage) =>
  message === "confirmation" ? "`first_optin_message` or `second_optin_message`" : `\`${message}\``;

const inWords = (name: string) => name.replaceAll("_", " ");

/** Returns the transitions of the fake's opt-in machine that the specification does not describe, as a table. */
export const optInTable = (): string =>
  toTable([
    ["phone is", "event", "it gets", "phone is then"],
    ...optInTransitions
      .filter(({ documented }) => !documented)
      .map(({ from, on, to, when, step, message }) => [
        inWords(from),
        `${inWords(on)}${when ? `, ${when}` : ""}`,
        message ? `${nameOf(message)}${step === "first" ? ", first step" : ""}` : "",
        inWords(to),
      ]),
  ]);
