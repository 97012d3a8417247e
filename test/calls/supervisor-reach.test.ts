// What a supervisor does to calls that are up: in his own queues, told in their story and in the audit trail; elsewhere
// it is as if there were none.

import { expect, test } from "vitest";
import { listAuditLines } from "../../src/store/audit.ts";
import { restInWords } from "../../src/words/audit/changes.ts";
import { storyInWords } from "../../src/words/story/story.ts";
import { staffedTown } from "../town/staffed-town.ts";

const OWN = "08505320000";
const desks = { "1000": {}, "1001": {}, "1002": {}, "1003": {} };
const queues = { "200": { members: ["1001"] }, "300": { members: ["1002"] } };

/** One talks with the only agent of the first queue, and another waits there. */
async function oneTalksOneWaits() {
  const { town, member } = await staffedTown({ keepsCalls: true, desks, target: "queue/200", queues });
  const [bob, first, second] = [town.phone("1001"), town.phone("905321000001"), town.phone("905321000002")];
  await first.calls(OWN);
  await bob.answers();
  await town.talksWith(first, bob);
  const uuid = town.board.live.of(town.exchangeId, "1001")[0]!.facts.uuid;
  await second.calls(OWN);
  await town.until("waits", () => town.exchange.waiting(town.exchangeId).length === 1);
  const waiter = town.exchange.waiting(town.exchangeId)[0]!;
  const phones = { bob, boss: town.phone("1000"), carl: town.phone("1002") };
  const over = async () => {
    for (const phone of [second, first]) await phone.hangsUp();
    await town.isQuiet();
  };
  return { town, member, ...phones, first, second, uuid, waiter, over };
}

test("who pulled whom stands in the story of the call, and in the audit trail with the call and its caller", async () => {
  const { town, member, boss, second, waiter, over } = await oneTalksOneWaits();
  const lead = await member("supervisor", "1000", ["200"]);
  await lead.ask("calls.pull", { waiting: waiter.id });
  await boss.answers();
  await town.talksWith(second, boss);
  const [line] = await listAuditLines(town.db, town.exchangeId);
  const details = { call: waiter.callUuid, caller: "05321000002", queue: "200", extension: "1000" };
  expect(line).toMatchObject({ doer: "staff", who: "supervisor-0@town.example", did: "calls.pull", details });
  expect(line?.details).toEqual(details);
  for (const [language, said] of [
    ["en", `Call: ${waiter.callUuid} · queue: 200 · Caller: 05321000002 · extension: 1000`],
    ["tr", `Çağrı: ${waiter.callUuid} · Kuyruk: 200 · Arayan: 05321000002 · Dahili: 1000`],
  ] as const)
    expect(restInWords(line!, language).toLowerCase().split(" · ").sort()).toEqual(
      said.toLowerCase().split(" · ").sort(),
    );
  const { story } = await lead.ask("calls.show", { uuid: waiter.callUuid });
  expect(story.map((it) => storyInWords(it, "en"))).toContain(
    "supervisor 1 pulls the caller out of queue 200 to extension 1000",
  );
  await over();
});

test("a supervisor of other queues neither pulls nor listens nor sends on, and is told as of a call that never was", async () => {
  const { town, member, bob, boss, carl, uuid, waiter, over } = await oneTalksOneWaits();
  const other = await member("supervisor", "1000", ["300"]);
  const never = "00000000-0000-4000-8000-000000000000";
  const seen = [bob, boss, carl].map((phone) => phone.seen.length);
  for (const waiting of [waiter.id, never])
    for (const extension of [undefined, "1002"])
      expect(await other.refused("calls.pull", { waiting, ...(extension && { extension }) })).toMatchObject({
        refused: "no-such-call",
      });
  for (const mode of ["listen", "whisper", "join", "take-over"] as const)
    for (const extension of ["1001", "1777"])
      for (const which of [{}, { uuid }])
        expect(await other.refused("calls.supervise", { extension, mode, ...which })).toMatchObject({
          refused: "extension-not-found",
        });
  for (const id of [uuid, waiter.callUuid, never]) {
    const refused = { refused: "no-such-call" };
    expect(await other.refused("calls.send", { uuid: id, target: "user/1002" })).toMatchObject(refused);
    expect(await other.refused("calls.transfer", { uuid: id, extension: "1002" })).toMatchObject(refused);
    expect(await other.refused("calls.hangUp", { uuid: id })).toMatchObject(refused);
  }
  await town.pass({ seconds: 2 });
  expect([bob, boss, carl].map((phone) => phone.seen.length)).toEqual(seen);
  expect(await listAuditLines(town.db, town.exchangeId)).toEqual([]);
  await over();
});

test("a supervisor of the queue does all of it there, and puts nobody through to whom he does not lead", async () => {
  const { town, member, boss, carl, first, second, uuid, waiter, over } = await oneTalksOneWaits();
  const lead = await member("supervisor", "1000", ["200"]);
  expect(await lead.refused("calls.pull", { waiting: waiter.id, extension: "1002" })).toMatchObject({
    refused: "extension-not-found",
  });
  await lead.ask("calls.supervise", { extension: "1001", mode: "listen" });
  await boss.answers();
  await town.until("listens", () => town.media.hears(boss.rtpPort()).includes(String(first.rtpPort())));
  await boss.hangsUp();
  await lead.ask("calls.send", { uuid, target: "user/1002" });
  await carl.answers();
  await town.talksWith(first, carl);
  await second.hangsUp();
  await first.hangsUp();
  await over();
});
