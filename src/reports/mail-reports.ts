// Sends reports by mail as their plans say: owed when a plan's hour has come, each letter once, and tried until the mail
// server has taken it or never will.

import type { Clock } from "../clock.ts";
import type { JobHandler, Outcome } from "../jobs/handler.ts";
import { keepPlanning } from "../jobs/planning.ts";
import type { Log } from "../log.ts";
import type { Letter, Mailer, Unsent } from "../mail/mailer.ts";
import { hasRight } from "../nouns/role.ts";
import type { Database, Db } from "../store/db.ts";
import type { LetterWords, ReportTold } from "../store/letter-facts.ts";
import { noteReportFailed, noteReportSent, type OwedReport, reportMailOwed } from "../store/report-mails.ts";
import { dueReportPlans, type MailFailure, oweReportMails } from "../store/report-plans.ts";
import { scopeOf, withinOf } from "../store/scope.ts";
import { mailedRows, mainFigures } from "./mailed-reports.ts";
import { enqueueMails, MOST_TRIES, type OwedMail } from "./owed-mails.ts";
import { inOnePortion } from "./portions.ts";
import { tableFormats } from "./table-file.ts";

type PlanParts = { db: Database; clock: Clock; log: Log };
type MailParts = { db: Database; clock: Clock; mailer: Mailer; words: LetterWords };

const MINUTE = 60_000;
const LOOK_MS = 20_000;
const HOUR_MS = 60 * MINUTE;
/** Nobody asks for it by hand; a plan that is changed is looked at with the next look. */
const CHANNEL = "report_plans";

/** Looks whose hour has come. Returns how to stop. */
export function planReportMails({ db, clock, log }: PlanParts): Promise<() => Promise<void>> {
  const look = async () => {
    const now = new Date(clock.wall());
    for (const { exchangeId, id } of await dueReportPlans(db, now))
      await db.forExchange(exchangeId).transaction(async (db) => {
        await enqueueMails(db, exchangeId, await oweReportMails(db, { exchangeId, id, now }));
      });
  };
  return keepPlanning({ db, clock, log }, { channel: CHANNEL, everyMs: LOOK_MS, look, what: "reports by mail" });
}

export function mailReports({ db, clock, mailer, words }: MailParts): JobHandler {
  return {
    backOffMs: (failures) => Math.min(HOUR_MS, 30_000 * 2 ** Math.min(failures, 10)),
    async run({ exchangeId, mail: id }: OwedMail, { attempt }): Promise<Outcome> {
      const own = db.forExchange(exchangeId);
      const owed = await reportMailOwed(own, { exchangeId, id });
      if (!owed) return undefined;
      const fail = (failure: MailFailure, about: string, isOver: boolean) =>
        noteReportFailed(own, { exchangeId, id, at: new Date(clock.wall()), failure, about, isOver });
      const forbidden = whyNot(owed);
      if (forbidden) {
        await fail(forbidden, "", true);
        return undefined;
      }
      const unsent = await mailer.send(await letterOf(own, { exchangeId, owed, words, nowMs: clock.wall() }));
      if (!unsent) await noteReportSent(own, { exchangeId, id, at: new Date(clock.wall()) });
      else await fail(failureOf(unsent, mailer), said(unsent), "giveUp" in unsent || attempt >= MOST_TRIES);
      return unsent;
    },
  };
}

/** Whoever made it may have lost what it takes, or have thought better of it. */
function whyNot({ plan, maker, byHand }: OwedReport): MailFailure | undefined {
  if (
    !maker.active ||
    !hasRight(maker, "mail-reports") ||
    !hasRight(maker, "see-reports") ||
    !hasRight(maker, "exports")
  )
    return "no-right";
  return plan.active || byHand ? undefined : "paused";
}

function failureOf(unsent: Unsent, mailer: Mailer): MailFailure {
  if (!mailer.isSet) return "no-mail-server";
  return "giveUp" in unsent ? "refused" : "mail-server";
}

const said = (unsent: Unsent) => ("giveUp" in unsent ? unsent.giveUp : unsent.retry);

type Writing = { exchangeId: number; owed: OwedReport; words: LetterWords; nowMs: number };

/** What its maker sees today of the days that it is about. */
async function letterOf(db: Db, { exchangeId, owed, words, nowMs }: Writing): Promise<Letter> {
  const { plan, maker, timeZone, from, before, earlierFrom, first, last } = owed;
  const within = withinOf(await scopeOf(db, { ...maker, exchangeId }));
  const asked = (from: Date, before: Date) => {
    const stretch = { exchangeId, timeZone, within, from: new Date(from), before: new Date(before) };
    return { db, nowMs, filter: plan.filter, stretch };
  };
  const figuresIn = mainFigures[plan.report];
  const [rows, now, earlier] = await Promise.all([
    mailedRows(plan.report, asked(from, before)),
    figuresIn(asked(from, before)),
    figuresIn(asked(earlierFrom, from)),
  ]);
  const file = `${plan.report}-${first === last ? first : `${first}-${last}`}.${plan.format}`;
  const told: ReportTold = {
    is: "report",
    name: plan.name,
    report: plan.report,
    first,
    last,
    file,
    dueOn: owed.byHand || owed.day === dayAt(nowMs, timeZone) ? undefined : owed.day,
    figures: (Object.keys(now) as (keyof typeof now)[]).map((of) => ({
      of,
      now: now[of] ?? null,
      before: earlier[of] ?? null,
    })),
  };
  const { mediaType, write } = tableFormats[plan.format];
  const pieces: Buffer[] = [];
  for await (const piece of write(inOnePortion(rows), plan.language)) pieces.push(Buffer.from(piece));
  return {
    whose: exchangeId,
    to: owed.address,
    mark: owed.mark,
    ...words.letter(told, plan.language),
    attachments: [{ name: file, content: Buffer.concat(pieces), type: mediaType }],
  };
}

function dayAt(ms: number, timeZone: string): string {
  return new Date(ms).toLocaleDateString("sv-SE", { timeZone });
}
