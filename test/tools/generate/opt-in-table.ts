import { optInTransitions } from "../../../src/testing/fake/opt-in-transitions.ts";
import { toTable } from "../write-report.ts";

const inWords = (name: string) => name.replaceAll("_", " ");

/** Returns the opt-in machine of the fake service as a table. */
export const optInTable = (): string =>
  toTable([
    ["phone is", "event", "it gets", "phone is then"],
    ...optInTransitions.map(({ from, on, to, when, step, message, documented }) => [
      inWords(from),
      `${inWords(on)}${when ? `, ${when}` : ""}${documented ? "" : " *"}`,
      message ? `\`${message}\`${step === "first" || step === "next" ? `, ${step} step` : ""}` : "",
      inWords(to),
    ]),
  ]);
