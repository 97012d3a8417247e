// SRTP: the RFC's own figures, both libraries, and everything an attacker may try.

import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { Session } from "./srtp.ts";
import { type CryptoLibrary, loadLibcrypto, nodeCrypto } from "./srtp-crypto.ts";
import { deriveKeys } from "./srtp-keys.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex").toUpperCase();

test("session keys are those of RFC 3711 appendix B.3", () => {
  const master = Buffer.from("E1F97A0D3E018BE0D64FA32C06DE41390EC675AD498AFEEBB6960B3AABE6", "hex");
  const { rtp } = deriveKeys(master.toString("base64"));
  expect(hex(rtp.cipher)).toBe("C61E7A93744F39EE10734AFE3FF7A087");
  expect(hex(rtp.salt)).toBe("30CBBC08863D8C85D49DB34A9AE1");
  expect(hex(rtp.auth)).toBe("CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4");
});

const libcrypto = loadLibcrypto();
const libraries: [string, CryptoLibrary][] = [["node:crypto", nodeCrypto]];
if (libcrypto) libraries.push(["libcrypto", libcrypto]);

describe.each(libraries)("through %s", (_name, library) => {
  function pair() {
    const [one, other] = [randomBytes(30).toString("base64"), randomBytes(30).toString("base64")];
    return {
      sender: new Session({ localKey: one, remoteKey: other }, library),
      receiver: new Session({ localKey: other, remoteKey: one }, nodeCrypto),
    };
  }

  function packetOf(sequence: number, text = "hello, this is a voice"): { bytes: Buffer; length: number } {
    const bytes = Buffer.alloc(200);
    bytes[0] = 0x80;
    bytes[1] = 8;
    bytes.writeUInt16BE(sequence, 2);
    bytes.writeUInt32BE(0xdeadbeef, 8);
    return { bytes, length: 12 + bytes.write(text, 12) };
  }

  function sealed(sender: Session, sequence: number): Buffer {
    const { bytes, length } = packetOf(sequence);
    return bytes.subarray(0, sender.protect(bytes, length));
  }

  test("counter mode gives the keystream of RFC 3711 appendix B.2", () => {
    const cipher = library.openCipher(Buffer.from("2B7E151628AED2A6ABF7158809CF4F3C", "hex"));
    const iv = Buffer.from("F0F1F2F3F4F5F6F7F8F9FAFBFCFD0000", "hex");
    const packet = new Uint8Array(48);
    cipher.apply(packet, 0, 48, iv);
    expect(hex(packet)).toBe(
      "E03EAD0935C95E80E166B16DD92B4EB4D23513162B02D0F72A43A2FE4A5F97AB41E95B3BB0A2E8DD477901E4FCA894C0",
    );
    cipher.close();
  });

  test("what is sealed is opened, in order, late, and past the turn of the numbers", () => {
    const { sender, receiver } = pair();
    const packets = Array.from({ length: 200 }, (_, i) => sealed(sender, (65_450 + i) & 0xffff));
    [packets[85], packets[87]] = [packets[87]!, packets[85]!];
    for (const packet of packets) {
      expect(hex(packet)).not.toContain(hex(Buffer.from("hello")));
      const length = receiver.unprotect(packet, packet.length);
      expect(packet.subarray(12, length).toString()).toBe("hello, this is a voice");
    }
  });

  test("a changed byte, another key and a packet seen before are refused", () => {
    const { sender, receiver } = pair();
    const packet = sealed(sender, 1);
    for (const place of [1, 5, 9, 20, packet.length - 1]) {
      const forged = Buffer.from(packet);
      forged[place]! ^= 1;
      expect(receiver.unprotect(forged, forged.length), `byte ${place}`).toBe(-1);
    }
    expect(pair().receiver.unprotect(Buffer.from(packet), packet.length)).toBe(-1);
    const copy = Buffer.from(packet);
    expect(receiver.unprotect(packet, packet.length)).toBeGreaterThan(0);
    expect(receiver.unprotect(copy, copy.length)).toBe(-1);
    expect(receiver.unprotect(Buffer.alloc(15, 0x80), 15)).toBe(-1);
  });

  test("a packet older than the window is refused", () => {
    const { sender, receiver } = pair();
    const old = sealed(sender, 1);
    const fresh = sealed(sender, 500);
    expect(receiver.unprotect(fresh, fresh.length)).toBeGreaterThan(0);
    expect(receiver.unprotect(old, old.length)).toBe(-1);
  });

  test("reports are sealed, opened once, and not opened when forged", () => {
    const { sender, receiver } = pair();
    const report = Buffer.alloc(100);
    report.set([0x80, 201, 0, 1, 1, 2, 3, 4, 9, 9, 9, 9]);
    const size = sender.protectRtcp(report, 12);
    const again = Buffer.from(report);
    const forged = Buffer.from(report);
    forged[9]! ^= 1;
    expect(receiver.unprotectRtcp(forged, size)).toBe(-1);
    expect(receiver.unprotectRtcp(report, size)).toBe(12);
    expect([...report.subarray(8, 12)]).toEqual([9, 9, 9, 9]);
    expect(receiver.unprotectRtcp(again, size)).toBe(-1);
  });

  test("a session goes on in another thread where it stopped", () => {
    const { sender, receiver } = pair();
    for (const sequence of [65_534, 65_535, 0]) {
      const packet = sealed(sender, sequence);
      receiver.unprotect(packet, packet.length);
    }
    const moved = Session.from(structuredClone(sender.state()), library);
    const packet = sealed(moved, 1);
    expect(receiver.unprotect(packet, packet.length)).toBeGreaterThan(0);
  });
});
