import { expect, test } from "vitest";
import { sql } from "../../src/store/sql.ts";
import { cdrsOf, counts, desks, ringingTown, toldOf } from "../town/outlived.ts";
import { townWith } from "../town/town.ts";
import type { TownPhone } from "../town/town-phone.ts";

test("a phone that rings rings on after the exchange was killed, and who answers it talks to the caller", async () => {
  const { town, ann, bob } = await ringingTown();
  const before = counts(town, ann, bob);
  await town.restarts({ afterSeconds: 3 });
  await town.pass({ seconds: 6 });
  expect(counts(town, ann, bob)).toEqual(before);
  await bob.answers();
  await town.talksWith(ann, bob);
  await town.pass({ seconds: 10 });
  await ann.hangsUp();
  await town.until("Bob is told", () => bob.seen.includes("ended NORMAL_CLEARING"));
  await town.isQuiet();
  expect(await cdrsOf(town)).toEqual([{ seconds: 10, cause: "NORMAL_CLEARING", by: "caller" }]);
  expect(town.diary.lines).toEqual([
    "opened internal 1000 -> 1001",
    "ringing 1001",
    "resumed 1000 -> 1001",
    "answer 1001",
    "hangup NORMAL_CLEARING by caller",
  ]);
  expect(toldOf(town)).toEqual(["dialled", "rings", "resumed", "talk", "gone", "over"]);
});

test("a stop that hands over leaves a ringing phone ringing, and says no word to anybody", async () => {
  const { town, ann, bob } = await ringingTown();
  const before = counts(town, ann, bob);
  await town.restarts({ handsOver: true });
  expect(counts(town, ann, bob)).toEqual(before);
  await bob.answers();
  await town.talksWith(ann, bob);
  await bob.hangsUp();
  await town.isQuiet();
  expect(await cdrsOf(town)).toMatchObject([{ cause: "NORMAL_CLEARING", by: "callee" }]);
});

test("who answers in the very moment of a stop is brought to the caller, and is not rung again", async () => {
  const { town, ann, bob } = await ringingTown();
  const answering = bob.answers();
  await town.restarts({ handsOver: true });
  await answering;
  await town.talksWith(ann, bob);
  await ann.hangsUp();
  await town.isQuiet();
  expect(await cdrsOf(town)).toMatchObject([{ cause: "NORMAL_CLEARING", by: "caller" }]);
  expect(town.diary.lines).toEqual([
    "opened internal 1000 -> 1001",
    "ringing 1001",
    "answer 1001",
    "resumed 1000 -> 1001",
    "hangup NORMAL_CLEARING by caller",
  ]);
});

test("who answers, or refuses, while there is no exchange has done so when it is back", async () => {
  const { town, ann, bob } = await ringingTown();
  await town.restarts({ afterSeconds: 3, meanwhile: () => bob.answers() });
  await town.talksWith(ann, bob);
  await ann.hangsUp();
  await town.isQuiet();
  bob.seen.length = 0;
  ann.seen.length = 0;
  await ann.calls("1001");
  await bob.rings();
  await town.pass({ seconds: 2 });
  await town.restarts({ handsOver: true, meanwhile: () => bob.refuses("busy") });
  await town.until("Ann is told", () => ann.seen.includes("ended USER_BUSY"));
  await town.isQuiet();
  expect(await cdrsOf(town)).toMatchObject([{ cause: "NORMAL_CLEARING" }, { cause: "USER_BUSY" }]);
  expect(town.diary.lines.filter((line) => line.startsWith("ringing"))).toHaveLength(2);
});

test.each(["after the exchange is back", "while there is none"])(
  "who gives up %s stops the phone that rings for him",
  async (when) => {
    const { town, ann, bob } = await ringingTown();
    const isBack = when === "after the exchange is back";
    await town.restarts(isBack ? {} : { meanwhile: () => ann.hangsUp() });
    if (isBack) await ann.hangsUp();
    await town.until("Bob's phone is quiet", () => bob.seen.includes("ended ORIGINATOR_CANCEL"));
    await town.isQuiet();
    expect(town.sentTo(ann).at(-1)).toMatch(/^SIP\/2\.0 487 /);
    expect(await cdrsOf(town)).toMatchObject([{ cause: "ORIGINATOR_CANCEL", by: "caller" }]);
    expect(town.diary.lines).toEqual([
      "opened internal 1000 -> 1001",
      "ringing 1001",
      "resumed 1000 -> 1001",
      "hangup ORIGINATOR_CANCEL by caller",
    ]);
  },
);

