import { readFileSync } from "node:fs";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type OutsidePhone, outsidePhone } from "../carriers/carrier.ts";
import { type EventReceiver, PRIVATE_WEBHOOKS, reportedEvents } from "../customer/event-receiver.ts";
import { shows } from "../ground/interop.ts";
import type { Baresip } from "../phones/baresip.ts";
import { earOf, talked } from "../phones/ear.ts";
import { type SoftPhone, softPhone } from "../phones/soft-phone.ts";
import { endOf, expectHeard, expectStereo, recordOf, talking } from "../town/call-story.ts";
import { ABSENT, CLEAR, type RealTown, realTown } from "../town/real-town.ts";

let town: RealTown;
let events: EventReceiver;
let ann: Baresip;
let bob: Baresip;
let carl: Baresip;
let dora: SoftPhone;
let yan: OutsidePhone;
let zoe: OutsidePhone;

beforeAll(async () => {
  town = await realTown(PRIVATE_WEBHOOKS);
  events = await reportedEvents(town);
  await town.command("exchange", "set", "record-internal=yes");
  [ann, bob, carl, dora] = await Promise.all([
    town.phone("1000", 440),
    town.phone("1001", 660, { answerMode: "auto" }),
    town.phone("1002", 880, { answerMode: "auto" }),
    softPhone(town, "1003", 1000),
  ]);
  [yan, zoe] = await Promise.all([outsidePhone(town, "905321234567", 1200), outsidePhone(town, "905331234567", 1400)]);
});

afterEach(() => {
  events.events.length = 0;
  for (const phone of [ann, bob, carl, yan, zoe]) phone.forget();
});

describe("the interface starts calls", () => {
  test("originate: the desk is asked to pick up by itself, then the destination is dialled", async () => {
    const uuid = await town.ask("/originate", { extension: "1003", destination: yan.number });
    const ringing = await dora.incoming();
    const asked = ringing.invite.headers.filter(({ name }) => name === "Call-Info" || name === "Alert-Info");
    expect(asked.map(({ value }) => value).join(" ")).toMatch(/answer-after=0/);
    const call = await ringing.answer();
    await yan.event("CALL_ESTABLISHED");
    await talked([yan, 1000]);
    expect(await call.voice.soonHears(1200)).toBeGreaterThan(CLEAR);
    expect(await town.ask(`/hangup/${uuid}`)).toBe("+OK");
    await call.over;
    await yan.event("CALL_CLOSED");
    await expectHeard(yan, 1000);
    await endOf(events, { call_uuid: uuid });
    expect(events.of(uuid)).toEqual(["ringing", "ringing", "answer", "hangup"]);
    const { cdr, call_flow: legs } = await recordOf(town, uuid);
    expect(cdr).toMatchObject({
      direction: "Giden (API)",
      caller_id_number: "1003",
      destination_number: "05321234567",
      result: "Cevaplandı",
    });
    expect(legs).toHaveLength(2);
    await expectStereo(town, uuid, { left: 1000, right: 1200 });
    expect(await town.tell(`/hangup/${uuid}`)).toEqual({ status: 400, text: "No such channel!" });
  });

  test("originate with manual_answer: the phone rings until the answer operation makes it pick up", async () => {
    const request = { extension: "1003", destination: yan.number, manual_answer: "true" };
    const uuid = await town.ask("/originate", request);
    const ringing = await dora.incoming();
    expect(JSON.stringify(ringing.invite.headers)).not.toContain("answer-after");
    const notify = ringing.request();
    expect(await town.ask(`/answer/${uuid}`)).toBe("+OK");
    expect(await notify).toMatchObject({
      method: "NOTIFY",
      headers: expect.arrayContaining([{ name: "Event", value: "talk" }]),
    });
    const call = await ringing.answer();
    await yan.event("CALL_ESTABLISHED");
    await talked([yan, 1000]);
    expect(await call.voice.soonHears(1200)).toBeGreaterThan(CLEAR);
    await yan.hangUp();
    await call.over;
    await expectHeard(yan, 1000);
    expect(await endOf(events, { call_uuid: uuid })).toMatchObject({ sip_hangup_disposition: "callee" });
  });

  test(
    "bridge: the answer is held until the source has picked up, and each side hears its announcement",
    shows("interface: bridge", "baresip"),
    async () => {
      const [toCaller, toCallee] = await Promise.all([upload("to the caller", 520), upload("to the callee", 720)]);
      const announcements = { announcement_to_caller: toCaller, announcement_to_callee: toCallee };
      const [zoes, yans] = await Promise.all([earOf(zoe), earOf(yan)]);
      await zoe.command("answermode", "manual");
      let isAnswered = false;
      const asked = town.ask("/bridge", { source: zoe.number, destination: yan.number, ...announcements });
      const answered = asked.finally(() => (isAnswered = true));
      await zoe.event("CALL_INCOMING");
      await talking(500);
      expect(isAnswered, "while the source rings").toBe(false);
      await zoe.command("accept");
      const uuid = await answered;
      await zoe.command("answermode", "auto");
      await Promise.all([
        zoes.hears(520).then(() => zoes.hears(1200)), // what is said to her, then him
        yans.hears(720).then(() => yans.hears(1400)),
      ]);
      await town.ask(`/hangup/${uuid}`);
      await Promise.all([zoe.event("CALL_CLOSED"), yan.event("CALL_CLOSED")]);
      const { cdr } = await recordOf(town, uuid);
      expect(cdr).toMatchObject({ direction: "Giden (API)", result: "Cevaplandı" });
      await expectStereo(town, uuid, { left: 1400, right: 1200 });
    },
  );

  test("bridge from somebody who does not answer tells why", async () => {
    await zoe.command("answermode", "manual");
    const refused = town.tell("/bridge", { source: zoe.number, destination: yan.number });
    await zoe.event("CALL_INCOMING");
    await zoe.hangUp();
    expect(await refused).toEqual({ status: 400, text: "USER_BUSY" });
    await zoe.command("answermode", "auto");
  });
});

