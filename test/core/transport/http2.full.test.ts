// Node 26 uses HTTP/2 by default. undici then repeats requests that the server refuses or has never processed.
import { execFile } from "node:child_process";
import { createSecureServer, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { installFixture } from "../../support/fixture.ts";
import { createCertificate } from "../../support/servers/certificate.ts";

const REFUSED_STREAM = 7;
const CHILD = new URL("../../support/programs/http2-child.ts", import.meta.url).pathname;

/** Fault of the first request to each path. The server responds to later requests, so a repeated request succeeds. */
const FAULTS: Readonly<Record<string, (stream: ServerHttp2Stream) => void>> = {
  "/refused": (stream) => stream.close(REFUSED_STREAM),
  // Reports the previous stream as the last stream that the server has processed.
  "/goaway": (stream) => stream.session?.goaway(0, (stream.id ?? 0) - 2),
  "/half": (stream) => {
    stream.respond({ ":status": 200, "content-length": 9 });
    stream.write("half", () => setTimeout(() => stream.destroy(), 20));
  },
};

const startServer = async () => {
  const seen: string[] = [];
  const server = createSecureServer(createCertificate());
  server.on("sessionError", () => {});
  server.on("stream", (stream, headers) => {
    stream.on("error", () => {});
    const request = `${headers[":method"]} ${headers[":path"]}`;
    const fault = seen.includes(request) ? undefined : FAULTS[String(headers[":path"])];
    seen.push(request);
    if (fault) fault(stream);
    else {
      // A response to HEAD also has the length of the body that it omits.
      stream.respond({ ":status": 200, "content-length": 6 });
      stream.end(request.startsWith("HEAD") ? "" : '"done"');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { baseUrl, seen, [Symbol.dispose]: () => void server.close() };
};

const ENDED = {
  code: "connection",
  outcome: "unknown",
};

describe.each(["the default", "a patched fetch", "ky"])("Node 26 over HTTP/2, by %s", (carrier) => {
  test("a request that the server refuses is on the wire once", async () => {
    using server = await startServer();
    const faulty = Object.keys(FAULTS).flatMap((path) => [
      ...["GET", "DELETE", "POST"].map((method) => `${method} ${path}`),
      `PUT ${path} {}`,
    ]);
    // Each refused stream is preceded by another stream on the same connection.
    const requests = faulty.flatMap((request, index) => [
      `GET /before/${index}`,
      request,
      `GET /after/${index}`,
      `HEAD /after/${index}`,
    ]);
    const node = join(installFixture("runtimes"), "node_modules/node26/bin/node");
    const { stdout } = await promisify(execFile)(
      node,
      [CHILD, server.baseUrl, carrier, ...requests],
      {
        env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: "0" },
      },
    );
    const { ends, undici } = JSON.parse(stdout);
    expect(undici).toMatch(/^8\./);
    expect(ends).toMatchObject(
      Object.fromEntries(
        requests.map((request) => [
          request,
          faulty.includes(request) ? ENDED : request.startsWith("HEAD") ? "" : "done",
        ]),
      ),
    );
    expect(server.seen).toEqual(requests.map((request) => request.replace(" {}", "")));
  });
});
