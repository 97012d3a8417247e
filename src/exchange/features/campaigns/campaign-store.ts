// What the dialler keeps: campaigns and numbers as they are stored, and news of calls written many at a time.

import type { Stream } from "../../../arrears/arrears.ts";
import { type GroupCommit, openGroupCommit } from "../../../arrears/group-commit.ts";
import type { Clock } from "../../../clock.ts";
import type { Log } from "../../../log.ts";
import { CALL_LISTS_CHANNEL } from "../../../store/call-settings.ts";
import {
  type AttemptEnd,
  type ClaimedNumber,
  claimNumbers,
  endAttempts,
  nextDueMs,
  noteAnswers,
  noteKeys,
  noteLeft,
  putBackNumbers,
} from "../../../store/campaign-numbers.ts";
import {
  type CampaignHoliday,
  type DialSettings,
  listHolidaysFrom,
  readDialSettings,
} from "../../../store/campaign-settings.ts";
import {
  CAMPAIGNS_CHANNEL,
  type Campaign,
  type CountedCampaign,
  campaignsToDial,
  exchangesWithCampaigns,
  isCampaignOn,
  sweepDeletedCampaigns,
} from "../../../store/campaigns.ts";
import type { Database, Db } from "../../../store/db.ts";
import { localTime } from "../../plan/hours.ts";
import { type Notification, oweNotifications } from "./notify.ts";
import { dayAfter } from "./opening.ts";
import { labelOf } from "./outcome.ts";

/** What one exchange has to dial, and by which rules. */
export type DialPlan = { settings: DialSettings; holidays: CampaignHoliday[]; campaigns: CountedCampaign[] };

/** The attempt that news is of. */
export type AttemptOf = { campaign: Campaign; number: ClaimedNumber };

export type CampaignStore = {
  exchanges(): Promise<number[]>;
  /** Undefined when there is no such exchange any more. */
  plan(exchangeId: number): Promise<DialPlan | undefined>;
  claim(campaignId: number, most: number): Promise<ClaimedNumber[]>;
  putBack(attemptIds: number[]): Promise<void>;
  /** Asked once more when something has changed between the claim and the call. */
  isOn(campaignId: number): Promise<boolean>;
  /** So many claimed numbers were put back, or their calls have left. */
  left(campaignId: number, numbers: number): Promise<void>;
  nextDueMs(campaignId: number): Promise<number | undefined>;
  sweep(exchangeId: number): Promise<number>;
  /** Kept once it is on disk. */
  answered(attempt: AttemptOf, atMs: number): Promise<void>;
  pressed(attempt: AttemptOf, digit: string, atMs: number): void;
  ended(attempt: AttemptOf, end: AttemptEnd): Promise<void>;
  /** Everything told so far is on disk. */
  settled(): Promise<void>;
  close(): Promise<void>;
};

/** What is said where about which exchange. */
const channels = {
  [CAMPAIGNS_CHANNEL]: "campaigns",
  [CALL_LISTS_CHANNEL]: "settings",
  exchange_changed: "settings",
} as const;

type News = {
  of: AttemptOf;
  answeredMs?: number | undefined;
  keys: { digit: string; atMs: number }[];
  /** Any key at all, those written before included. */
  end?: (AttemptEnd & { hadKeys: boolean }) | undefined;
  onWritten: (() => void)[];
};

export type CampaignStoreParts = {
  db: Database;
  clock: Clock;
  log: Log;
  /** Where news of calls is written while the database cannot be. */
  arrears?: Stream | undefined;
};

