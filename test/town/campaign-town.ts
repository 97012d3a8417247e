// A town whose exchange dials by itself: real signalling and a real database, a wound clock, people who answer as told.

import { expect } from "vitest";
import { crewOf } from "../../src/exchange/features/campaigns/crew.ts";
import { type Dialler, openDialler } from "../../src/exchange/features/campaigns/dialler.ts";
import type { PlaceCall } from "../../src/exchange/features/campaigns/place-call.ts";
import { silentLog } from "../../src/log.ts";
import { writeNumbers } from "../../src/store/campaign-numbers.ts";
import { type ReportLine, readReport } from "../../src/store/campaign-report.ts";
import { type CountedCampaign, createCampaign, findCampaign, type NewCampaign } from "../../src/store/campaigns.ts";
import type { Database } from "../../src/store/db.ts";
import { createExchange, updateExchange } from "../../src/store/exchanges.ts";
import { sql } from "../../src/store/sql.ts";
import { secrets } from "../ground/secrets.ts";
import type { TestClock } from "../ground/test-clock.ts";
import { unexpected } from "../ground/unexpected.ts";
import { plainCampaign } from "./plain-campaign.ts";
import { townWith } from "./town.ts";
import { turn } from "./watched-database.ts";

export type CampaignOrder = Partial<NewCampaign> & { numbers: string[]; phrase?: string };

const usual: Omit<NewCampaign, "exchangeId" | "createdMs"> = {
  ...plainCampaign,
  webhookUrl: "http://crm.example/keys",
  targets: { "1": "hangup/hangup" },
};

export type DialTown = {
  exchangeId: number;
  dialler: Dialler;
  start(request: CampaignOrder): Promise<number>;
  report(campaignId: number): Promise<ReportLine[]>;
  read(campaignId: number): Promise<CountedCampaign>;
  /** Form bodies of the notifications owed so far, in order. */
  notifications(): Promise<Record<string, string>[]>;
  set(changes: Record<string, unknown>): Promise<void>;
  /** Every round and every write that is under way is over. */
  settle(): Promise<void>;
  pass(seconds: number, stepMs?: number): Promise<void>;
};

/** Dials by `place`, whoever is behind it. Every test brings an exchange of its own into the database. */
export async function dialTown(
  db: Database,
  clock: TestClock,
  more: { place: PlaceCall } & Partial<
    Pick<Parameters<typeof openDialler>[0], "crewOf" | "channelsFree" | "goesOn">
  > & {
      exchangeId?: number;
      /** Something else is under way that the clock must wait for. */
      isBusy?: () => boolean;
      settled?: () => Promise<void>;
    },
): Promise<DialTown> {
  const made = more.exchangeId ?? (await makeExchange(db));
  // What earlier towns of this database left is nobody's business here.
  await db.query(sql`update call_campaigns set is_on = false where exchange_id <> $1`, [made]);
  const dialler = await openDialler({
    db,
    clock,
    log: silentLog,
    unexpected,
    crewOf: async () => ({ free: 0, busy: 0, waiting: 0 }),
    channelsFree: async () => null,
    ...more,
  });
  const settle = async () => {
    for (let quiet = 0; quiet < 3; quiet++) {
      await dialler.store.settled();
      await (more.settled ?? turn)();
      if (dialler.room(made)?.isBusy() || more.isBusy?.()) quiet = -1;
    }
  };
  return {
    exchangeId: made,
    dialler,
    settle,
    async start({ numbers, phrase, ...request }) {
      const campaignId = await createCampaign(db, { ...usual, exchangeId: made, createdMs: clock.wall(), ...request });
      const batch = {
        numbers,
        phrases: numbers.map(() => phrase ?? null),
        languages: numbers.map(() => "tr-TR" as const),
      };
      await writeNumbers(db, { exchangeId: made, campaignId }, batch);
      dialler.changed(made);
      return campaignId;
    },
    report: async (id) => (await readReport(db, id, { page: 1, limit: 1_000_000 })).rows,
    async read(id) {
      const found = await findCampaign(db, made, id);
      if (!found) throw new Error(`there is no campaign ${id}`);
      return found;
    },
    async notifications() {
      const rows = await db.query<{ payload: { body: string } }>(
        sql`select payload from jobs where kind = 'campaign.notify' and share = $1 order by id`,
        [`campaign webhook ${made}`],
      );
      return rows.map(({ payload }) => Object.fromEntries(new URLSearchParams(payload.body)));
    },
    async set(changes) {
      await updateExchange(db, made, changes);
      dialler.changed(made);
    },
    async pass(seconds, stepMs = 1_000) {
      for (let passed = 0; passed < seconds * 1_000; passed += stepMs) {
        clock.pass(stepMs);
        await settle();
      }
    },
  };
}

async function makeExchange(db: Database): Promise<number> {
  const [{ n = 0 } = {}] = await db.query<{ n: number }>(sql`select count(*) as n from exchanges`);
  const made = await createExchange(db, secrets, { name: `town ${n}`, sipDomain: `town${n}.example` });
  if ("refused" in made) throw new Error(JSON.stringify(made));
  return made.id;
}

/** The whole town: phones that ring, queues with agents. */
export async function campaignTown(database: Database, setup: Parameters<typeof townWith>[0] = {}) {
  const town = await townWith(setup, database);
  await database.query(sql`delete from jobs`);
  const dial = await dialTown(town.db, town.clock, {
    exchangeId: town.exchangeId,
    place: town.board.placeCampaignCall,
    crewOf: (exchangeId, queue) => crewOf(town.board.queues, exchangeId, queue),
    settled: town.settled,
  });
  town.board.queues.onChange(({ exchangeId }) => dial.dialler.look(exchangeId));
  waitWithWork(town, () => dial.settle());
  return {
    ...town,
    ...dial,
    async over(): Promise<void> {
      await dial.dialler.stop();
      for (const call of town.board.live.all()) call.hangUp("NORMAL_CLEARING");
      await town.isQuiet();
      await dial.dialler.close();
    },
  };
}

/** Its phones wait like this too: a clock wound without regard to the database's work would run away from it. */
export function waitWithWork(town: Awaited<ReturnType<typeof townWith>>, settle: () => Promise<void>): void {
  town.until = async (what, isSo, limitMs = 60_000) => {
    for (let passed = 0; !isSo(); passed += 50) {
      if (passed > limitMs) throw new Error(`never: ${what}\n${town.diary.lines.join("\n")}`);
      town.clock.pass(50);
      await settle();
    }
  };
}

export const rungTimes = (phone: { seen: string[] }) => phone.seen.filter((it) => it === "is rung").length;

/** What stands in the counts is what the rows say. */
export async function expectTrueCounts(db: Database, campaignId: number): Promise<void> {
  const [counted] = await db.query(sql`select * from campaign_counts where campaign_id = $1`, [campaignId]);
  const [told] = await db.query(
    sql`select $1::bigint as campaign_id, (select count(*)::int from campaign_numbers where campaign_id = $1) as numbers,
       (select count(*)::int from campaign_numbers where campaign_id = $1 and state = 'finished') as finished,
       count(*)::int as attempts, (count(*) filter (where answered_at is not null))::int as answered,
       (count(*) filter (where queued))::int as queued, (count(*) filter (where abandoned))::int as abandoned
     from campaign_attempts where campaign_id = $1 and ended_at is not null`,
    [campaignId],
  );
  const { leaving: _, ...kept } = counted ?? {};
  expect(kept).toEqual(told);
}
