import { describe, expect, test } from "vitest";
import { townWith } from "../town/town.ts";
import type { TownPhone } from "../town/town-phone.ts";

const desks = { "1000": {}, "1001": {}, "1002": {} };
const nothing = { toCaller: undefined, toCallee: undefined };
type Town = Awaited<ReturnType<typeof townWith>>;

async function originated(town: Town, request: { manualAnswer?: boolean; destination: string; extension?: string }) {
  const started = await town.exchange.originate(town.exchangeId, {
    extension: request.extension ?? "1000",
    destination: request.destination,
    manualAnswer: request.manualAnswer ?? false,
    seconds: 30,
    announcements: { toCaller: 7, toCallee: 8 },
  });
  if (!("callUuid" in started)) throw new Error(started.refused);
  return started.callUuid;
}

async function talking(town: Town) {
  const [ann, bob, carl] = [town.phone("1000"), town.phone("1001"), town.phone("1002")];
  await ann.calls("1001");
  await bob.answers();
  await town.talksWith(ann, bob);
  const [call] = town.board.live.all();
  return { ann, bob, carl, uuid: call!.facts.uuid };
}

describe("originate", () => {
  test("rings the desk, asks it to pick up by itself, then dials; both hear their announcement first", async () => {
    const town = await townWith({ desks });
    const [ann, far] = [town.phone("1000"), town.phone("905321234567")];
    await originated(town, { destination: "05321234567" });
    await ann.answers();
    expect(ann.lastInvite.find(({ name }) => name === "Call-Info")?.value).toContain("answer-after=0");
    await town.until("Ann hears the ringing tone", () => town.media.hears(ann.rtpPort()).join().includes("450/2000"));
    await far.answers();
    await town.until("announcements", () => town.media.hears(far.rtpPort()).join().includes("/sounds/8.wav"));
    expect(town.media.hears(ann.rtpPort()).join()).toContain("/sounds/7.wav");
    await ann.hangsUp();
    await town.isQuiet();
    expect(town.diary.records[0]).toMatchObject({
      facts: { origin: "api", direction: "outbound", callerNumber: "1000", destinationNumber: "905321234567" },
      end: { cause: "NORMAL_CLEARING", by: "caller" },
    });
  });

  test("with manual answer the phone is not asked, and the answer operation asks it later", async () => {
    const town = await townWith({ desks });
    const ann = town.phone("1000");
    town.phone("1001");
    const uuid = await originated(town, { destination: "1001", manualAnswer: true });
    await ann.rings();
    expect(ann.lastInvite.some(({ name }) => name === "Call-Info" || name === "Alert-Info")).toBe(false);
    const answers = () => town.exchange.answer(town.exchangeId, uuid);
    // A phone that neither picks up nor has said that it can: the refusal comes when nothing has come of it.
    const told: unknown[] = [];
    void answers().then((it) => told.push(it));
    await town.until("it is given up", () => told.length === 1);
    expect(told).toEqual([{ refused: "not-now", why: "not-ringing" }]);
    expect(await town.exchange.answer(town.exchangeId + 1, uuid)).toEqual({ refused: "no-such-call" });
    expect(town.exchange.hangUp(town.exchangeId, uuid, "interface")).toBe("done");
    await town.isQuiet();
    expect(ann.seen).toContain("ended ORIGINATOR_CANCEL");
  });

  test("the answer operation says that it is done when the phone picks up, or has said that it can", async () => {
    for (const takesTalk of [false, true]) {
      const town = await townWith({ desks });
      const ann = town.phone("1000");
      town.phone("1001");
      if (takesTalk) ann.says([{ name: "Allow-Events", value: "hold, talk" }]);
      const uuid = await originated(town, { destination: "1001", manualAnswer: true });
      await ann.rings();
      const told: unknown[] = [];
      void town.exchange.answer(town.exchangeId, uuid).then((it) => told.push(it));
      if (!takesTalk) {
        await town.pass({ seconds: 1 });
        expect(told).toEqual([]);
        await ann.answers();
      }
      await town.until("it is done", () => told.length === 1);
      expect(told).toEqual(["done"]);
      town.exchange.hangUp(town.exchangeId, uuid, "interface");
      await town.isQuiet();
    }
  });

  test("the intercom makes the extension's phone answer by itself, each make in its own dialect", async () => {
    const town = await townWith({ desks });
    const [ann, bob] = [town.phone("1000"), town.phone("1001")];
    await ann.calls("*541001");
    await bob.rings();
    const said = Object.fromEntries(bob.lastInvite.map(({ name, value }) => [name, value]));
    expect(said["Call-Info"]).toContain("answer-after=0");
    expect(said["Alert-Info"]).toContain("info=alert-autoanswer");
    expect(said["Answer-Mode"]).toBe("Auto");
    await bob.answers();
    await town.talksWith(ann, bob);
    await ann.hangsUp();
    await town.isQuiet();
  });

  test.each([
    [{ extension: "1009", destination: "1001" }, "extension-not-found"],
    [{ destination: "12" }, "invalid-destination"],
    [{ destination: "hello" }, "invalid-destination"],
    [{ extension: "1002", destination: "1001" }, "extension-not-reachable"],
  ])("is refused at once: %o", async (request, refused) => {
    const town = await townWith({ desks });
    town.phone("1000");
    await expect(originated(town, request)).rejects.toThrow(refused);
    expect(town.diary.lines).toEqual([]);
  });
});

