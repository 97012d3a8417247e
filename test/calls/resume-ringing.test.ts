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
