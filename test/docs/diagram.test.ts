import { expect, test } from "vitest";
import { drawDiagram } from "./diagram.ts";

test("a sequence diagram has a lane for each participant and an arrow for each message", () => {
  const svg = drawDiagram("sequenceDiagram\n  App->>Client: a < b & c\n  Client--xApp: no");
  expect(svg).toContain('aria-label="Diagram: App, Client"');
  expect(svg.match(/class="lane"/g)).toHaveLength(2);
  expect(svg).toContain("a &lt; b &amp; c");
  expect(svg.match(/stroke-dasharray/g)).toHaveLength(1);
});

test("a state diagram has a lane for each state and a loop for each transition to the same state", () => {
  const svg = drawDiagram(
    "stateDiagram-v2\n  [*] --> out\n  out --> in : enter\n  in --> in : stay a while",
  );
  expect(svg).toContain("at first");
  expect(svg.match(/class="lane"/g)).toHaveLength(2);
  expect(svg).toContain("stay a while");
});

test.each(["flowchart TD\n  a --> b", "sequenceDiagram\n  loop for ever"])(
  "an unsupported line of a diagram throws: %s",
  (source) => {
    expect(() => drawDiagram(source)).toThrow("cannot draw");
  },
);