describe("two-party call", () => {
  const request = { callerId: undefined, seconds: 30, announcements: nothing, recordingEnabled: false };

  test("is held until the source answers, shows only our number, and is not recorded when so wished", async () => {
    const town = await townWith({ desks });
    const [one, other] = [town.phone("905321111111"), town.phone("905322222222")];
    const started = town.exchange.bridge(town.exchangeId, {
      ...request,
      source: "905321111111",
      destination: "905322222222",
    });
    await one.answers();
    await other.answers();
    await town.talksWith(one, other);
    expect(await started).toHaveProperty("callUuid");
    for (const { lastInvite } of [one, other])
      expect(lastInvite.find(({ name }) => name === "From")?.value).toContain("908505320000");
    expect(town.media.recordings).toEqual([]);
    await other.hangsUp();
    await town.isQuiet();
  });

  test("a busy source is told to whoever asked", async () => {
    const town = await townWith({ desks });
    const one = town.phone("905321111111");
    const started = town.exchange.bridge(town.exchangeId, {
      ...request,
      source: "905321111111",
      destination: "905322222222",
    });
    await one.refuses("busy");
    await town.isQuiet();
    expect(await started).toEqual({ refused: "call-failed", cause: "USER_BUSY" });
  });
});

describe("transfer", () => {
  test("by the interface: the caller is rung through, the one who talked is gone", async () => {
    const town = await townWith({ desks });
    const { ann, bob, carl, uuid } = await talking(town);
    expect(await town.exchange.transfer(town.exchangeId, uuid, "1002")).toBe("done");
    await carl.answers();
    await town.talksWith(ann, carl);
    expect(bob.seen).toContain("ended NORMAL_CLEARING");
    await ann.hangsUp();
    await town.isQuiet();
    expect(town.diary.lines).toContain("user_hangup 1001");
    expect(town.diary.records).toHaveLength(1);
    expect(town.diary.records[0]?.end.legs.map(({ number }) => number)).toEqual(["1001", "1000", "1002"]);
    expect(town.media.recordings).toHaveLength(1);
  });

  test("by the phone, blind: it hears how it went", async () => {
    const town = await townWith({ desks });
    const { ann, bob, carl } = await talking(town);
    await refer(bob, "<sip:1002@town.example>");
    await carl.answers();
    await town.talksWith(ann, carl);
    await town.until("Bob is off the line", () => bob.seen.includes("ended NORMAL_CLEARING"));
    await carl.hangsUp();
    await town.isQuiet();
  });

  test("by the phone, blind: it is told that it is tried, that it rings, and how it went", async () => {
    const town = await townWith({ desks });
    const { ann, bob, carl } = await talking(town);
    await refer(bob, "<sip:1002@town.example>");
    await carl.refuses("busy");
    await town.talksWith(ann, bob);
    await refer(bob, "<sip:1002@town.example>");
    await town.until("Carl rings again", () => carl.seen.filter((it) => it === "is rung").length === 2);
    await carl.answers();
    await town.talksWith(ann, carl);
    await ann.hangsUp();
    await town.isQuiet();
    const news = town.carried().filter((octets) => octets.startsWith("NOTIFY"));
    const told = news.map((octets) => [
      /^Event: (\w+)/m.exec(octets)![1],
      /^Subscription-State: (\w+)/m.exec(octets)![1],
      /^SIP\/2.0 (\d+)/m.exec(octets)![1],
    ]);
    expect(told).toEqual([
      ["refer", "active", "100"],
      ["refer", "active", "180"],
      ["refer", "terminated", "486"],
      ["refer", "active", "100"],
      ["refer", "active", "180"],
      ["refer", "terminated", "200"],
    ]);
    expect(news.map((octets) => /^Event: refer;id=(\d+)/m.exec(octets)?.[1] !== undefined)).toEqual([
      ...[false, false, false],
      ...[true, true, true],
    ]);
    expect(news.every((octets) => /^Contact: </m.test(octets))).toBe(true);
  });

  test("by the phone, which does not want to hear of it (RFC 4488)", async () => {
    const town = await townWith({ desks });
    const { ann, bob, carl } = await talking(town);
    const quietly = { name: "Refer-Sub", value: "false" };
    bob.leg().ask("REFER", { headers: [{ name: "Refer-To", value: "<sip:1002@town.example>" }, quietly] });
    await carl.answers();
    await town.talksWith(ann, carl);
    await ann.hangsUp();
    await town.isQuiet();
    expect(town.carried().filter((octets) => octets.startsWith("NOTIFY"))).toEqual([]);
    const accepted = town.carried().find((octets) => octets.startsWith("SIP/2.0 202"));
    expect(accepted).toMatch(/^Refer-Sub: false/m);
  });

  test("by the phone, blind, to somebody busy: the caller comes back", async () => {
    const town = await townWith({ desks });
    const { ann, bob, carl } = await talking(town);
    await refer(bob, "<sip:1002@town.example>");
    await carl.refuses("busy");
    await town.talksWith(ann, bob);
    await bob.hangsUp();
    await town.isQuiet();
  });

  test("by the phone, attended: two of its calls become one", async () => {
    const town = await townWith({ desks });
    const { ann, bob, carl } = await talking(town);
    const first = bob.leg();
    await bob.calls("1002");
    await carl.answers();
    await town.talksWith(bob, carl);
    const second = bob.leg().dialog()!;
    // The phone names the dialog as the exchange knows it: its own remote tag is the exchange's local one.
    const replaces = `${second.callId};to-tag=${second.remoteTag};from-tag=${second.localTag}`;
    const target = `<sip:1002@town.example?Replaces=${encodeURIComponent(replaces)}>`;
    first.ask("REFER", { headers: [{ name: "Refer-To", value: target }] });
    await town.talksWith(ann, carl);
    await ann.hangsUp();
    await town.isQuiet();
    expect(town.diary.records.map(({ end }) => end.cause)).toEqual(["ATTENDED_TRANSFER", "NORMAL_CLEARING"]);
    expect(town.diary.records[1]?.facts).toMatchObject({ callerNumber: "1000", connectedUser: "1002" });
  });

  test("by the interface, once more while the new one rings: he stops, and the next one rings", async () => {
    const town = await townWith({ desks: { ...desks, "1003": {} } });
    const { ann, carl, uuid } = await talking(town);
    const dan = town.phone("1003");
    await town.exchange.transfer(town.exchangeId, uuid, "1002");
    await carl.rings();
    expect(await town.exchange.transfer(town.exchangeId, uuid, "1003")).toBe("done");
    await dan.answers();
    await town.talksWith(ann, dan);
    expect(carl.seen.at(-1)).toMatch(/^ended/);
    await ann.hangsUp();
    await town.isQuiet();
  });

  test("nobody puts a call together with itself", async () => {
    const town = await townWith({ desks });
    const { ann, bob } = await talking(town);
    const own = bob.leg().dialog()!;
    const replaces = `${own.callId};to-tag=${own.remoteTag};from-tag=${own.localTag}`;
    await refer(bob, `<sip:1000@town.example?Replaces=${encodeURIComponent(replaces)}>`);
    await town.pass({ seconds: 2 });
    await town.talksWith(ann, bob);
    await ann.hangsUp();
    await town.isQuiet();
  });

  test("nobody puts together calls that are not his own", async () => {
    const town = await townWith({ desks: { ...desks, "1003": {} } });
    const { ann, bob, carl } = await talking(town);
    const dan = town.phone("1003");
    await carl.calls("1003");
    await dan.answers();
    await town.talksWith(carl, dan);
    const theirs = carl.leg().dialog()!;
    const replaces = `${theirs.callId};to-tag=${theirs.remoteTag};from-tag=${theirs.localTag}`;
    await refer(bob, `<sip:1003@town.example?Replaces=${encodeURIComponent(replaces)}>`);
    await town.pass({ seconds: 2 });
    await town.talksWith(ann, bob);
    await town.talksWith(carl, dan);
    await ann.hangsUp();
    await dan.hangsUp();
    await town.isQuiet();
  });

  test("an outside party cannot send our caller around", async () => {
    const town = await townWith({ desks });
    const [ann, far, carl] = [town.phone("1000"), town.phone("905321234567"), town.phone("1002")];
    await ann.calls("05321234567");
    await far.answers();
    await town.talksWith(ann, far);
    await refer(far, "<sip:1002@town.example>");
    await town.pass({ seconds: 5 });
    expect(carl.seen).toEqual([]);
    await town.talksWith(ann, far);
    await ann.hangsUp();
    await town.isQuiet();
  });
});

