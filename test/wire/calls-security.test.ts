import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { nextHopOf, requestInDialog } from "../../src/sip/dialog.ts";
import { type EventReceiver, PRIVATE_WEBHOOKS, reportedEvents } from "../customer/event-receiver.ts";
import type { Baresip } from "../phones/baresip.ts";
import { earOf } from "../phones/ear.ts";
import { RtpPhone } from "../phones/rtp-phone.ts";
import { destinationOf, requestTo } from "../phones/sip-phones.ts";
import { type SoftCall, type SoftPhone, softPhone } from "../phones/soft-phone.ts";
import { lastHeard, talking } from "../town/call-story.ts";
import { ABSENT, CLEAR, type RealTown, realTown, toneIn } from "../town/real-town.ts";

let town: RealTown;
let events: EventReceiver;
let bob: Baresip;
let dora: SoftPhone;
let stranger: SoftPhone;

beforeAll(async () => {
  town = await realTown(PRIVATE_WEBHOOKS);
  events = await reportedEvents(town);
  [bob, dora, stranger] = await Promise.all([
    town.phone("1001", 660, { answerMode: "auto" }),
    softPhone(town, "1003", 440),
    softPhone(town, "1004", 440, { password: "a guess" }),
  ]);
});

afterEach(() => {
  events.events.length = 0;
  bob.forget();
});

async function talk(): Promise<{ call: SoftCall; uuid: string }> {
  const call = await dora.call("1001");
  if ("refused" in call) throw new Error(`refused: ${call.refused}`);
  const { call_uuid: uuid = "" } = await events.event({ event_type: "answer", caller_id_number: "1003" });
  return { call, uuid };
}

/** From now on. */
async function hearsBob({ voice }: SoftCall): Promise<void> {
  voice.listenAnew();
  expect(await voice.soonHears(660)).toBeGreaterThan(CLEAR);
}

test("whoever has no password cannot call", async () => {
  expect(await stranger.call("1001")).toEqual({ refused: 403 });
  expect(await stranger.call("905000000001")).toEqual({ refused: 403 });
  const { exchange } = town.firstRun;
  const [host = "", port = ""] = (town.santral.run.sip ?? "").split(":");
  const invite = requestTo("INVITE", { uri: `sip:1001@${exchange.sip_domain}` });
  const answers: number[] = [];
  const server = { transport: "udp", address: host, port: Number(port) } as const;
  await new Promise<void>((resolve) => {
    stranger.stack.send(invite, server, (outcome) => {
      if ("response" in outcome) answers.push(outcome.response.status);
      if (outcome.is !== "provisional") resolve();
    });
  });
  expect(answers.at(-1)).toBeGreaterThanOrEqual(400);
});

test("voice from a stranger's address is never heard, not even when he knows the port", async () => {
  const bobs = await earOf(bob);
  const { call } = await talk();
  await bobs.hears(440);
  const port = call.voicePort;
  const noise = await RtpPhone.open({ says: 1800 });
  const farther = await RtpPhone.open({ says: 2200, address: "127.0.0.77" });
  noise.talkTo({ address: "127.0.0.1", port });
  farther.talkTo({ address: "127.0.0.1", port });
  await talking(1_500);
  await (await earOf(bob)).hears(440);
  await hearsBob(call);
  noise.hangUp();
  farther.hangUp();
  await call.hangUp();
  await bob.event("CALL_CLOSED");
  const heard = await lastHeard(bob);
  expect(toneIn(heard, 1800, { lastMs: 1_500 })).toBeLessThan(ABSENT);
  expect(toneIn(heard, 2200, { lastMs: 1_500 })).toBeLessThan(ABSENT);
  expect(noise.received).toHaveLength(0);
  expect(farther.received).toHaveLength(0);
});

describe("requests inside somebody else's call", () => {
  test("are refused without the tags of its dialog, and the call goes on", async () => {
    const { call } = await talk();
    const server = destinationOf(nextHopOf(call.dialog));
    for (const method of ["BYE", "REFER", "INFO", "INVITE"])
      for (const guess of [
        { ...call.dialog, remote: call.dialog.remote.replace(call.dialog.remoteTag, "guessed") },
        { ...call.dialog, local: call.dialog.local.replace(call.dialog.localTag, "guessed") },
        { ...call.dialog, callId: "guessed" },
      ]) {
        const headers = [{ name: "Contact", value: stranger.contact }];
        const { request } = requestInDialog(guess, method, { headers });
        const outcome = await stranger.stack.ask(request, server);
        expect("response" in outcome && outcome.response.status, method).toBe(481);
      }
    await hearsBob(call);
    expect(await call.hangUp()).toBe(200);
    await bob.event("CALL_CLOSED");
  });

  test("a phone cannot put calls together that are not its own", async () => {
    const { call } = await talk();
    const eve = await softPhone(town, "1005", 1000);
    const own = await eve.call("905000000001");
    if ("refused" in own) throw new Error(`refused: ${own.refused}`);
    const { callId, localTag, remoteTag } = call.dialog;
    const replaces = encodeURIComponent(`${callId};to-tag=${remoteTag};from-tag=${localTag}`);
    const target = `<sip:1001@${town.firstRun.exchange.sip_domain}?Replaces=${replaces}>`;
    expect(await own.ask("REFER", [{ name: "Refer-To", value: target }])).toBe(202);
    await talking(500);
    expect(own.requests.map(({ body }) => body).join()).not.toContain("SIP/2.0 200");
    await hearsBob(call);
    await Promise.all([call.hangUp(), own.hangUp()]);
    await bob.event("CALL_CLOSED");
  });
});

test("one exchange's key cannot steer another's call", async () => {
  const made = JSON.parse(await town.command("exchange", "create", "Other", "--json")) as { key?: string };
  const key = made.key ?? "";
  expect(key).toMatch(/^K/);
  const { call, uuid } = await talk();
  for (const path of [`/hangup/${uuid}`, `/answer/${uuid}`])
    expect(await town.tell(path, { key })).toEqual({ status: 400, text: "No such channel!" });
  expect((await town.tell(`/mute/${uuid}`, { key, state: "on" })).status).toBe(400);
  expect((await town.tell(`/transfer/${uuid}`, { key, user_number: "1000" })).status).toBe(400);
  await hearsBob(call);
  expect(await town.ask(`/hangup/${uuid}`)).toBe("+OK");
  await call.over;
  expect((await town.tell(`/cdrs/${uuid}`, { key })).status).toBe(404);
});
