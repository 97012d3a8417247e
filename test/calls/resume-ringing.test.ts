import { expect, test } from "vitest";
import { sql } from "../../src/store/sql.ts";
import { townWith } from "../town/town.ts";
import type { TownPhone } from "../town/town-phone.ts";

const desks = { "1000": {}, "1001": {}, "1002": {} };

type Town = Awaited<ReturnType<typeof townWith>>;

async function ringingTown() {
  const town = await townWith({ desks, keepsCalls: true });
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  await ann.calls("1001");
  await bob.rings();
  await town.until("Ann hears it", () => ann.seen.includes("ringing"));
  await town.pass({ seconds: 3 });
  return { town, ann, bob };
}

const cdrsOf = ({ db, exchangeId }: Town) =>
  db.query<{ seconds: number; cause: string; by: string }>(
    sql`select talk_seconds as seconds, hangup_cause as cause, sip_hangup_disposition as by from cdrs
     where exchange_id = $1 order by id`,
    [exchangeId],
  );

const toldOf = ({ diary }: Town) =>
  diary.records.flatMap(({ facts }) => facts.story.flatMap((line) => ("is" in line ? [line.is] : [])));

/** How many messages each of them has been sent so far. */
const counts = (town: Town, ...phones: TownPhone[]) => phones.map((phone) => town.sentTo(phone).length);

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