test("a phone rings no longer than it would have without the crash", async () => {
  const town = await townWith({ desks: { ...desks, "1001": { noAnswerSeconds: 20 } }, keepsCalls: true });
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  await ann.calls("1001");
  await bob.rings();
  await town.pass({ seconds: 8 });
  await town.restarts({ afterSeconds: 5 });
  await town.pass({ seconds: 6 });
  expect(bob.seen).toEqual(["is rung"]);
  await town.pass({ seconds: 2 });
  expect(bob.seen).toEqual(["is rung", "ended ORIGINATOR_CANCEL"]);
  await town.isQuiet();
  expect(await cdrsOf(town)).toMatchObject([{ cause: "NO_ANSWER" }]);
});

test("all phones of an extension ring on, and one that answers stops the others", async () => {
  const town = await townWith({ desks, keepsCalls: true });
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  const other = town.another("1001");
  await ann.calls("1001");
  await bob.rings();
  await other.rings();
  await town.pass({ seconds: 2 });
  await town.restarts();
  await other.answers();
  await town.talksWith(ann, other);
  await town.until("the first is quiet", () => bob.seen.includes("ended ORIGINATOR_CANCEL"));
  await ann.hangsUp();
  await town.isQuiet();
});

test("an exchange that comes back too late refuses the caller and lets the phone go, and the record says why", async () => {
  const { town, ann, bob } = await ringingTown();
  await town.restarts({ afterSeconds: 150 });
  await town.until("Bob's phone is quiet", () => bob.seen.some((line) => line.startsWith("ended")));
  await town.until("Ann is told", () => ann.seen.includes("ended SYSTEM_SHUTDOWN"));
  await town.isQuiet();
  expect(await cdrsOf(town)).toMatchObject([{ cause: "SYSTEM_SHUTDOWN" }]);
  expect(town.diary.records[0]?.facts.story.at(-1)).toMatchObject({ is: "not-resumed", why: "too-late" });
});

test("a phone whose voice cannot be opened again is let go and rung anew, and the caller hears nothing of it", async () => {
  const { town, ann, bob } = await ringingTown();
  const [before] = counts(town, ann);
  bob.seen.length = 0;
  await town.restarts({ losesVoice: true });
  await bob.rings();
  expect(bob.seen).toEqual(["ended ORIGINATOR_CANCEL", "is rung"]);
  expect(counts(town, ann)).toEqual([before]);
  await bob.answers();
  await town.talksWith(ann, bob);
  await ann.hangsUp();
  await town.isQuiet();
  expect(town.diary.lines.filter((line) => line === "ringing 1001")).toHaveLength(1);
});

test("a call rings on through several crashes", async () => {
  const { town, ann, bob } = await ringingTown();
  await town.restarts();
  await town.restarts();
  await town.pass({ seconds: 2 });
  await bob.answers();
  await town.talksWith(ann, bob);
  await town.restarts();
  await town.talksWith(ann, bob);
  await ann.hangsUp();
  await town.isQuiet();
  expect(await cdrsOf(town)).toHaveLength(1);
});

test("a group rings on, and who answers first stops the others", async () => {
  const members = [{ extension: "1001" }, { extension: "1002" }, { extension: "1003" }];
  const town = await townWith({
    desks: { ...desks, "1003": {} },
    keepsCalls: true,
    target: "group/500",
    groups: { "500": { strategy: "simultaneous", members, ringSeconds: 30 } },
  });
  const caller = town.phone("905321234567");
  const phones = ["1001", "1002", "1003"].map((number) => town.phone(number));
  const [one, two, three] = phones as [TownPhone, TownPhone, TownPhone];
  await caller.calls("08505320000");
  for (const phone of phones) await phone.rings();
  await one.refuses("busy");
  await town.pass({ seconds: 2 });
  await town.restarts();
  await town.pass({ seconds: 7 });
  expect([one.seen, two.seen, three.seen]).toEqual([["is rung"], ["is rung"], ["is rung"]]);
  await three.answers();
  await town.talksWith(caller, three);
  await town.until("the other is quiet", () => two.seen.includes("ended ORIGINATOR_CANCEL"));
  await caller.hangsUp();
  await town.isQuiet();
  expect(town.diary.lines.filter((line) => line.startsWith("ringing")).toSorted()).toEqual([
    "ringing 1001",
    "ringing 1002",
    "ringing 1003",
  ]);
  expect(toldOf(town).filter((fact) => fact === "rings-group")).toHaveLength(1);
});