describe("what the interface refuses, and when", () => {
  test(
    "originate's timeout holds for the destination as well",
    shows("interface: timeout of originate", "baresip"),
    async () => {
      await zoe.command("answermode", "manual");
      const uuid = await town.ask("/originate", { extension: "1001", destination: zoe.number, timeout: "10" });
      await zoe.event("CALL_INCOMING");
      const fromMs = performance.now();
      await zoe.event("CALL_CLOSED");
      const rungSeconds = (performance.now() - fromMs) / 1_000;
      await zoe.command("answermode", "auto");
      // Both are heard of over a line of their own: a moment earlier or later.
      expect(rungSeconds).toBeGreaterThan(8);
      expect(rungSeconds).toBeLessThan(25);
      expect((await recordOf(town, uuid)).cdr.result).toBe("Cevapsız");
    },
  );

  test(
    "an extension with do-not-disturb is not rung",
    shows("interface: DND refuses originate", "baresip"),
    async () => {
      await town.ask("/dnd/1001", { state: "on" });
      const refused = await town.tell("/originate", { extension: "1001", destination: yan.number });
      await town.ask("/dnd/1001", { state: "off" });
      expect(refused).toEqual({ status: 400, text: "USER_BUSY" });
      const uuid = await town.ask("/originate", { extension: "1001", destination: yan.number });
      await yan.event("CALL_ESTABLISHED");
      expect(await town.ask(`/hangup/${uuid}`)).toBe("+OK");
      expect(await town.tell(`/hangup/${uuid}`), "at once").toEqual({ status: 400, text: "No such channel!" });
      await yan.event("CALL_CLOSED");
    },
  );

  test("a barred number rings nobody first", shows("interface: barred destinations", "baresip"), async () => {
    const barred = { number: "905559999999", direction: "outbound" };
    await town.post("/blocked_numbers", barred);
    const refused = { status: 400, text: "destination barred: 905559999999" };
    expect(await town.tell("/originate", { extension: "1001", destination: "05559999999" })).toEqual(refused);
    expect(await town.tell("/bridge", { source: yan.number, destination: "05559999999" })).toEqual(refused);
    expect(await town.tell("/bridge", { source: "05559999999", destination: yan.number })).toEqual(refused);
    expect(events.events.filter((event) => event.destination_number === "05559999999")).toEqual([]);
  });
});

