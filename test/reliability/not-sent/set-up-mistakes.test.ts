import type { AddressInfo } from "node:net";
import { createServer as createTcpServer, type Server } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { describe, expect, test } from "vitest";
import { clientsOf, errorOf, message } from "../../support/calls.ts";
import { overPatchedFetch } from "../../support/carriers.ts";
import { createCertificate, INTERNAL_ERROR } from "../../support/servers/certificate.ts";
import { respond, startLoopback } from "../../support/servers/loopback.ts";

const certificate = createCertificate();

/** Returns the error of one send to an https URL of a server, and the bytes of the request that the server could decrypt. */
const errorAt = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const { rcs } = clientsOf({ baseUrl: `https://localhost:${port}` }, { retry: 0 });
    return await errorOf(rcs.sendRcsText(message));
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
};

let bytesRead = 0;
const tlsServer = (options: TlsOptions): Server =>
  createTlsServer({ ...certificate, ...options }, (socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      bytesRead += chunk.length;
    });
  });

describe("setup mistakes", () => {
  test("an https URL of a port with plain HTTP sends nothing and gives advice", async () => {
    await using server = await startLoopback(respond(202));
    const baseUrl = server.baseUrl.replace("http:", "https:");
    const error = await errorOf(clientsOf({ baseUrl }, { retry: 0 }).rcs.sendRcsText(message));
    expect(error).toMatchObject({ code: "connection", outcome: "not_sent" });
    expect(error.message).toContain(
      "the host does not speak TLS on this port: check the scheme and the port of baseUrl",
    );
    expect(server.requests).toEqual([]);
  });

  test.each([
    ["a version of TLS that the runtime refuses", { maxVersion: "TLSv1.1", minVersion: "TLSv1" }],
    ["no cipher in common", { maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-GCM-SHA256" }],
  ] as const)("a failing TLS handshake sends nothing and gives advice: %s", async (_, options) => {
    const error = await errorAt(tlsServer({ ...options }));
    expect(error).toMatchObject({ code: "connection", outcome: "not_sent" });
    expect(error.message).toContain("the TLS handshake failed");
    expect(bytesRead).toBe(0);
  });

  test("an untrusted certificate sends nothing and gives advice", async () => {
    const error = await errorAt(tlsServer({}));
    expect(error).toMatchObject({ code: "connection", outcome: "not_sent" });
    expect(error.message).toContain("the certificate of the host is not trusted");
    expect(bytesRead).toBe(0);
  });

  test("a TLS alert of the host sends nothing and gives advice", async () => {
    const error = await errorAt(
      createTcpServer((socket) => {
        socket.on("error", () => {});
        socket.once("data", () => socket.end(INTERNAL_ERROR));
      }),
    );
    expect(error).toMatchObject({ code: "connection", outcome: "not_sent" });
    expect(error.message).toContain(
      "(ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR): the TLS handshake failed",
    );
  });

  test("a connection that closes during the TLS handshake sends nothing and gives advice", async () => {
    const error = await errorAt(createTcpServer((socket) => socket.destroy()));
    expect(error).toMatchObject({ code: "connection", outcome: "not_sent" });
    expect(error.message).toContain("during the TLS handshake");
  });

  test.each([6000, 6667, 25])(
    "a port %d that fetch blocks sends nothing and gives advice",
    async (port) => {
      const options = { retry: 0, fetch: overPatchedFetch };
      const { rcs } = clientsOf({ baseUrl: `https://127.0.0.1:${port}` }, options);
      const error = await errorOf(rcs.sendRcsText(message));
      expect(error).toMatchObject({ code: "connection", outcome: "not_sent" });
      expect(error.message).toContain("fetch blocks this port: check the port of baseUrl");
    },
  );

  test("an unknown host name sends nothing and gives advice", async () => {
    const { rcs } = clientsOf({ baseUrl: "https://no-such-host.invalid" }, { retry: 0 });
    const error = await errorOf(rcs.sendRcsText(message));
    expect(error).toMatchObject({ code: "connection", outcome: "not_sent" });
    expect(error.message).toContain("the host name cannot be resolved");
  });
});
