import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

const HEADER = /^Content-Length: (\d+)\r\n(?:.*\r\n)*?\r\n/;

/** Starts a language server in Node, and returns functions that send it requests. */
export const startLanguageServer = async (command: readonly string[], folder: string) => {
  const server = spawn(process.execPath, command, { cwd: folder });
  const waiting = new Map<Message["id"], (result: unknown) => void>();
  const opened = new Set<string>();
  let received = "";

  const send = (message: Message) => {
    const json = JSON.stringify({ jsonrpc: "2.0", ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`);
  };
  const request = (method: string, params: unknown): Promise<unknown> =>
    new Promise((resolve) => {
      const id = waiting.size + 1;
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  const receive = ({ id, method, result }: Message) => {
    if (method === undefined) waiting.get(id)?.(result);
    // The server requests settings and the like, which do not exist here.
    else if (id !== undefined) send({ id, result: null });
  };
  // One character per byte, because the header counts bytes.
  server.stdout.setEncoding("latin1").on("data", (chunk: string) => {
    received += chunk;
    for (let header = HEADER.exec(received); header; header = HEADER.exec(received)) {
      const end = header[0].length + Number(header[1]);
      if (received.length < end) return;
      receive(JSON.parse(Buffer.from(received.slice(header[0].length, end), "latin1").toString()));
      received = received.slice(end);
    }
  });
  const hover = { contentFormat: ["markdown"] };
  const capabilities = { textDocument: { hover } };
  await request("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities,
  });
  send({ method: "initialized", params: {} });

  return {
    /** Returns the Markdown that an editor shows for a position in a file. */
    async hover(file: string, position: number): Promise<string> {
      const text = readFileSync(file, "utf8");
      const uri = pathToFileURL(file).href;
      if (!opened.has(file)) {
        const textDocument = { uri, languageId: "typescript", version: 1, text };
        send({ method: "textDocument/didOpen", params: { textDocument } });
        opened.add(file);
      }
      const lines = text.slice(0, position).split("\n");
      const at = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
      const params = { textDocument: { uri }, position: at };
      const shown = (await request("textDocument/hover", params)) as {
        readonly contents: { readonly value: string };
      } | null;
      return shown?.contents.value ?? "";
    },
    async end(): Promise<void> {
      server.kill();
      await once(server, "close");
    },
  };
};
