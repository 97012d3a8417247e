// Spoilt voice, reports, checks and handshakes for a media thread: none ends it, none is slow, none is kept, and forged ones
// change nothing.

import { createHmac, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { codecNames, codecs, isSpoken } from "../../src/codecs/codec.ts";
import { headerLength } from "../../src/media/embedded/rtp.ts";
import { Session } from "../../src/media/embedded/srtp.ts";
import { cryptoLibrary } from "../../src/media/embedded/srtp-crypto.ts";
import { transforms } from "../../src/media/embedded/srtp-keys.ts";
import type { SrtpKeys } from "../../src/sdp/agreed.ts";
import { type CryptoSuite, suiteNames } from "../../src/sdp/crypto.ts";
import { below, seeded } from "../sip/sip-mutator.ts";
import { type MediaLine, mediaLine, rtpHeader, voiceOf } from "./media-line.ts";
import { PATIENCE_MS, SPOILT, takeSpoilt } from "./spoilt-packets.ts";

const PACKETS_A_BEAT = 4;
const EVENTS = 101;

/** Beats pass between the packets, as they do on a line. */
function fires(line: MediaLine, port: (packet: Buffer) => "rtp" | "rtcp" = () => "rtp") {
  let count = 0;
  return (packet: Buffer) => {
    line.hear(packet, port(packet));
    if (++count % PACKETS_A_BEAT === 0) line.tick();
    for (const { length } of line.sent()) expect(length).toBeLessThanOrEqual(1_500 + 600);
  };
}

/** A phone that starts anew is heard again after a moment. */
function goesOn(line: MediaLine, packets: readonly Buffer[]): void {
  line.sent();
  const before = line.one.packetsIn;
  for (const [place, packet] of packets.entries()) {
    const fresh = Buffer.from(packet);
    rtpHeader(fresh, {
      ...{ payloadType: packet[1]! & 0x7f, sequence: 900 + place, ssrc: 0x7777_0000 },
      timestamp: place * 160,
    });
    line.hear(fresh);
    line.tick();
  }
  expect(line.one.packetsIn - before).toBe(packets.length);
  expect(line.sent().length).toBeGreaterThan(packets.length / 2);
  line.close();
}

/** With everything that a header can have: two who contributed, an extension, padding. */
function adorned([packet]: readonly Buffer[]): Buffer {
  const head = Buffer.from(packet!.subarray(0, 12)); // there is one
  head[0] = 0x80 | 0x20 | 0x10 | 2;
  const more = Buffer.from("0102030405060708bede0002100102031001ff00", "hex");
  return Buffer.concat([head, more, packet!.subarray(12), Buffer.from([0, 0, 0, 4])]);
}

function keyPress(): Buffer {
  const packet = Buffer.alloc(16);
  rtpHeader(packet, { payloadType: EVENTS, sequence: 7, timestamp: 1_120 });
  packet.set([5, 0x8a, 0x03, 0x20], 12);
  return packet;
}

const inOurProcess = codecNames.filter((name) => isSpoken(name) && !codecs[name].needs?.some((it) => it.apart));

test.each(inOurProcess)("voice by %s that is decoded and mixed", { timeout: PATIENCE_MS }, (codec) => {
  const { payloadType } = codecs[codec];
  const line = mediaLine({ how: "mixed", settings: { codec, payloadType, telephoneEvent: EVENTS } });
  const voice = voiceOf(codec, 24);
  const sound = [...voice, adorned(voice), keyPress()];
  takeSpoilt({ name: codec, sound, take: fires(line), count: SPOILT / 4 });
  goesOn(line, voice);
});

test("voice that is passed on", { timeout: PATIENCE_MS }, () => {
  const settings = { telephoneEvent: EVENTS };
  const line = mediaLine({ settings, otherSettings: { ...settings, codec: "PCMU", payloadType: 0, srtp: newKeys() } });
  const voice = voiceOf("PCMA", 24);
  const sound = [...voice, adorned(voice), keyPress()];
  takeSpoilt({ name: "relayed", sound, take: fires(line) });
  goesOn(line, voice);
});

const reports = [
  // A sender's report with two blocks, a description, a goodbye; a receiver's report; feedback of RFC 4585.
  "82c80012090909098000000000000000000003e8000000640000138812345678000000000000006400000010000000000000000011111111" +
    "000000000000006400000010000000000000000081ca00040909090901046e616d6500000000000081cb000109090909",
  "81c90007090909091234567800000000000000640000001012340000000000ff",
  "81cd0003090909091234567800010000",
].map((octets) => Buffer.from(octets, "hex"));

test("reports, at a port of their own and beside voice", { timeout: PATIENCE_MS }, () => {
  for (const rtcpMux of [false, true]) {
    const line = mediaLine({ settings: { rtcpMux } });
    const voice = voiceOf("PCMA", 24);
    for (const packet of voice) line.hear(packet);
    takeSpoilt({ name: "reports", sound: reports, take: fires(line, () => (rtcpMux ? "rtp" : "rtcp")) });
    expect(line.one.roundTripMs).toBeLessThanOrEqual(10_000);
    goesOn(line, voice);
  }
});

function newKeys(suite: CryptoSuite = "AES_CM_128_HMAC_SHA1_80"): SrtpKeys {
  const { keyBytes, saltBytes } = transforms[suite];
  const key = () => randomBytes(keyBytes + saltBytes).toString("base64");
  return { suite, localKey: key(), remoteKey: key() };
}

const theirs = ({ suite, localKey, remoteKey }: SrtpKeys) =>
  new Session({ suite, localKey: remoteKey, remoteKey: localKey }, cryptoLibrary());

/** What it was before it was spoilt, whatever else came of it. */
const isWhole = (packet: Buffer, sealed: readonly Uint8Array[]) => sealed.some((it) => packet.equals(it));

test.each(suiteNames)(
  "encrypted voice by %s: nothing of what was spoilt on the way is heard",
  {
    timeout: PATIENCE_MS,
  },
  (suite) => {
    const keys = newKeys(suite);
    const line = mediaLine({ settings: { srtp: keys } });
    const phone = theirs(keys);
    const seal = (packet: Buffer) => {
      const room = Buffer.alloc(2_048);
      packet.copy(room);
      return Buffer.from(room.subarray(0, phone.protect(room, packet.length)));
    };
    const sealed = voiceOf("PCMA", 24).map(seal);
    const fire = fires(line);
    const take = (packet: Buffer) => {
      const before = line.one.packetsIn;
      fire(packet);
      if (line.one.packetsIn > before) expect(isWhole(packet, sealed), packet.toString("hex")).toBe(true);
    };
    takeSpoilt({ name: suite, sound: sealed, take, count: SPOILT / 2 });
    // And what somebody spoils who has the keys.
    takeSpoilt({
      name: `${suite} by who has the keys`,
      sound: voiceOf("PCMA", 24),
      most: 1_900,
      count: SPOILT / 2,
      take: (packet) => fire(headerLength(packet, packet.length) > 0 ? seal(packet) : packet),
    });
    const report = Buffer.alloc(2_048);
    const sealedReports = reports.map((it) => {
      it.copy(report);
      return Buffer.from(report.subarray(0, phone.protectRtcp(report, it.length)));
    });
    takeSpoilt({
      name: `reports by ${suite}`,
      sound: sealedReports,
      take: fires(line, () => "rtcp"),
      count: SPOILT / 2,
    });
    phone.close();
    line.close();
  },
);

const ICE = { localUfrag: "ours", localPassword: "a-password-of-ours-22", remoteUfrag: "them" };
const SIGNATURE_BYTES = 24;

/** As a browser writes it: a name, a priority, the choice, a signature and a checksum that nobody reads. */
function check(transaction: number): Buffer {
  const attribute = (type: number, value: Buffer) => {
    const head = Buffer.alloc(4);
    head.writeUInt16BE(type, 0);
    head.writeUInt16BE(value.length, 2);
    return Buffer.concat([head, value, Buffer.alloc((4 - (value.length & 3)) & 3)]);
  };
  const head = Buffer.alloc(20);
  head.writeUInt16BE(1, 0);
  head.writeUInt32BE(0x2112_a442, 4);
  head.writeUInt32BE(transaction, 16);
  const body = Buffer.concat([
    ...[attribute(6, Buffer.from(`${ICE.localUfrag}:${ICE.remoteUfrag}`)), attribute(0x24, Buffer.alloc(4, 0x6e))],
    ...[attribute(0x802a, Buffer.alloc(8, 3)), attribute(0x25, Buffer.alloc(0))],
  ]);
  head.writeUInt16BE(body.length + SIGNATURE_BYTES, 2);
  const signed = Buffer.concat([head, body]);
  const signature = createHmac("sha1", ICE.localPassword).update(signed).digest();
  const whole = Buffer.concat([signed, attribute(8, signature), attribute(0x8028, Buffer.alloc(4))]);
  whole.writeUInt16BE(whole.length - 20, 2);
  return whole;
}

test("browsers' checks: nobody is believed or answered whose check is not signed", { timeout: PATIENCE_MS }, () => {
  const line = mediaLine({ settings: { ice: ICE, rtcpMux: true } });
  const sound = Array.from({ length: 24 }, (_, place) => check(place));
  /** All that is signed; the length of the whole is not. */
  const essence = (packet: Buffer) =>
    Buffer.concat([packet.subarray(0, 2), packet.subarray(4, sound[0]!.length - 8)]).toString("hex");
  const known = new Set(sound.map(essence));
  takeSpoilt({
    name: "checks",
    sound,
    take(packet) {
      line.hear(packet);
      const answers = line.sent();
      if (packet[0]! > 3) return; // voice, of a place that is known by then
      if (answers.length > 0) expect(known, packet.toString("hex")).toContain(essence(packet));
      expect(answers.length).toBeLessThanOrEqual(1);
      for (const { length } of answers) expect(length).toBeLessThanOrEqual(packet.length + 20);
    },
  });
  line.hear(check(9_999));
  expect(line.sent()).toHaveLength(1);
  line.close();
});

test("handshakes are begun a few times, then nobody is answered", { timeout: PATIENCE_MS }, () => {
  const dtls = { isClient: false, fingerprints: [{ hash: "sha-256" as const, value: "00".repeat(32) }] };
  const hello = Buffer.from(
    "16feff0000000000000000007701000069000000000000006afefd000000000000000000000000000000000000000000000000000000000000" +
      "000000000004c02bc02f01000039000a00080006001d00170018000b00020100000d001400120403080404010503080505010806060102" +
      "01000e0005000200010000170000ff01000100",
    "hex",
  );
  const more = ["14fefd0000000000000001000101", "15fefd000000000000000200020100", "17fefd000100000000000300100102"];
  let answered = 0;
  const random = seeded(2);
  let line = mediaLine({ settings: { dtls, rtcpMux: true } });
  takeSpoilt({
    name: "handshakes",
    sound: [hello, hello, ...more.map((octets) => Buffer.from(octets, "hex"))],
    count: SPOILT / 4,
    take(packet) {
      line.hear(packet);
      if (below(random, 40) === 0) line.tick();
      answered += line.sent().length;
      if (below(random, 200) > 0) return;
      line.close();
      line = mediaLine({ settings: { dtls, rtcpMux: true } });
    },
  });
  line.close();
  expect(answered).toBeGreaterThan(0);
});
