// A server that is asked to stop leaves its calls to the next one, and ends them where nobody comes.

import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { realClock } from "../../src/clock.ts";
import { type EventReceiver, PRIVATE_WEBHOOKS, reportedEvents } from "../customer/event-receiver.ts";
import { eventually } from "../ground/eventually.ts";
import { shows } from "../ground/interop.ts";
import { santral } from "../ground/santral-process.ts";
import { startSupervisedProcess } from "../ground/supervised-process.ts";
import type { Baresip } from "../phones/baresip.ts";
import { earOf, type Stretch, talked } from "../phones/ear.ts";
import { endOf, expectStereo, recordingOf, recordOf } from "../town/call-story.ts";
import { CLEAR, type RealTown, realTown, stereo } from "../town/real-town.ts";
import { saidIn } from "../town/said-in-calls.ts";

vi.setConfig({ testTimeout: 300_000 });

/** A hundredth of full scale: quiet music is louder, comfort noise far below. */
const AUDIBLE = 0.01;
const TONES = { "1000": 440, "1001": 660, "1002": 880, "1003": 1_000 };

let town: RealTown;
let events: EventReceiver;
let ann: Baresip;
let bob: Baresip;
let carl: Baresip;
let dora: Baresip;

beforeAll(async () => {
  town = await realTown({ ...PRIVATE_WEBHOOKS, SANTRAL_SANDBOX: "off" }, startSupervisedProcess);
  events = await reportedEvents(town);
  await town.command("exchange", "set", "record-internal=yes");
  const numbers = Object.entries(TONES);
  [ann, bob, carl, dora] = (await Promise.all(numbers.map((one) => town.phone(...one)))) as [
    Baresip,
    Baresip,
    Baresip,
    Baresip,
  ];
});

afterEach(() => {
  events.events.length = 0;
  for (const phone of [ann, bob, carl, dora]) phone.forget();
});

async function connect(from: Baresip, to: Baresip, number: "1001" | "1003"): Promise<void> {
  await from.dial(number);
  await to.event("CALL_INCOMING");
  await to.command("accept");
  await from.event("CALL_ESTABLISHED");
  await (number === "1001" ? annAndBobTalk() : carlAndDoraTalk());
}

const annAndBobTalk = () => talked([ann, TONES["1001"]], [bob, TONES["1000"]]);
const carlAndDoraTalk = () => talked([carl, TONES["1003"]], [dora, TONES["1002"]]);

async function hearsMusic(phone: Baresip): Promise<void> {
  const isMusic = ({ level, loudness }: Stretch) => level(TONES["1002"]) < CLEAR && loudness > AUDIBLE;
  await (await earOf(phone)).hearsWhat("music, neither him nor silence", isMusic);
}

/** What became of the call, once: its record, its events, and a recording as long as it lasted. */
async function expectOneWhole(caller: string, cause = "NORMAL_CLEARING"): Promise<string> {
  const { call_uuid: uuid = "", ...end } = await endOf(events, { caller_id_number: caller });
  expect(end).toMatchObject({ hangup_cause: cause, recording_present: "true", answered: "true" });
  expect(events.of(uuid)).toEqual(["ringing", "answer", "hangup"]);
  const { cdr } = await recordOf(town, uuid);
  const { samples, rate } = stereo(await recordingOf(town, uuid));
  const recordedSeconds = samples.length / 2 / rate;
  expect(
    Math.abs(recordedSeconds - secondsOf(cdr.talk_duration)),
    `${recordedSeconds} s of ${cdr.talk_duration}`,
  ).toBeLessThan(1.5);
  return uuid;
}

const secondsOf = (shown: unknown) =>
  String(shown)
    .split(":")
    .reduce((sum, part) => sum * 60 + Number(part), 0);

test(
  "calls go on over a restart by command, also on hold, without a word of SIP",
  shows("calls: go on over a restart", "baresip"),
  async () => {
    await connect(ann, bob, "1001");
    await connect(carl, dora, "1003");
    await carl.command("hold");
    await hearsMusic(dora);
    const fromMs = realClock.wall();
    const restarted = JSON.parse(await town.command("restart", "--json"));
    expect(restarted).toMatchObject({ restarted: true, calls_before: 2, calls_now: 2 });
    await Promise.all([annAndBobTalk(), hearsMusic(dora)]);
    const silence = { fromMs, toMs: realClock.wall() };
    await carl.command("resume");
    await talked([dora, TONES["1002"]]); // his own phone has stopped its tape
    await Promise.all([ann.hangUp(), dora.hangUp()]);
    await Promise.all([bob.event("CALL_CLOSED"), carl.event("CALL_CLOSED")]);
    for (const caller of ["1000", "1002"]) {
      const uuid = await expectOneWhole(caller);
      expect(await saidIn(town, uuid, silence)).toEqual([]);
    }
    const { call_uuid: uuid = "" } = await endOf(events, { caller_id_number: "1000" });
    await expectStereo(town, uuid, { left: TONES["1000"], right: TONES["1001"] });
  },
);

test.each([
  ["a supervisor that gets SIGTERM, and the next one", () => town.restart(undefined, "SIGTERM")],
  ["a stop by command that hands over, and a start", () => town.command("stop", "--hand-over").then(startAgain)],
  ["an upgrade", () => town.command("upgrade", "--json")],
])("a call goes on over %s", shows("calls: go on over an upgrade", "baresip"), async (_, comesBack) => {
  await connect(ann, bob, "1001");
  const fromMs = realClock.wall();
  await comesBack();
  await annAndBobTalk();
  const silence = { fromMs, toMs: realClock.wall() };
  await bob.hangUp();
  await ann.event("CALL_CLOSED");
  const uuid = await expectOneWhole("1000");
  expect(await saidIn(town, uuid, silence)).toEqual([]);
});

test(
  "a stop that drains waits for the end of calls and takes no new ones",
  shows("calls: a stop that drains", "baresip"),
  async () => {
    await connect(ann, bob, "1001");
    const stopped = santral(town.data, ["stop", "--drain"]);
    await eventually("it drains", async () => (await (await town.santral.get("/readyz")).text()).includes("draining"));
    await carl.dial("1003");
    expect((await carl.event("CALL_CLOSED")).param).toContain("503");
    await annAndBobTalk();
    await bob.hangUp();
    await ann.event("CALL_CLOSED");
    expect(await stopped).toMatchObject({ code: 0, stdout: "stopped\n" });
    await startAgain();
    await expectOneWhole("1000");
  },
);

test.each([
  ["a second signal while it drains", drainsAndIsCut],
  ["a stop by command", () => santral(town.data, ["stop"])],
  ["Ctrl-C", () => town.santral.end("SIGINT")],
])(
  "%s ends the calls: both phones are told, and there is a record",
  shows("calls: a stop for good", "baresip"),
  async (_, stops) => {
    await connect(ann, bob, "1001");
    await Promise.all([stops(), ann.event("CALL_CLOSED"), bob.event("CALL_CLOSED")]);
    await startAgain();
    await expectOneWhole("1000", "SYSTEM_SHUTDOWN");
  },
);

async function drainsAndIsCut(): Promise<void> {
  const stopped = santral(town.data, ["stop", "--drain"]);
  await eventually("it drains", async () => (await (await town.santral.get("/readyz")).text()).includes("draining"));
  process.kill(town.santral.run.pid, "SIGTERM");
  expect(await stopped).toMatchObject({ code: 0 });
}

/** It has stopped by itself. */
async function startAgain(): Promise<void> {
  await town.restart();
}
