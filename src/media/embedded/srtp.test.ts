// SRTP: the RFC's own figures, both libraries, and everything an attacker may try.

import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type CryptoSuite, cryptoSuites, suiteNames } from "../../sdp/crypto.ts";
import { Session } from "./srtp.ts";
import { type CryptoLibrary, loadLibcrypto, nodeCrypto } from "./srtp-crypto.ts";
import { deriveKeys } from "./srtp-keys.ts";
import { openSide } from "./srtp-side.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex").toUpperCase();

test("session keys are those of RFC 3711 appendix B.3", () => {
  const master = Buffer.from("E1F97A0D3E018BE0D64FA32C06DE41390EC675AD498AFEEBB6960B3AABE6", "hex");
  const { rtp } = deriveKeys("AES_CM_128_HMAC_SHA1_80", master.toString("base64"));
  expect(hex(rtp.cipher)).toBe("C61E7A93744F39EE10734AFE3FF7A087");
  expect(hex(rtp.salt)).toBe("30CBBC08863D8C85D49DB34A9AE1");
  expect(hex(rtp.auth)).toBe("CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4");
});

const libcrypto = loadLibcrypto();
const libraries: [string, CryptoLibrary][] = [["node:crypto", nodeCrypto]];
if (libcrypto) libraries.push(["libcrypto", libcrypto]);

const ways = libraries.flatMap(([name, library]) => suiteNames.map((suite) => [name, suite, library] as const));

describe.each(libraries)("the figures of the RFCs through %s", (_name, library) => {
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

  const KEY_128 = "000102030405060708090a0b0c0d0e0f";
  const KEY_256 = `${KEY_128}101112131415161718191a1b1c1d1e1f`;
  const side = (key: string) =>
    openSide(
      { cipher: Buffer.from(key, "hex"), auth: Buffer.alloc(0), salt: Buffer.from("517569642070726f2071756f", "hex") },
      16,
      library,
    );
  const withRoom = (octets: string) => {
    const packet = Buffer.alloc(200);
    return { packet, length: packet.write(octets, "hex") };
  };

  test.each([
    [
      "16.1",
      KEY_128,
      "f24de3a3fb34de6cacba861c9d7e4bcabe633bd50d294e6f42a5f47a51c7d19b36de3adf8833899d7f27beb16a9152cf765ee4390cce",
    ],
    [
      "16.2",
      KEY_256,
      "32b1de78a822fe12ef9f78fa332e33aab18012389a58e2f3b50b2a0276ffae0f1ba63799b87b7aa3db36dfffd6b0f9bb7878d7a76c13",
    ],
  ])("a packet is sealed as in RFC 7714 section %s", (_section, key, sealed) => {
    const plain =
      "8040f17b8041f8d35501a0b247616c6c696120657374206f6d6e69732064697669736120696e207061727465732074726573";
    const index = { ssrc: 0x5501a0b2, high: 0, low: 0xf17b };
    const { packet, length } = withRoom(plain);
    const one = side(key);
    const size = one.seal(packet, 12, length, index);
    expect(packet.toString("hex", 0, size)).toBe(`8040f17b8041f8d35501a0b2${sealed}`);
    expect(one.open(packet, 12, size, index)).toBe(length);
    expect(packet.toString("hex", 0, length)).toBe(plain);
    one.close();
  });

  const REPORT =
    "81c8000d4d6172734e5450314e545032525450200000042a0000e9304c756e61deadbeefdeadbeefdeadbeefdeadbeefdeadbeef";
  test.each([
    [
      "17.1",
      KEY_128,
      "63e94885dcdab67ca727d7662f6b7e997ff5c0f76c06f32dc676a5f1730d6fda4ce09b4686303ded0bb9275bc84aa45896cf4d2fc5abf87245d9eade",
    ],
    [
      "17.2",
      KEY_256,
      "d50ae4d1f5ce5d304ba297e47d470c282c3ece5dbffe0a50a2eaa5c1110555be8415f658c61de0476f1b6fad1d1eb30c4446839f57ff6f6cb26ac3be",
    ],
  ])("a report is sealed as in RFC 7714 section %s", (_section, key, sealed) => {
    const index = { ssrc: 0x4d617273, high: 0, low: 0x5d4 };
    const { packet, length } = withRoom(REPORT);
    const one = side(key);
    const size = one.sealReport(packet, length, index, 0x800005d4);
    expect(packet.toString("hex", 0, size)).toBe(`81c8000d4d617273${sealed}800005d4`);
    expect(one.openReport(packet, size, index, 0x800005d4)).toBe(length);
    expect(packet.toString("hex", 0, length)).toBe(REPORT);
    one.close();
  });

  test.each([
    ["17.3", KEY_128, "841dd9683dd78ec92ae58790125f62b3"],
    ["17.4", KEY_256, "91db4afbfeee5a978fab4393ed2615fe"],
  ])("a report that is vouched for and not hidden is read as in RFC 7714 section %s", (_section, key, tag) => {
    const index = { ssrc: 0x4d617273, high: 0, low: 0x5d4 };
    const { packet, length } = withRoom(`${REPORT}${tag}000005d4`);
    const one = side(key);
    expect(one.openReport(Buffer.from(packet), length, index, 0x800005d4)).toBe(-1);
    expect(one.openReport(packet, length, index, 0x000005d4)).toBe(REPORT.length / 2);
    one.close();
  });
});

describe.each(ways)("through %s by %s", (_name, suite, library) => {
  const newKey = (of: CryptoSuite) => randomBytes(cryptoSuites[of]).toString("base64");

  function pair() {
    const [one, other] = [newKey(suite), newKey(suite)];
    return {
      sender: new Session({ suite, localKey: one, remoteKey: other }, library),
      receiver: new Session({ suite, localKey: other, remoteKey: one }, nodeCrypto),
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
    for (const length of [12, 15, 20]) expect(receiver.unprotect(Buffer.alloc(length, 0x80), length)).toBe(-1);
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
    for (const length of [8, 12, 20]) expect(receiver.unprotectRtcp(Buffer.alloc(length, 0x80), length)).toBe(-1);
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