test("a muted extension is not heard, and then again", async () => {
  const town = await townWith({ desks });
  const { ann, bob, uuid } = await talking(town);
  expect(await town.exchange.mute(town.exchangeId, uuid, true)).toBe("done");
  expect(town.media.hears(ann.rtpPort())).toEqual([]);
  expect(town.media.hears(bob.rtpPort())).toEqual([String(ann.rtpPort())]);
  await town.exchange.mute(town.exchangeId, uuid, false);
  await town.talksWith(ann, bob);
  await ann.hangsUp();
  await town.isQuiet();
});

test("a peer whose sound stops coming ends the call as such", async () => {
  const town = await townWith({ desks });
  const { bob } = await talking(town);
  const [call] = town.board.live.all();
  const stream = call!.conversation.pair()!.b.stream()!;
  town.media.say({ is: "silent", stream, forMs: 30_000 });
  await town.isQuiet();
  expect(bob.seen).toContain("ended MEDIA_TIMEOUT");
  expect(town.diary.records[0]?.end).toMatchObject({ cause: "MEDIA_TIMEOUT", by: "callee" });
});

test("the longest allowed call ends by itself", async () => {
  const town = await townWith({ desks, exchange: { maxCallSeconds: 60 } });
  const { ann } = await talking(town);
  await town.pass({ seconds: 61 });
  await town.isQuiet();
  expect(ann.seen).toContain("ended ALLOTTED_TIMEOUT");
});

test("an exchange that stops ends its calls and writes their records", async () => {
  const town = await townWith({ desks });
  const { ann, bob } = await talking(town);
  const closed = town.board.close();
  await town.isQuiet();
  await closed;
  expect([ann.seen.at(-1), bob.seen.at(-1)]).toEqual(["ended SYSTEM_SHUTDOWN", "ended SYSTEM_SHUTDOWN"]);
  expect(town.diary.records).toHaveLength(1);
});

async function refer(phone: TownPhone, target: string) {
  phone.leg().ask("REFER", { headers: [{ name: "Refer-To", value: target }] });
}
