// A certificate of our own making for DTLS: nobody signs it but ourselves, and whoever is told its fingerprint believes it.

import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { Fingerprint } from "../../sdp/dtls.ts";

/** Both in DER, so that they can be handed to a thread. */
export type Certificate = { certificate: Uint8Array; key: Uint8Array };

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BITS = 0x03;
const OBJECT = 0x06;
const TEXT = 0x0c;
const TIME = 0x18;

const COMMON_NAME = Buffer.from("550403", "hex");
const ECDSA_WITH_SHA256 = Buffer.from("2a8648ce3d040302", "hex");
/** No phone looks at them: it compares the fingerprint. */
const VALID_FROM = "20200101000000Z";
const VALID_UNTIL = "20991231235959Z";

export function makeCertificate(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const algorithm = der(SEQUENCE, der(OBJECT, ECDSA_WITH_SHA256));
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, der(OBJECT, COMMON_NAME), der(TEXT, Buffer.from("santral")))));
  const toBeSigned = der(
    SEQUENCE,
    der(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(15)])), // positive
    algorithm,
    name,
    der(SEQUENCE, der(TIME, Buffer.from(VALID_FROM)), der(TIME, Buffer.from(VALID_UNTIL))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = der(BITS, Buffer.from([0]), sign("sha256", toBeSigned, privateKey));
  return {
    certificate: der(SEQUENCE, toBeSigned, algorithm, signature),
    key: privateKey.export({ type: "sec1", format: "der" }),
  };
}

export function fingerprintOf({ certificate }: Certificate): Fingerprint {
  return { hash: "sha-256", value: createHash("sha256").update(certificate).digest("hex") };
}

function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const long = body.length < 256 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...(body.length < 128 ? [body.length] : long)]), body]);
}
