// Codecs of phones that know nothing else: each talks with one that knows G.711 alone, and is heard in the recording.

import { readFile } from "node:fs/promises";
import { beforeAll, expect, test, vi } from "vitest";
import { type EventReceiver, PRIVATE_WEBHOOKS, reportedEvents } from "../customer/event-receiver.ts";
import { eventually } from "../ground/eventually.ts";
import { shows } from "../ground/interop.ts";
import { whenOver } from "../ground/when-over.ts";
import type { Baresip } from "../phones/baresip.ts";
import { talked } from "../phones/ear.ts";
import { type Linphonec, startLinphonec } from "../phones/linphonec.ts";
import { toneLevel } from "../phones/tone-level.ts";
import { endOf, expectStereo, recordOf } from "../town/call-story.ts";
import { CLEAR, type RealTown, realTown } from "../town/real-town.ts";

vi.setConfig({ testTimeout: 300_000 });

const ANN_SAYS = 440;
const OTHERS_SAY = 660;

let town: RealTown;
let events: EventReceiver;
let ann: Baresip;

beforeAll(async () => {
  town = await realTown(PRIVATE_WEBHOOKS);
  events = await reportedEvents(town);
  await town.command("exchange", "set", "record-internal=yes");
  ann = await town.phone("1000", ANN_SAYS);
});

/** The record says the codec of each side, and the recording holds both voices. */
async function expectTold(number: string, codec: string, { called }: { called: boolean }): Promise<void> {
  const fits = called ? { destination_number: number } : { caller_id_number: number };
  const { call_uuid: uuid = "" } = await endOf(events, fits);
  const { call_flow: legs } = await recordOf(town, uuid);
  const spoken = legs.map((leg) => `${leg.destination_number} ${leg.write_codec}`);
  expect(spoken).toContain(`${called ? number : "1000"} ${called ? codec : "PCMA"}`);
  expect(legs.map((leg) => leg.write_codec).sort()).toEqual([codec, "PCMA"].sort());
  const [left, right] = called ? [ANN_SAYS, OTHERS_SAY] : [OTHERS_SAY, ANN_SAYS];
  await expectStereo(town, uuid, { left, right });
  events.events.length = 0;
}

test.each([
  ["1001", "GSM", "gsm", "gsm.so"],
  ["1002", "AMR", "amr/8000/1", "amr.so"],
  ["1003", "AMR-WB", "amr-wb/16000/1", "amr.so"],
])(
  "%s speaks only %s: called and calling it talks with a phone that does not",
  shows("voice: GSM, AMR and AMR-WB beside G.711", "baresip"),
  async (number, codec, theirs, module) => {
    await town.command("extension", "set", number, `codecs=${codec},PCMA`);
    const phone = await town.phone(number, OTHERS_SAY, { codecs: theirs, config: [`module ${module}`] });
    await ann.dial(number);
    await phone.event("CALL_INCOMING");
    await phone.command("accept");
    await ann.event("CALL_ESTABLISHED");
    await talked([ann, OTHERS_SAY], [phone, ANN_SAYS]);
    await ann.hangUp();
    await phone.event("CALL_CLOSED");
    await expectTold(number, codec, { called: true });
    await phone.dial("1000");
    await ann.event("CALL_INCOMING");
    await ann.command("accept");
    await phone.event("CALL_ESTABLISHED");
    await talked([ann, OTHERS_SAY], [phone, ANN_SAYS]);
    await phone.hangUp();
    await expectTold(number, codec, { called: false });
    ann.forget();
  },
);

test.each([
  ["1004", "speex", "speex", 8000],
  ["1004", "speex16", "speex", 16_000],
  ["1005", "G729", "G729", 8000],
])(
  "%s speaks only %s: called and calling it talks with a phone that does not",
  shows("voice: Speex and G.729 beside G.711", "linphonec"),
  async (number, codec, mime, rate) => {
    await town.command("extension", "set", number, `codecs=${codec}`);
    const phone = await linphonecOf(number, [`mime=${mime}`, `rate=${rate}`, "channels=1", "enabled=1"]);
    await ann.dial(number);
    await phone.rings();
    await phone.answers();
    await ann.event("CALL_ESTABLISHED");
    await Promise.all([talked([ann, OTHERS_SAY]), tapes(phone, rate)]);
    await ann.hangUp();
    await expectTold(number, codec, { called: true });
    phone.dial("1000");
    await ann.event("CALL_INCOMING");
    await ann.command("accept");
    await Promise.all([talked([ann, OTHERS_SAY]), tapes(phone, rate)]);
    await ann.hangUp();
    await expectTold(number, codec, { called: false });
    ann.forget();
    await phone.kill();
  },
);

/** It writes the head of its file when the call is over, and half a second of sound is enough. */
async function tapes(phone: Linphonec, rate: number): Promise<void> {
  const HEAD = 44;
  await eventually(`linphonec hears ${ANN_SAYS} Hz`, async () => {
    const [file] = await phone.recordings();
    const octets = file === undefined ? Buffer.alloc(0) : await readFile(file);
    const sound = new Int16Array(Math.max(0, octets.length - HEAD) >> 1).map((_, at) =>
      octets.readInt16LE(HEAD + at * 2),
    );
    return sound.length > rate / 2 && toneLevel(sound.subarray(-rate / 2), ANN_SAYS, rate) > CLEAR;
  });
}

async function linphonecOf(number: string, codec: readonly string[]): Promise<Linphonec> {
  const phone = await startLinphonec({
    user: number,
    password: town.firstRun.extensions.find((it) => it.number === number)?.password ?? "",
    domain: town.firstRun.exchange.sip_domain,
    server: town.santral.run.sip ?? "",
    plays: town.tone(OTHERS_SAY),
    codecs: [],
    config: { audio_codec_1: codec },
  });
  whenOver(() => phone.kill());
  await phone.registered();
  return phone;
}

test(
  "a phone that knows only what nobody chose for it is refused, and told so",
  shows("voice: no common codec", "baresip"),
  async () => {
    await town.command("extension", "set", "1001", "codecs=");
    const phone = await town.phone("1001", OTHERS_SAY, { codecs: "gsm", config: ["module gsm.so"] });
    await phone.dial("*97"); // which picks up at once
    expect(`${(await phone.event("CALL_CLOSED")).param}`).toContain("488");
  },
);
