// Streams at several of our addresses: IPv4 and IPv6 in one engine.

import { describe, expect, test } from "vitest";
import { familyOf } from "../../src/addresses.ts";
import type { MediaReach } from "../../src/media/embedded/media-reach.ts";
import { passing, RtpPhone } from "../phones/rtp-phone.ts";
import { CLEAR, NOT_AT_ALL, phonesOn } from "./phones.ts";

const SIX = "::1";
const FOUR = "127.0.0.1";

const reach: MediaReach = {
  boundFor: (peer, addresses) => addresses.find((address) => familyOf(address) === familyOf(peer)),
  toldTo: (peer, bound) => (peer === "::7" ? "fd00::7" : bound),
};

describe.each([
  ["libc", false],
  ["node:dgram", true],
])("with sockets of %s", (_name, withoutLibc) => {
  const town = phonesOn({ address: FOUR, alsoAt: [SIX], reach, withoutLibc });

  test("a phone on IPv6 and one on IPv4 hear each other, in whichever threads they began", async () => {
    const a = await town.connect({ says: 440, address: SIX }, { peerHint: SIX });
    const b = await town.connect({ says: 660 }, { peerHint: FOUR });
    expect([a.address, b.address]).toEqual([SIX, FOUR]);
    await town.engine.join(a.stream, b.stream);
    expect(await a.phone.soonHears(660)).toBeGreaterThan(CLEAR);
    expect(await b.phone.soonHears(440)).toBeGreaterThan(CLEAR);
    await expect.poll(async () => (await town.engine.statistics(a.stream)).packetsIn).toBeGreaterThan(10);
  });

  test("a stranger on IPv6 is not heard", async () => {
    const a = await town.connect({ says: 440, address: SIX }, { peerHint: SIX });
    const b = await town.connect({ says: 660, address: SIX }, { peerHint: SIX, near: a.stream });
    await town.engine.join(a.stream, b.stream);
    expect(await b.phone.soonHears(440)).toBeGreaterThan(CLEAR);
    const stranger = await RtpPhone.open({ says: 1_000, address: SIX });
    stranger.talkTo(a);
    await expect.poll(async () => (await town.engine.statistics(a.stream)).refused).toBeGreaterThan(10);
    await passing(100);
    stranger.hangUp();
    expect(b.phone.hears(1_000)).toBeLessThan(NOT_AT_ALL);
  });

  test("media of the other family than the stream's reach nobody and harm nobody", async () => {
    const a = await town.connect({ says: 440 }, { peerHint: FOUR }, { remote: { address: SIX, port: 40_000 } });
    const b = await town.connect({ says: 660 }, { peerHint: FOUR, near: a.stream });
    await town.engine.join(a.stream, b.stream);
    await town.engine.settle(a.stream, a.phone.settings());
    expect(await a.phone.soonHears(660)).toBeGreaterThan(CLEAR);
  });

  test("a peer is told what the way to it says, whatever the stream is bound to", async () => {
    const { stream, address } = await town.engine.open({ peerHint: FOUR, towards: "::7" });
    expect(address).toBe("fd00::7");
    await town.engine.close(stream);
  });
});
