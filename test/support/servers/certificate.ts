// Parts of TLS servers on loopback.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates a self-signed certificate for localhost. */
export const createCertificate = (): { readonly key: Buffer; readonly cert: Buffer } => {
  const folder = mkdtempSync(join(tmpdir(), "certificate-"));
  const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  try {
    const options = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost".split(" ");
    const files = ["-keyout", keyFile, "-out", certFile];
    execFileSync("openssl", [...options, ...files], { stdio: "ignore" });
    return { key: readFileSync(keyFile), cert: readFileSync(certFile) };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** A TLS record with the fatal alert `internal_error` (80), which a host may send instead of completing the handshake. */
export const INTERNAL_ERROR: Uint8Array = new Uint8Array([21, 3, 3, 0, 2, 2, 80]);
