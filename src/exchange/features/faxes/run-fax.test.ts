// How two exchanges bring a call from sound to data: who asks, who is refused, and what happens when both ask at once.

import { describe, expect, test } from "vitest";
import { type SilentFax, silentFaxes } from "../../../../test/fax/silent-faxes.ts";
import { unexpected } from "../../../../test/ground/unexpected.ts";
import { ALICE, BOB, ladder, line, seededRandom } from "../../../../test/phones/sip-phones.ts";
import { silentMedia } from "../../../../test/town/silent-media.ts";
import type { FaxResult } from "../../../media/fax/fax-engine.ts";
import type { Stack } from "../../../sip/stack.ts";
import type { Leg } from "../../calls/leg.ts";
import type { Party } from "../../calls/party.ts";
import { incomingLeg } from "../../legs/incoming-leg.ts";
import type { LegParts } from "../../legs/leg-parts.ts";
import { outgoingLeg } from "../../legs/outgoing-leg.ts";
import { openStreamHub } from "../../legs/stream-hub.ts";
import { hash } from "../../signalling/registrar/hashing.ts";
import { type FaxDemands, runFax } from "./run-fax.ts";

const PARTY: Party = { is: "outside", number: "1", name: "" };

describe("a fax call", () => {
  test("goes over to data when the receiver has heard the sender's tone", async () => {
    const { receiver, sender, pass, changes } = await faxCall({});
    receiver.fax.hear({ is: "heard" });
    await pass(100);
    expect(sender.fax.told).toEqual(["open sound", "open T.38", "begin T.38"]);
    expect(receiver.fax.told).toEqual(["open sound", "open T.38", "begin T.38"]);
    expect(sender.fax.agreed?.remote).toEqual({ address: BOB, port: 40_001 });
    expect(receiver.fax.agreed?.remote).toEqual({ address: ALICE, port: 30_001 });
    expect(changes()).toEqual(["INVITE", "200 INVITE", "ACK"]);
    for (const { leg } of [sender, receiver])
      expect(leg.facts()).toMatchObject({ writeCodec: "T.38", readCodec: "T.38" });
  });

  test("goes over to data by itself when no tone is heard, and by the sender's wish when the receiver has none", async () => {
    const silent = await faxCall({});
    await silent.pass(4_000);
    expect(silent.sender.fax.told).toContain("begin T.38");
    const passive = await faxCall({ receive: { t38: "accept" } });
    passive.sender.fax.hear({ is: "heard" });
    await passive.pass(4_000);
    expect(passive.receiver.fax.told).toEqual(["open sound", "open T.38", "begin T.38"]);
  });

  test("stays with sound when data is refused, and does not ask again", async () => {
    const { receiver, sender, pass, changes } = await faxCall({ send: { t38: "never" } });
    receiver.fax.hear({ is: "heard" });
    await pass(10_000);
    receiver.fax.hear({ is: "heard" });
    await pass(10_000);
    expect(changes()).toEqual(["INVITE", "488 INVITE", "ACK"]);
    expect(sender.fax.told).toEqual(["open sound"]);
    expect(receiver.fax.told).not.toContain("begin T.38");
    receiver.fax.finish({ t38: false });
    expect(await receiver.result).toMatchObject({ ok: true, t38: false });
    for (const { leg } of [sender, receiver]) expect(leg.facts()).toMatchObject({ writeCodec: "PCMA" });
  });

  test("neither asks for data nor takes it over a line that allows only sound", async () => {
    const { receiver, sender, pass, changes } = await faxCall({ senderLine: { t38: false } });
    sender.fax.hear({ is: "met", remoteStationId: undefined, rate: 14400, ecm: true });
    await pass(2_000);
    expect(changes()).toEqual([]);
    receiver.fax.hear({ is: "heard" });
    await pass(10_000);
    expect(changes()).toEqual(["INVITE", "488 INVITE", "ACK"]);
    expect([sender.fax.told, receiver.fax.agreed]).toEqual([["open sound"], undefined]);
  });

  test("survives that both ask at the same moment", async () => {
    const { receiver, sender, pass, changes } = await faxCall({});
    sender.fax.hear({ is: "met", remoteStationId: undefined, rate: 14400, ecm: true });
    receiver.fax.hear({ is: "heard" });
    await pass(10_000);
    expect(changes().filter((message) => message === "491 INVITE")).toHaveLength(2);
    expect(sender.fax.told.filter((told) => told === "begin T.38")).toHaveLength(1);
    expect(receiver.fax.told.filter((told) => told === "begin T.38")).toHaveLength(1);
  });

  test("ends the fax with what it has when the other side hangs up", async () => {
    const { receiver, sender, pass } = await faxCall({});
    sender.leg.end("NORMAL_CLEARING");
    await pass(100);
    expect(await receiver.result).toMatchObject({ ok: false, code: 49 });
    expect(receiver.fax.told.slice(-2)).toEqual(["terminate", "close"]);
  });

  test("ends a fax that takes too long, and leaves nothing open", async () => {
    const { receiver, pass, media } = await faxCall({ receive: { longestMs: 60_000 } });
    await pass(61_000);
    expect(await receiver.result).toMatchObject({ ok: false });
    expect(media.receiver.streamsOpen()).toBe(1); // the leg's own
  });

  test("lets a call that is no fax refuse data, and go on", async () => {
    const { receiver, sender, pass, changes } = await faxCall({});
    sender.fax.finish({});
    await sender.result;
    receiver.fax.hear({ is: "heard" });
    await pass(1_000);
    expect(changes()).toEqual(["INVITE", "488 INVITE", "ACK"]);
    expect([sender.leg.isAnswered(), receiver.over()]).toEqual([true, false]);
  });
});