export async function openCampaignStore(
  parts: CampaignStoreParts,
  /** Undefined: we had lost the line, and anything may have changed. */
  onChange: (what: "campaigns" | "settings", exchangeId: number | undefined) => void,
): Promise<CampaignStore> {
  const { db, clock, log } = parts;
  const withKeys = new Set<number>();
  const commits = openCommits(parts);
  const stops = await Promise.all(
    Object.entries(channels).map(([channel, what]) =>
      db.listen(channel, (said) => onChange(what, said === "" ? undefined : Number(said))),
    ),
  );
  return {
    exchanges: () => exchangesWithCampaigns(db),
    plan: (exchangeId) => readPlan(db, exchangeId, clock.wall()),
    claim: (campaignId, most) => claimNumbers(db, { campaignId, most, nowMs: clock.wall() }),
    putBack: (attemptIds) => putBackNumbers(db, attemptIds),
    isOn: (campaignId) => isCampaignOn(db, campaignId),
    left: (campaignId, numbers) =>
      noteLeft(db, campaignId, numbers).catch((error: unknown) => {
        log.warn({ campaign: campaignId, error: String(error) }, "a stop will wait for calls that have long left");
      }),
    nextDueMs: (campaignId) => nextDueMs(db, campaignId),
    sweep: (exchangeId) => sweepDeletedCampaigns(db, exchangeId),
    answered: (attempt, atMs) => tell(commits, attempt, { answeredMs: atMs }),
    pressed(attempt, digit, atMs) {
      withKeys.add(attempt.number.attemptId);
      void tell(commits, attempt, { keys: [{ digit, atMs }] });
    },
    ended(attempt, end) {
      const hadKeys = withKeys.delete(end.attemptId);
      return tell(commits, attempt, { end: { ...end, hadKeys } });
    },
    settled: () => commits.settled(),
    async close() {
      await commits.close();
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}

async function readPlan(db: Db, exchangeId: number, nowMs: number): Promise<DialPlan | undefined> {
  const settings = await readDialSettings(db, exchangeId);
  if (!settings) return undefined;
  const yesterday = dayAfter(localTime(nowMs, settings.timeZone).day, -1);
  const [holidays, campaigns] = await Promise.all([
    listHolidaysFrom(db, exchangeId, yesterday),
    campaignsToDial(db, exchangeId),
  ]);
  return { settings, holidays, campaigns };
}

function openCommits({ arrears, ...parts }: CampaignStoreParts): GroupCommit<News> {
  return openGroupCommit<News>({
    ...parts,
    merge,
    write: writeNews,
    onWritten: release,
    onPoisoned(news, error) {
      const attempt = news.of.number.attemptId;
      parts.log.error({ attempt, error: String(error) }, "a campaign's call cannot be written");
      release(news);
    },
    aside: arrears && {
      stream: arrears,
      pack: ({ onWritten: _nobodysAfterACrash, ...news }) => news,
      unpack: (packed) => ({ ...(packed as News), onWritten: [] }), // what `pack` made
    },
  });
}

/** Before the first look at what was going on: whatever the last life could not write is written. */
export async function catchUp(parts: CampaignStoreParts): Promise<void> {
  const commits = openCommits(parts);
  await commits.caughtUp();
  await commits.close();
}

function merge(older: News, newer: News): News {
  return {
    of: newer.of,
    answeredMs: newer.answeredMs ?? older.answeredMs,
    keys: [...older.keys, ...newer.keys],
    end: newer.end ?? older.end,
    onWritten: [...older.onWritten, ...newer.onWritten],
  };
}

function tell(commits: GroupCommit<News>, of: AttemptOf, news: Partial<News>): Promise<void> {
  return new Promise((resolve) => {
    commits.put(String(of.number.attemptId), { keys: [], ...news, of, onWritten: [resolve] });
  });
}

function release({ onWritten }: News): void {
  for (const resolve of onWritten) resolve();
}

/** What is owed to the campaign's owner is written with the fact itself. */
async function writeNews(db: Db, all: News[]): Promise<void> {
  const answers = all.flatMap(({ of, answeredMs }) =>
    answeredMs === undefined ? [] : [{ attemptId: of.number.attemptId, atMs: answeredMs }],
  );
  const keys = all.flatMap(({ of, keys }) => keys.map(({ digit }) => ({ attemptId: of.number.attemptId, digit })));
  const ends = all.flatMap(({ end }) => end ?? []);
  if (answers.length > 0) await noteAnswers(db, answers);
  if (keys.length > 0) await noteKeys(db, keys);
  if (ends.length > 0) await endAttempts(db, ends);
  await oweNotifications(db, all.flatMap(notificationsOf));
}

function notificationsOf({ of: { campaign, number }, keys, end }: News): Notification[] {
  const { webhookUrl } = campaign;
  if (webhookUrl === null) return [];
  const common = {
    exchangeId: campaign.exchangeId,
    campaignId: campaign.id,
    campaignName: campaign.name,
    url: webhookUrl,
    numberId: number.id,
    number: number.number,
    callUuid: number.callUuid,
  };
  const status = labelOf({ answered: true, cause: "NORMAL_CLEARING" });
  const told = keys.map(({ digit, atMs }) => ({ ...common, digit, status, atMs }));
  if (end && !end.hadKeys) told.push({ ...common, digit: "", status: labelOf(end), atMs: end.endMs });
  return told;
}
