// Draws Mermaid sequence and state diagrams as SVG, in the colors of the page. Each state is a lane and each transition an
// arrow between lanes, which keeps many transitions readable.

type Head = "arrow" | "cross" | "open";

type Row =
  | { kind: "arrow"; from: string; to: string; text: string; isDashed: boolean; head: Head }
  | { kind: "note"; over: string; text: string };

interface Diagram {
  readonly lanes: readonly string[];
  readonly rows: readonly Row[];
}

const LANE_WIDTH = 210;
const LINE_HEIGHT = 17;
const CHARACTER_WIDTH = 6.8;
const TOP = 52;

const parseArrow = (line: string): Row | undefined => {
  const [all, from = "", dash = "", head = "", to = "", text = ""] =
    /^(\w+)(--?)(>>|x|\))(\w+): (.+)$/.exec(line) ?? [];
  if (all === undefined) return undefined;
  const heads: Readonly<Record<string, Head>> = { ">>": "arrow", x: "cross", ")": "open" };
  return { kind: "arrow", from, to, text, isDashed: dash === "--", head: heads[head] ?? "arrow" };
};

const parseTransition = (line: string): Row | undefined => {
  const [all, from = "", to = "", text = ""] = /^(\w+) --> (\w+) : (.+)$/.exec(line) ?? [];
  if (all === undefined) return undefined;
  return { kind: "arrow", from, to, text, isDashed: false, head: "arrow" };
};

const parseNote = (line: string): Row | undefined => {
  const [all, over = "", text = ""] = /^Note over (\w+): (.+)$/.exec(line) ?? [];
  if (all !== undefined) return { kind: "note", over, text };
  const [, first = ""] = /^\[\*\] --> (\w+)$/.exec(line) ?? [];
  return first === "" ? undefined : { kind: "note", over: first, text: "at first" };
};

/** Parses the part of Mermaid that this project uses. Any other syntax throws. */
const parse = (source: string): Diagram => {
  const [type = "", ...lines] = source
    .trim()
    .split("\n")
    .map((line) => line.trim());
  if (!/^(sequenceDiagram|stateDiagram-v2)$/.test(type)) throw new Error(`cannot draw a ${type}`);
  const rows = lines.filter(Boolean).map((line) => {
    const row = parseArrow(line) ?? parseTransition(line) ?? parseNote(line);
    if (!row) throw new Error(`cannot draw: ${line}`);
    return row;
  });
  const lanes = rows.flatMap((row) => (row.kind === "note" ? [row.over] : [row.from, row.to]));
  return { lanes: [...new Set(lanes)], rows };
};

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const wrap = (text: string, width: number): string[] => {
  const most = Math.floor(width / CHARACTER_WIDTH);
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && last.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
};

const textAt = (x: number, y: number, lines: readonly string[], anchor: "middle" | "start") =>
  lines
    .map((line, index) => {
      const place = `x="${x}" y="${y + index * LINE_HEIGHT}" text-anchor="${anchor}"`;
      return `<text ${place}>${escaped(line)}</text>`;
    })
    .join("");

const headAt = (x: number, y: number, way: 1 | -1, head: Head): string => {
  const back = x - way * 9;
  if (head === "cross")
    return `<path d="M${back} ${y - 5}L${x} ${y + 5}M${back} ${y + 5}L${x} ${y - 5}"/>`;
  const corners = `M${back} ${y - 5}L${x} ${y}L${back} ${y + 5}`;
  return head === "open" ? `<path d="${corners}"/>` : `<path class="head" d="${corners}Z"/>`;
};

/** A row of the drawing, with its top and height. */
const drawRow = (row: Row, top: number, xOf: (lane: string) => number) => {
  if (row.kind === "note") {
    const lines = wrap(row.text, LANE_WIDTH - 36);
    const height = lines.length * LINE_HEIGHT + 12;
    const x = xOf(row.over);
    const box = `x="${x - LANE_WIDTH / 2 + 8}" y="${top}" width="${LANE_WIDTH - 16}" height="${height}"`;
    const text = textAt(x, top + LINE_HEIGHT + 1, lines, "middle");
    return { svg: `<rect class="note" ${box} rx="4"/>${text}`, height: height + 14 };
  }
  const from = xOf(row.from);
  const to = xOf(row.to);
  const dashes = row.isDashed ? ' stroke-dasharray="5 4"' : "";
  if (from === to) {
    const lines = wrap(row.text, LANE_WIDTH - 56);
    const height = Math.max(22, lines.length * LINE_HEIGHT);
    const loop = `<path d="M${from} ${top + 2}h30v${height - 4}h-24"${dashes}/>`;
    const head = headAt(from + 1, top + height - 2, -1, row.head);
    const text = textAt(from + 38, top + 14, lines, "start");
    return { svg: loop + head + text, height: height + 14 };
  }
  const way = to > from ? 1 : -1;
  const lines = wrap(row.text, Math.abs(to - from) - 16);
  const y = top + lines.length * LINE_HEIGHT + 4;
  const line = `<path d="M${from} ${y}H${to}"${dashes}/>`;
  const text = textAt((from + to) / 2, top + 12, lines, "middle");
  return { svg: line + headAt(to, y, way, row.head) + text, height: y - top + 14 };
};

/** Converts a Mermaid diagram to an SVG element. */
export function drawDiagram(source: string): string {
  const { lanes, rows } = parse(source);
  const xOf = (lane: string) => lanes.indexOf(lane) * LANE_WIDTH + LANE_WIDTH / 2;
  let y = TOP;
  const drawn = rows.map((row) => {
    const { svg, height } = drawRow(row, y, xOf);
    y += height;
    return `<g>${svg}</g>`;
  });
  const last = lanes.at(-1);
  const loops = rows.some((row) => row.kind === "arrow" && row.from === row.to && row.to === last);
  const width = lanes.length * LANE_WIDTH + (loops ? LANE_WIDTH / 2 : 0);
  const columns = lanes.map((lane) => {
    const x = xOf(lane);
    const name = textAt(x, 27, [lane.replaceAll("_", " ")], "middle");
    const box = `<rect class="lane" x="${x - 70}" y="6" width="140" height="32" rx="6"/>`;
    return `<path class="life" d="M${x} 38V${y}"/>${box}<g class="name">${name}</g>`;
  });
  const label = `Diagram: ${lanes.join(", ").replaceAll("_", " ")}`;
  return `<svg class="diagram" role="img" aria-label="${label}" viewBox="0 0 ${width} ${y + 6}" width="${width}">${columns.join("")}${drawn.join("")}</svg>`;
}
