// OpenSSL's own client agrees on keys with us, says goodbye, and goes on sending to where nobody listens any more.

import { spawn } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeCertificate } from "../../src/media/embedded/certificate.ts";
import { type Association, openDtls } from "../../src/media/embedded/dtls.ts";
import { selfSigned } from "../ground/certificate.ts";
import { eventually } from "../ground/eventually.ts";
import { temporaryFolder } from "../ground/santral-process.ts";
import { whenOver } from "../ground/when-over.ts";

const ALERT = 21;
const DATAGRAMS = 20_000;
const OCTETS = 16_000;
const MEBIBYTE = 1024 * 1024;

test("what comes after the goodbye is not kept", { timeout: 120_000 }, async () => {
  const made = selfSigned("phone");
  const folder = temporaryFolder();
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  writeFileSync(cert, made.cert);
  writeFileSync(key, made.key);
  const value = new X509Certificate(made.cert).fingerprint256.replaceAll(":", "").toLowerCase();
  const socket = createSocket("udp4");
  whenOver(() => void socket.close());
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  let to: RemoteInfo | undefined;
  let hasKeys = false;
  let goodbyes = 0;
  const library = openDtls(makeCertificate())!;
  const us: Association = library.begin({ isClient: false, fingerprints: [{ hash: "sha-256", value }] }, (datagram) => {
    if (to) socket.send(datagram, to.port, to.address);
  });
  socket.on("message", (datagram, from) => {
    to = from;
    if (datagram[0] === ALERT) goodbyes++;
    hasKeys = typeof us.take(datagram) === "object" || hasKeys;
  });
  const at = `127.0.0.1:${socket.address().port}`;
  const words = ["s_client", "-dtls1_2", "-connect", at, "-cert", cert, "-key", key, "-use_srtp"];
  const client = spawn("openssl", [...words, "SRTP_AES128_CM_SHA1_80"], { stdio: ["pipe", "ignore", "ignore"] });
  whenOver(() => void client.kill());
  await eventually("both have keys", async () => hasKeys);
  await eventually("it has said goodbye", async () => {
    client.stdin.write("Q\n");
    return goodbyes > 0;
  });
  const before = process.memoryUsage().rss;
  const noise = Buffer.alloc(OCTETS, 23);
  for (let sent = 0; sent < DATAGRAMS; sent++) us.take(noise);
  expect((process.memoryUsage().rss - before) / MEBIBYTE).toBeLessThan(100);
  us.close();
});
