// What is looked at once an exchange was killed or stopped under calls: their records, what was told, and what was said to phones.

import { sql } from "../../src/store/sql.ts";
import { townWith } from "./town.ts";
import type { TownPhone } from "./town-phone.ts";

type Town = Awaited<ReturnType<typeof townWith>>;

export const desks = { "1000": {}, "1001": {}, "1002": {} };
export const FAR = "905321234567";
export const MUSIC = JSON.stringify({ is: "file", path: "music" });

/** Ann has called Bob, and they have talked for a while. */
export async function talkingTown() {
  const town = await townWith({ desks, keepsCalls: true });
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  await ann.calls("1001");
  await bob.answers();
  await town.talksWith(ann, bob);
  await town.pass({ seconds: 20 });
  return { town, ann, bob };
}

/** Ann calls Bob, whose phone has rung for a while. */
export async function ringingTown() {
  const town = await townWith({ desks, keepsCalls: true });
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  await ann.calls("1001");
  await bob.rings();
  await town.until("Ann hears it", () => ann.seen.includes("ringing"));
  await town.pass({ seconds: 3 });
  return { town, ann, bob };
}

export const cdrsOf = ({ db, exchangeId }: Town) =>
  db.query<{ seconds: number; cause: string; by: string }>(
    sql`select talk_seconds as seconds, hangup_cause as cause, sip_hangup_disposition as by from cdrs
     where exchange_id = $1 order by id`,
    [exchangeId],
  );

export const toldOf = ({ diary }: Town) =>
  diary.records.flatMap(({ facts }) => facts.story.flatMap((line) => ("is" in line ? [line.is] : [])));

/** How many messages each of them has been sent so far. */
export const counts = (town: Town, ...phones: TownPhone[]) => phones.map((phone) => town.sentTo(phone).length);
