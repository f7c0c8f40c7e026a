import {
  type OptInTransition,
  optInTransitions,
} from "../../../src/testing/fake/opt-in-transitions.ts";

const label = ({ on, when, step, message, documented }: OptInTransition): string => {
  const parts = [on.replaceAll("_", " ")];
  if (when) parts.push(`[${when}]`);
  if (message)
    parts.push(`/ ${message}${step === "first" || step === "next" ? ` of the ${step} step` : ""}`);
  return parts.join(" ") + (documented ? "" : " *");
};

/** Returns the opt-in machine of the fake service as a Mermaid state diagram. */
export function optInDiagram(): string {
  const rows = optInTransitions.map((row) => `  ${row.from} --> ${row.to} : ${label(row)}`);
  return ["```mermaid", "stateDiagram-v2", "  [*] --> not_subscribed", ...rows, "```"].join("\n");
}
