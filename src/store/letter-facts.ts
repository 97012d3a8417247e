// What letters tell, as values: the words are made for each reader when a letter goes out.

import type { Language } from "../languages.ts";
import type { MailedReport } from "../nouns/report-plan.ts";
import type { SpendingCause } from "../nouns/spent.ts";
import type { Db } from "./db.ts";
import type { AlarmAbout } from "./queue-alarms.ts";
import { sql } from "./sql.ts";

/** To those who run an exchange. */
export type Notice =
  | { is: "emergency-call"; number: string; caller: string; callerName: string; call: string }
  | { is: "credits-low"; account: string; credits: number; limit: number }
  | { is: "contact-removal-held"; source: string; contacts: number }
  | { is: "spending-limit-reached"; month: string; limit: number | null }
  | SpendingAlarmTold
  | AlarmTold;

/** Of what an exchange spends or calls within an hour, or one extension of it where one is named. */
export type SpendingAlarmTold = {
  is: "spending-alarm";
  cause: SpendingCause;
  extension: string;
  /** What was reached, and what had been set: amounts, or calls. */
  value: number;
  threshold: number;
  /** When, at the exchange: `2026-11-18 14:05:00`. */
  at: string;
};

/** To whom a queue's alarms are written. */
export type AlarmTold = {
  is: "queue-alarm";
  state: "began" | "ended";
  queue: string;
  queueName: string;
  about: AlarmAbout;
  threshold: number;
  /** When it began; at its end, the worst. */
  value: number;
  /** When, at the exchange: `2026-11-18 14:05:00`. */
  at: string;
};

/** Figures that stand in the letter itself, beside the table that is attached. */
export type MailedFigure =
  | ("inbound" | "outbound" | "calls" | "answered" | "missed" | "unanswered" | "abandoned" | "inTime" | "offered")
  | ("made" | "taken" | "tags" | "answerRate" | "serviceLevel")
  | ("talk" | "average" | "median" | "ninetieth" | "longestWait");

/** A report, to whom its plan says. */
export type ReportTold = {
  is: "report";
  name: string;
  report: MailedReport;
  /** Days at the exchange: `2026-11-17`. */
  first: string;
  last: string;
  /** The day it should have gone out on, where that is over. */
  dueOn: string | undefined;
  /** Each with that of as many days right before; null where there is none. */
  figures: readonly { of: MailedFigure; now: number | null; before: number | null }[];
  file: string;
};

export type Told =
  | Notice
  | ReportTold
  /** To whom a mailbox or a fax number belongs. Nothing as the caller: he withheld his number. */
  | { is: "voicemail"; caller: string; callerNumber: string; extension: string; seconds: number }
  | { is: "fax"; sender: string; number: string; pages: number; complete: boolean };

export type ToldOf<Is extends Told["is"]> = Extract<Told, { is: Is }>;

export type Written = { subject: string; text: string };

/** What turns them into words; handed to whoever sends letters and messages. */
export type LetterWords = {
  letter(told: Told, language: Language): Written;
  /** As an SMS: short, and in letters that every handset has. */
  message(told: ToldOf<"credits-low">, language: Language): string;
};

/** Of whoever has an account under that address, else of his exchange. */
export async function languageOfReader(db: Db, exchangeId: number, email: string): Promise<Language> {
  const [row] = await db.query<{ language: Language }>(
    sql`select coalesce(
       (select language from staff where exchange_id = $1 and email = lower($2) and language is not null limit 1),
       language) as language from exchanges where id = $1`,
    [exchangeId, email],
  );
  return row?.language ?? "tr";
}

export async function languageOfExchange(db: Db, exchangeId: number): Promise<Language> {
  return languageOfReader(db, exchangeId, "");
}