test("in a group that rings one after the other it is still the same one's turn, and then the next one's", async () => {
  const members = ["1000", "1001", "1002"].map((extension) => ({ extension }));
  const town = await townWith({
    desks,
    keepsCalls: true,
    target: "group/500",
    groups: { "500": { strategy: "sequential", members, ringSeconds: 10 } },
  });
  const caller = town.phone("905321234567");
  const [one, two, three] = [town.phone("1000"), town.phone("1001"), town.phone("1002")];
  await caller.calls("08505320000");
  await one.refuses("busy");
  await two.rings();
  await town.pass({ seconds: 3 });
  await town.restarts();
  await town.pass({ seconds: 3 });
  expect(three.seen).toEqual([]);
  await three.rings();
  expect([one.seen, two.seen]).toEqual([["is rung"], ["is rung", "ended ORIGINATOR_CANCEL"]]);
  await three.answers();
  await town.talksWith(caller, three);
  await caller.hangsUp();
  await town.isQuiet();
});

test.each([
  ["the first phone", false],
  ["the other side", true],
])("a call that a program has begun rings on at %s", async (_, isAnswered) => {
  const town = await townWith({ desks, keepsCalls: true });
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  const announcements = { toCaller: 7, toCallee: 8 };
  const wanted = { extension: "1000", destination: "1001", manualAnswer: true, seconds: 30, announcements };
  const started = await town.whileTimePasses(town.exchange.originate(town.exchangeId, wanted));
  if (isAnswered) await ann.answers();
  await (isAnswered ? bob : ann).rings();
  await town.pass({ seconds: 2 });
  await town.restarts();
  if (!isAnswered) await ann.answers();
  await bob.answers();
  await town.until("both are told", () => town.media.hears(bob.rtpPort()).join().includes("/sounds/8.wav"));
  expect(town.media.hears(ann.rtpPort()).join()).toContain("/sounds/7.wav");
  for (const phone of [ann, bob]) town.media.finish(phone.rtpPort());
  await town.talksWith(ann, bob);
  await ann.hangsUp();
  await town.isQuiet();
  expect([ann, bob].map(({ seen }) => seen.filter((it) => it === "is rung"))).toEqual([["is rung"], ["is rung"]]);
  expect(started).toEqual({ callUuid: town.diary.records[0]?.facts.uuid });
  expect(await cdrsOf(town)).toHaveLength(1);
});

test("an agent's phone rings on for the caller who is next in line, and for nobody else", async () => {
  const town = await townWith({
    desks,
    keepsCalls: true,
    target: "queue/200",
    queues: { "200": { members: ["1000"], ringSeconds: 30 } },
  });
  const ann = town.phone("1000");
  const [first, second] = [town.phone("905321234567"), town.phone("905321234568")];
  await first.calls("08505320000");
  await ann.rings();
  await second.calls("08505320000");
  await town.until("he waits", () => second.seen.includes("answered"));
  await town.pass({ seconds: 2 });
  const [before] = counts(town, ann);
  await town.restarts();
  await town.pass({ seconds: 8 });
  expect(ann.seen).toEqual(["is rung"]);
  expect(counts(town, ann)).toEqual([before]);
  await ann.answers();
  await town.talksWith(first, ann);
  await first.hangsUp();
  await town.until("she is rung for the second", () => ann.seen.filter((it) => it === "is rung").length === 2);
  await ann.answers();
  await town.talksWith(second, ann);
  await second.hangsUp();
  await town.isQuiet();
  expect(town.diary.lines.filter((line) => line === "ringing 1000")).toHaveLength(2);
  expect(town.diary.records[0]?.facts.queueWaitSeconds).toBeGreaterThanOrEqual(12);
});

const FAR = "905321234567";

test("a number outside rings on, is paid for once it answers, and its caller hears what the network lets him hear", async () => {
  const town = await townWith({
    desks,
    keepsCalls: true,
    rates: [{ prefix: "90", minutePrice: 100 }],
    exchange: { monthlySpendingLimit: 10_000 },
  });
  const [ann, out] = [town.phone("1000"), town.phone(FAR)];
  await ann.calls("05321234567");
  await out.rings();
  await out.leg().letHear();
  await town.talksWith(ann, out);
  await town.pass({ seconds: 2 });
  const before = counts(town, ann, out);
  await town.restarts();
  await town.talksWith(ann, out);
  expect(counts(town, ann, out)).toEqual(before);
  await out.answers();
  await town.until("Ann is told", () => ann.seen.includes("answered"));
  await town.talksWith(ann, out);
  await town.pass({ seconds: 5 });
  expect(await town.spent()).toBeGreaterThan(0);
  await out.hangsUp();
  await town.isQuiet();
  expect(toldOf(town).filter((fact) => fact === "dials")).toHaveLength(1);
  expect(await cdrsOf(town)).toMatchObject([{ cause: "NORMAL_CLEARING", by: "callee" }]);
});