describe("calls that are up are steered", () => {
  async function annCallsBob(): Promise<string> {
    await ann.dial("1001");
    await ann.event("CALL_ESTABLISHED");
    const { call_uuid: uuid = "" } = await events.event({ event_type: "answer", caller_id_number: "1000" });
    return uuid;
  }

  test("mute: the one who was called is not heard, and then again", shows("interface: mute", "baresip"), async () => {
    const anns = await earOf(ann);
    const uuid = await annCallsBob();
    await anns.hears(660);
    expect(await town.ask(`/mute/${uuid}`, { state: "on" })).toBe("+OK");
    await anns.hearsWhat("nothing of him", ({ most }) => most(660) < ABSENT);
    expect(await town.ask(`/mute/${uuid}`, { state: "off" })).toBe("+OK");
    await anns.hears(660);
    await ann.hangUp();
    await bob.event("CALL_CLOSED");
    await expectHeard(bob, 440);
  });

  test(
    "a transfer to an extension without a phone is refused, and they talk on",
    shows("transfers: refused by the interface", "baresip"),
    async () => {
      const uuid = await annCallsBob();
      const refused = await town.tell(`/transfer/${uuid}`, { user_number: "1004" });
      expect(refused).toEqual({ status: 400, text: "NO_USER_RESPONSE" });
      await talked([ann, 660], [bob, 440]);
      await ann.hangUp();
      await bob.event("CALL_CLOSED");
    },
  );

  test(
    "blind transfer by the interface: the caller goes on with somebody else",
    shows("interface: transfer", "baresip"),
    async () => {
      const uuid = await annCallsBob();
      expect(await town.ask(`/transfer/${uuid}`, { user_number: "1002" })).toBe("+OK");
      await bob.event("CALL_CLOSED");
      await carl.event("CALL_ESTABLISHED");
      await talked([ann, 880], [carl, 440]);
      await ann.hangUp();
      await carl.event("CALL_CLOSED");
      await endOf(events, { call_uuid: uuid });
      expect(events.of(uuid)).toEqual(["ringing", "answer", "user_hangup", "ringing", "hangup"]);
      const left = await events.event({ call_uuid: uuid, event_type: "user_hangup" });
      expect(left).toMatchObject({ connected_user: "1001", recording_present: "true" });
      const { cdr, call_flow: legs } = await recordOf(town, uuid);
      expect(cdr.result).toBe("Cevaplandı");
      expect(legs.map((leg) => leg.destination_number).sort()).toEqual(["1000", "1001", "1002"]);
    },
  );

  test("blind transfer by the phone", shows("transfers: blind", "baresip"), async () => {
    const uuid = await annCallsBob();
    await bob.command("transfer", "1002");
    await carl.event("CALL_ESTABLISHED");
    await bob.event("CALL_CLOSED");
    await talked([ann, 880], [carl, 440]);
    await ann.hangUp();
    await carl.event("CALL_CLOSED");
    await endOf(events, { call_uuid: uuid });
    expect(events.of(uuid)).toEqual(["ringing", "answer", "ringing", "user_hangup", "hangup"]);
  });

  test("attended transfer: two calls of one phone become one", async () => {
    await ann.dial("1003");
    const first = await (await dora.incoming()).answer();
    await ann.event("CALL_ESTABLISHED");
    const second = await dora.call("1001");
    if ("refused" in second) throw new Error(`refused: ${second.refused}`);
    await talking(500);
    const { callId, localTag, remoteTag } = second.dialog;
    const replaces = encodeURIComponent(`${callId};to-tag=${remoteTag};from-tag=${localTag}`);
    const target = `<sip:1001@${town.firstRun.exchange.sip_domain}?Replaces=${replaces}>`;
    expect(await first.ask("REFER", [{ name: "Refer-To", value: target }])).toBe(202);
    await Promise.all([first.over, second.over]);
    expect(first.requests.map(({ body }) => body).join()).toContain("SIP/2.0 200");
    await talked([ann, 660], [bob, 440]);
    await ann.hangUp();
    await bob.event("CALL_CLOSED");
    const { call_uuid: uuid = "" } = await endOf(events, { caller_id_number: "1000" });
    const consulted = await endOf(events, { caller_id_number: "1003" });
    expect((await recordOf(town, uuid)).call_flow.map((leg) => leg.destination_number).sort()).toEqual([
      ...["1000", "1001", "1003"],
    ]);
    expect(consulted.hangup_cause).toBe("ATTENDED_TRANSFER");
  });
});

async function upload(name: string, hz: number): Promise<string> {
  const sound = readFileSync(town.tone(hz)).subarray(0, 44 + 16_000);
  sound.writeUInt32LE(16_000, 40);
  return town.post("/announcements", {
    name,
    sounddata: `data:audio/wav;name:a.wav;base64,${sound.toString("base64")}`,
  });
}
