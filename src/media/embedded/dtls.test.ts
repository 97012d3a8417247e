// The handshake between two of us, between us and OpenSSL's own client, and everything that may go wrong in it.

import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import type { SrtpKeys } from "../../sdp/agreed.ts";
import { fingerprintOf, makeCertificate } from "./certificate.ts";
import { type Association, openDtls } from "./dtls.ts";

const ours = makeCertificate();
const theirs = makeCertificate();
const [here, there] = [openDtls(ours)!, openDtls(theirs)!];

type Ended = SrtpKeys | "failed" | undefined;

/** Lets both sides talk until nobody has anything to say; `loses` swallows datagrams by their place. */
function talk({
  knows = fingerprintOf(ours),
  loses = [],
}: {
  knows?: ReturnType<typeof fingerprintOf>;
  loses?: number[];
}) {
  const line: { to: "server" | "client"; datagram: Uint8Array }[] = [];
  let place = 0;
  const sendTo = (to: "server" | "client") => (datagram: Uint8Array) => {
    expect(datagram.length).toBeLessThanOrEqual(1500);
    if (!loses.includes(place++)) line.push({ to, datagram: Uint8Array.from(datagram) });
  };
  const server = here.begin({ isClient: false, fingerprints: [fingerprintOf(theirs)] }, sendTo("client"));
  const client = there.begin({ isClient: true, fingerprints: [knows] }, sendTo("server"));
  const ended: { server: Ended; client: Ended } = { server: undefined, client: undefined };
  const sides: Record<"server" | "client", Association> = { server, client };
  const run = () => {
    for (let next = line.shift(); next; next = line.shift())
      ended[next.to] = sides[next.to].take(next.datagram) ?? ended[next.to];
  };
  run();
  return { ended, run, server, client };
}

test("the certificate is one that others can read", () => {
  const read = new X509Certificate(Buffer.from(ours.certificate));
  expect(read.subject).toBe("CN=santral");
  expect(read.verify(read.publicKey)).toBe(true);
  expect(read.fingerprint256.replaceAll(":", "").toLowerCase()).toBe(fingerprintOf(ours).value);
});

test("both sides have the same keys, each its own way round", () => {
  const { ended, server, client } = talk({});
  if (typeof ended.server !== "object" || typeof ended.client !== "object") throw new Error(JSON.stringify(ended));
  expect(ended.server.suite).toBe("AEAD_AES_256_GCM");
  expect(ended.server.localKey).toBe(ended.client.remoteKey);
  expect(ended.server.remoteKey).toBe(ended.client.localKey);
  expect(ended.server.localKey).not.toBe(ended.server.remoteKey);
  for (const side of [server, client]) side.close();
});

test("a certificate other than the announced one is refused", () => {
  const { ended, server, client } = talk({ knows: { hash: "sha-256", value: "00".repeat(32) } });
  expect(ended.client).toBe("failed");
  for (const side of [server, client]) side.close();
});

test("a lost flight is said again", async () => {
  const { ended, run, server, client } = talk({ loses: [0] });
  expect(ended.client).toBeUndefined();
  await expect
    .poll(
      () => {
        client.tick();
        run();
        return ended.client;
      },
      { timeout: 10_000 },
    )
    .toMatchObject({ suite: "AEAD_AES_256_GCM" });
  for (const side of [server, client]) side.close();
});

test("noise is passed over, before, within and after a handshake; what is closed says nothing", () => {
  const noise = [
    Buffer.alloc(0),
    Buffer.alloc(100, 22),
    Buffer.from("16fefd0000000000000000ffff", "hex"),
    Buffer.alloc(20_000, 20),
  ];
  const server = here.begin({ isClient: false, fingerprints: [fingerprintOf(theirs)] }, () => {});
  for (const octets of noise) expect(server.take(octets)).toBeUndefined();
  server.close();
  server.close();
  expect(server.take(Buffer.alloc(50, 22))).toBeUndefined();
  const done = talk({});
  for (const octets of noise) expect(done.server.take(octets)).toBeUndefined();
  done.server.close();
  done.client.close();
});