test("who calls from outside goes on hearing that it rings, and a repeat of his INVITE is no second call", async () => {
  const town = await townWith({ desks, keepsCalls: true, target: "user/1001" });
  const [caller, bob] = [town.phone(FAR), town.phone("1001")];
  await caller.calls("08505320000");
  await bob.rings();
  await town.pass({ seconds: 2 });
  await town.restarts();
  const invite = town.carried().find((text) => text.startsWith("INVITE ") && text.includes(`${FAR}@`)) ?? "";
  const [before = 0] = counts(town, caller);
  town.network.forge(invite, "10.0.1.1", "10.0.0.1");
  await town.until("he is told again", () => town.sentTo(caller).length === before + 1);
  expect(town.sentTo(caller).at(-1)).toMatch(/^SIP\/2\.0 180 /);
  expect(town.board.live.size).toBe(1);
  await bob.answers();
  await town.talksWith(caller, bob);
  await caller.hangsUp();
  await town.isQuiet();
});

/** A message of the caller's about his call, by the INVITE that began it. */
const about = (invite: string, method: string, branch = /branch=([^;\s]+)/.exec(invite)?.[1] ?? "") =>
  invite
    .slice(0, invite.indexOf("\r\n\r\n"))
    .split("\r\n")
    .filter((line) => /^(INVITE|Via|From|To|Call-ID|CSeq|Max-Forwards)/.test(line))
    .map((line) => line.replace(/^INVITE|INVITE$/, method).replace(/branch=[^;\s]+/, `branch=${branch}`))
    .concat("Content-Length: 0", "", "")
    .join("\r\n");

test("who takes back a call that he did not begin is told that there is none, and it rings on", async () => {
  const { town, ann, bob } = await ringingTown();
  await town.restarts();
  const invite = town.carried().find((text) => text.startsWith("INVITE sip:1001@10.0.0.1")) ?? "";
  const before = town.carried().length;
  town.network.forge(about(invite, "CANCEL", "z9hG4bKguessed"), "10.9.9.9", "10.0.0.1");
  await town.pass({ seconds: 1 });
  expect(town.carried().slice(before + 1)).toEqual([expect.stringMatching(/^SIP\/2\.0 481 /)]);
  await bob.answers();
  await town.talksWith(ann, bob);
  await ann.hangsUp();
  await town.isQuiet();
});

test("what another version has kept, or nobody can read, costs its own call alone", async () => {
  const town = await townWith({ desks: { ...desks, "1003": {} }, keepsCalls: true });
  const [ann, bob, carl, dora] = ["1000", "1001", "1002", "1003"].map((number) => town.phone(number)) as [
    TownPhone,
    TownPhone,
    TownPhone,
    TownPhone,
  ];
  await ann.calls("1001");
  await bob.rings();
  await carl.calls("1003");
  await dora.rings();
  await town.pass({ seconds: 2 });
  const spoil = (caller: string, kept: object) =>
    town.db.query(sql`update live_calls set resume = $2 where exchange_id = $1 and facts ->> 'callerNumber' = $3`, [
      town.exchangeId,
      JSON.stringify(kept),
      caller,
    ]);
  const broken = { version: 2, state: { at: "led", leg: "x" }, ringing: [{ id: "x", direction: "in", invite: 7 }] };
  await town.restarts({
    meanwhile: async () => {
      await spoil("1000", { version: 99, state: { at: "led" } });
      await spoil("1002", broken);
    },
  });
  expect(town.board.live.size).toBe(0);
  expect(await cdrsOf(town)).toMatchObject([{ cause: "SYSTEM_SHUTDOWN" }, { cause: "SYSTEM_SHUTDOWN" }]);
});

test("whom a queue rang in vain is known after a kill in that very moment", async () => {
  const town = await townWith({
    desks,
    keepsCalls: true,
    target: "queue/200",
    queues: { "200": { members: ["1001"] } },
  });
  const [bob, far] = [town.phone("1001"), town.phone("905321234567")];
  await far.calls("08505320000");
  await bob.rings();
  await town.pass({ seconds: 2 });
  const { facts } = town.board.live.all(town.exchangeId)[0]!;
  await bob.refuses("rejects");
  await town.until("it is noted", () => facts.rungInVain !== undefined);
  await town.settled();
  await town.restarts();
  await far.hangsUp();
  await town.isQuiet();
  const legs = sql`select destination_number as number, hangup_cause as cause from cdr_legs where in_vain`;
  expect(await town.db.query(legs)).toContainEqual({ number: "1001", cause: "CALL_REJECTED" });
});