type Side = { leg: Leg; fax: SilentFax; result: Promise<FaxResult>; over(): boolean };

type Habits = { send?: Partial<FaxDemands>; receive?: Partial<FaxDemands>; senderLine?: { t38: boolean } };

async function faxCall({ send = {}, receive = {}, senderLine }: Habits) {
  const wire = line();
  const { clock, network } = wire;
  const media = {
    sender: silentMedia({ address: ALICE, firstPort: 10_000 }),
    receiver: silentMedia({ address: BOB, firstPort: 20_000 }),
  };
  const faxes = { sender: silentFaxes(30_000), receiver: silentFaxes(40_000) };
  const partsOf = (who: "sender" | "receiver", stack: Stack): LegParts => ({
    clock,
    stack,
    hash,
    media: media[who],
    streams: openStreamHub(media[who]),
    random: seededRandom(7),
    product: "Fax",
    locate: async () => [],
    unexpected,
    mistake: (error: unknown) => expect(error).toBeUndefined(),
  });
  const run = (who: "sender" | "receiver", leg: Leg, wanted: FaxDemands): Side => {
    const gone = new AbortController();
    leg.listen((event) => event.is === "ended" && gone.abort());
    const result = runFax({ leg, signal: gone.signal, clock, media: media[who], fax: faxes[who] }, wanted);
    return { leg, result, fax: faxes[who].sessions[0]!, over: () => gone.signal.aborted }; // `runFax` has begun it
  };
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 10) {
      clock.pass(10);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  let receiver: Side | undefined;
  wire.bob.onRequest((incoming) => {
    const options = { id: "b", party: PARTY, codecs: ["PCMA"] } as const;
    const leg = incomingLeg(partsOf("receiver", wire.bob), incoming, options);
    const wanted: FaxDemands = { role: "receive", pages: { tiff: "in" }, stationId: "2", ...receive };
    void leg?.answer().then(() => {
      receiver = run("receiver", leg, wanted);
    });
  });
  const leg = outgoingLeg(partsOf("sender", wire.alice), {
    id: "a",
    party: PARTY,
    codecs: ["PCMA"],
    keepsFlow: false,
    headers: [],
    destinations: [wire.toBob],
    uri: `sip:2@${BOB}`,
    from: `<sip:1@${ALICE}>`,
    to: `<sip:2@${BOB}>`,
    ...senderLine,
  });
  const isAnswered = new Promise((resolve) => leg.listen((event) => event.is === "answered" && resolve(true)));
  await pass(500);
  await isAnswered;
  const sender = run("sender", leg, { role: "send", pages: { tiff: "out" }, stationId: "1", ...send });
  await pass(100);
  const before = ladder(network).length;
  const changes = () =>
    ladder(network)
      .slice(before)
      .filter((message) => !message.startsWith("100"));
  if (!receiver) throw new Error("nobody answered");
  return { sender, receiver, pass, changes, media };
}
