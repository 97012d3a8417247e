import { expect, test } from "vitest";
import type { SrtpKeys } from "../../sdp/agreed.ts";
import { cryptoSuites, suiteNames } from "../../sdp/crypto.ts";
import { sequenceAfter, sessionAfter } from "./after-absence.ts";
import { COUNTERS, type KeptCounters, LONGEST_AWAY_MS, readCounters } from "./kept-stream.ts";
import { writeSequence, writeUint32 } from "./rtp.ts";
import { Session } from "./srtp.ts";
import { nodeCrypto } from "./srtp-crypto.ts";

const PACKET = 172;

test.each([
  ["at once", 0],
  ["after a second", 1_000],
  ["after a minute", 60_000],
  ["after as long as may be", LONGEST_AWAY_MS],
])("numbers go on beyond all that may have been sent, and stay where the other side can follow: %s", (_, passedMs) => {
  for (const kept of [0, 30_000, 65_535]) {
    const ahead = (sequenceAfter(kept, passedMs) - kept) & 0xffff;
    expect(ahead).toBeLessThan(0x8000);
    expect(ahead).toBeGreaterThan(passedMs / 20);
    expect(ahead).toBeGreaterThanOrEqual(256);
  }
  const counters = { ...readCounters(new Float64Array(COUNTERS)), rtcpSent: 7 };
  const [, , reports] = sessionAfter(keysOf("AEAD_AES_128_GCM").ours, counters, passedMs).counters;
  expect(reports - 7).toBeGreaterThan(passedMs / 2_500 + 1);
});

test("a clock that seems to have gone back takes nothing back", () => {
  expect(sequenceAfter(100, -5_000)).toBe(356);
});

function keysOf(suite: SrtpKeys["suite"]): { ours: SrtpKeys; theirs: SrtpKeys } {
  const [one, other] = [1, 2].map((octet) => Buffer.alloc(cryptoSuites[suite], octet).toString("base64")) as [
    string,
    string,
  ];
  return {
    ours: { suite, localKey: one, remoteKey: other },
    theirs: { suite, localKey: other, remoteKey: one },
  };
}

function packetWith(sequence: number, ssrc = 77): Buffer {
  const packet = Buffer.alloc(PACKET + 32, 0x55);
  packet[0] = 0x80;
  packet[1] = 8;
  writeSequence(packet, sequence & 0xffff);
  writeUint32(packet, 4, sequence * 160);
  writeUint32(packet, 8, ssrc);
  return packet;
}

/** Sends those numbers, and says which of them the other side took. */
function send(from: Session, to: Session, first: number, count: number): number[] {
  const taken: number[] = [];
  for (let i = first; i < first + count; i++) {
    const packet = packetWith(i);
    const plain = Buffer.from(packet.subarray(0, PACKET));
    const length = to.unprotect(packet, from.protect(packet, PACKET));
    if (length === PACKET && packet.subarray(0, PACKET).equals(plain)) taken.push(i);
  }
  return taken;
}

function keptOf(session: Session): KeptCounters {
  const { counters, senders } = session.state();
  const [rollover, lastSent, rtcpSent, rtcpHighest] = counters;
  const kept = senders.map(([ssrc, { rollover, highest }]) => ({ ssrc, rollover, highest }));
  return { ...readCounters(new Float64Array(COUNTERS)), rollover, lastSent, rtcpSent, rtcpHighest, senders: kept };
}

test.each(suiteNames)(
  "%s: the other side takes all that comes after a crash, over a turn of the count as well",
  (suite) => {
    const { ours, theirs } = keysOf(suite);
    for (const last of [2_000, 65_400, 65_535 + 40_000]) {
      const phone = new Session(theirs, nodeCrypto);
      const before = new Session(ours, nodeCrypto);
      const first = last - 1_000;
      // A session begins below the half of the count.
      if (first > 0x7fff) send(before, phone, 0, 1);
      for (let at = 20_000; at < first; at += 20_000) send(before, phone, at, 1);
      expect(send(before, phone, first, 1_000)).toHaveLength(1_000);
      const kept = keptOf(before);
      // Sent, and not in the ledger any more.
      expect(send(before, phone, last, 50)).toHaveLength(50);
      const next = Session.from(sessionAfter(ours, kept, 1_000), nodeCrypto);
      const goesOn = last + 356;
      expect(sequenceAfter(last & 0xffff, 1_000)).toBe(goesOn & 0xffff);
      expect(send(next, phone, goesOn, 200)).toHaveLength(200);
    }
  },
);

test.each(suiteNames)(
  "%s: what the other side sent meanwhile is found by its tag, however far it has come",
  (suite) => {
    const { ours, theirs } = keysOf(suite);
    for (const missed of [1, 100, 20_000, 40_000, 70_000, 100_000]) {
      const phone = new Session(theirs, nodeCrypto);
      const before = new Session(ours, nodeCrypto);
      send(phone, before, 30_000, 100);
      const kept = keptOf(before);
      const nobody = new Session(ours, nodeCrypto);
      for (let at = 30_100; at < 30_100 + missed; at += 1_000) send(phone, nobody, at, 1);
      const next = Session.from(sessionAfter(ours, kept, 0), nodeCrypto);
      expect(send(phone, next, 30_100 + missed, 10)).toHaveLength(10);
    }
  },
);

test.each(suiteNames)(
  "%s: nothing that was heard before can be played again, and nothing that was forged is believed",
  (suite) => {
    const { ours, theirs } = keysOf(suite);
    const phone = new Session(theirs, nodeCrypto);
    const before = new Session(ours, nodeCrypto);
    const sent = Array.from({ length: 100 }, (_, i) => {
      const packet = packetWith(i + 1);
      return packet.subarray(0, phone.protect(packet, PACKET));
    });
    for (const packet of sent) expect(before.unprotect(Buffer.from(packet), packet.length)).toBe(PACKET);
    const next = Session.from(sessionAfter(ours, keptOf(before), 0), nodeCrypto);
    for (const packet of sent) expect(next.unprotect(Buffer.from(packet), packet.length)).toBe(-1);
    const forged = packetWith(150);
    expect(next.unprotect(forged, PACKET + 16)).toBe(-1);
    expect(send(phone, next, 160, 5)).toHaveLength(5);
    for (const packet of sent) expect(next.unprotect(Buffer.from(packet), packet.length)).toBe(-1);
  },
);
