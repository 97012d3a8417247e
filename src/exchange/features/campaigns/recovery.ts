// After a crash, before the first new call: every attempt that had no end gets one, and nobody who answered is called again.
//
// The rule. The call's own record, which the journal has closed by now, is believed first: what it says was answered is
// finished, and what it says ended by itself ended so. What is left was cut off with nothing known but that it was
// dialled: the person may have picked up in the last moment. Such a number is finished, unless the exchange has chosen
// to try again; then it waits for another attempt like one that was not reached, as far as the campaign's retries allow.

import type { Clock } from "../../../clock.ts";
import type { Log } from "../../../log.ts";
import {
  type AttemptEnd,
  endAttempts,
  forgetLeaving,
  type OpenAttempt,
  openAttempts,
} from "../../../store/campaign-numbers.ts";
import { type DialSettings, readDialSettings } from "../../../store/campaign-settings.ts";
import { type Campaign, findAnyCampaign } from "../../../store/campaigns.ts";
import type { Database } from "../../../store/db.ts";
import { type HangupCause, isHangupCause } from "../../calls/causes.ts";
import { type Notification, oweNotifications } from "./notify.ts";
import { labelOf, type Verdict, verdictOn } from "./outcome.ts";

type Rules = { campaign: Campaign; settings: DialSettings };

const AT_ONCE = 200;
const CUT_OFF: HangupCause = "SYSTEM_SHUTDOWN";

export type SettleParts = {
  db: Database;
  clock: Clock;
  log: Log;
  /** Of a call that goes on in this process: kept when it is over. */
  goesOn?: ((exchangeId: number, callUuid: string) => Promise<void> | undefined) | undefined;
};

/** How many were settled. Who is still talked to is settled when that is over. */
export async function settleCutOff(parts: SettleParts): Promise<number> {
  const { db, log, goesOn } = parts;
  await forgetLeaving(db);
  const cutOff: OpenAttempt[] = [];
  for (const attempt of await openAttempts(db)) {
    const over = goesOn?.(attempt.exchangeId, attempt.callUuid);
    if (over) void over.then(() => settleLater(parts, attempt));
    else cutOff.push(attempt);
  }
  await settle(parts, cutOff);
  if (cutOff.length > 0) log.warn({ attempts: cutOff.length }, "campaign calls that a crash cut off were settled");
  return cutOff.length;
}

/** By its own record, which is there by now. */
async function settleLater(parts: SettleParts, { attemptId }: OpenAttempt): Promise<void> {
  try {
    const open = await openAttempts(parts.db);
    await settle(
      parts,
      open.filter((attempt) => attempt.attemptId === attemptId),
    );
  } catch (error) {
    parts.log.warn({ attempt: attemptId, error: String(error) }, "a campaign call is settled by the next start");
  }
}

async function settle({ db, clock }: SettleParts, open: OpenAttempt[]): Promise<void> {
  const rules = new Map<number, Rules | undefined>();
  for (const { campaignId, exchangeId } of open)
    if (!rules.has(campaignId)) rules.set(campaignId, await rulesOf(db, { campaignId, exchangeId }));
  for (let at = 0; at < open.length; at += AT_ONCE) {
    const some = open.slice(at, at + AT_ONCE).flatMap((attempt) => {
      const known = rules.get(attempt.campaignId);
      return known ? [{ attempt, known, end: endOf(attempt, known, clock.wall()) }] : [];
    });
    await db.transaction(async (db) => {
      await endAttempts(
        db,
        some.map(({ end }) => end),
      );
      await oweNotifications(
        db,
        some.flatMap(({ attempt, known, end }) => notificationOf(attempt, known.campaign, end)),
      );
    });
  }
}

async function rulesOf(
  db: Database,
  { campaignId, exchangeId }: { campaignId: number; exchangeId: number },
): Promise<Rules | undefined> {
  const campaign = await findAnyCampaign(db, campaignId);
  const settings = await readDialSettings(db, exchangeId);
  return campaign && settings && { campaign, settings };
}

function endOf(attempt: OpenAttempt, { campaign, settings }: Rules, nowMs: number): AttemptEnd {
  const { attemptId, answeredMs, recordCause, recordAnsweredMs, recordEndMs, recordQueue, recordConnected } = attempt;
  const answerMs = answeredMs ?? recordAnsweredMs;
  const answered = answerMs !== null;
  const endMs = Math.max(recordEndMs ?? attempt.startedMs, answerMs ?? 0);
  const cause = recordCause !== null && isHangupCause(recordCause) ? recordCause : CUT_OFF;
  const queued = answered && recordQueue !== null;
  return {
    attemptId,
    endMs,
    cause,
    answered,
    target: null,
    machine: false,
    queued,
    abandoned: queued && (recordConnected ?? "") === "",
    talkSeconds: answered ? Math.round((endMs - (answerMs ?? endMs)) / 1_000) : 0,
    cutOff: cause === CUT_OFF,
    ...verdictAfterCrash(attempt, { answered, cause }, { campaign, settings, nowMs }),
  };
}

function verdictAfterCrash(
  { tries }: OpenAttempt,
  { answered, cause }: { answered: boolean; cause: HangupCause },
  { campaign: { callRetries }, settings, nowMs }: Rules & { nowMs: number },
): Verdict {
  const tried = { tries, attempts: 1, callRetries, retrySeconds: settings.retrySeconds };
  if (cause !== CUT_OFF || answered) return verdictOn({ answered, cause }, tried, nowMs);
  if (settings.cutOff === "finish") return { againMs: null, counts: true };
  return verdictOn({ answered: false, cause: "NO_ANSWER" }, tried, nowMs);
}

/** Keys were told of when they were pressed. */
function notificationOf(attempt: OpenAttempt, campaign: Campaign, end: AttemptEnd): Notification[] {
  const { digits, numberId, number, callUuid } = attempt;
  if (campaign.webhookUrl === null || digits.length > 0) return [];
  return [
    {
      exchangeId: campaign.exchangeId,
      campaignId: campaign.id,
      campaignName: campaign.name,
      url: campaign.webhookUrl,
      numberId,
      number,
      digit: "",
      status: labelOf(end),
      callUuid,
      atMs: end.endMs,
    },
  ];
}
