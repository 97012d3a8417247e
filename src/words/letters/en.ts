// Letters in English.

import { alarmWords } from "../alarms.ts";
import { daysInWords, figuresInWords, reportTitle, sameDay } from "../report-letter.ts";
import { spendingCauses, spendingFigure } from "../spending-alarms.ts";
import { showAmount, showCount, showDuration, showMonth, showWall } from "../stamps.ts";
import type { LetterTable } from "./table.ts";

const { abouts, figures } = alarmWords.en;
const count = (value: number) => showCount(value, "en");

export const letters: LetterTable["letters"] = {
  "emergency-call": ({ number, caller, callerName, call }) => ({
    subject: `Emergency call: ${number} (${caller})`,
    text: `${[caller, callerName].filter(Boolean).join(" ")} has called an emergency number: ${number}. Call: ${call}`,
  }),
  "credits-low": ({ account, credits, limit }) => ({
    subject: `Your SMS credits run low: ${count(credits)}`,
    text: `The account ${account} has ${count(credits)} SMS credits left (you are reminded at ${count(limit)}).`,
  }),
  "contact-removal-held": ({ source, contacts }) => ({
    subject: `Source of contacts ${source}: the removal of ${count(contacts)} people waits for you`,
    text: `${count(contacts)} people are no longer in the source ${source}, which is more than half of them. They stay until somebody agrees in the console under Contacts, Sources.`,
  }),
  "spending-limit-reached": ({ month, limit }) => ({
    subject: `The spending limit is reached (${showMonth(month, "en")})`,
    text: `The month's spending limit${inFigures(limit)} is used up. No calls go out until it is raised or a new month begins.`,
  }),
  "spending-alarm": ({ cause, extension, value, threshold, at }) => {
    const whose = extension === "" ? "" : ` (extension ${extension})`;
    const [figure, set] = [value, threshold].map((it) => spendingFigure(cause, it, "en"));
    if (cause === "hourly-limit")
      return {
        subject: "The spending limit of an hour is reached",
        text: `${showWall(at, "en")}: ${figure} was spent within an hour, and ${set} is allowed. No paid call goes out until less was spent in the last hour; emergency calls always go out. See in the console who calls, under Spending and rates.`,
      };
    return {
      subject: `Alarm: ${figure} ${spendingCauses.en[cause]}${whose}`,
      text: `${showWall(at, "en")}: ${figure} ${spendingCauses.en[cause]}${whose} (the alarm is set at ${set}). See in the console who calls, under Spending and rates; if it is nobody of yours, give that extension a new password.`,
    };
  },
  "queue-alarm": ({ state, queue, queueName, about, threshold, value, at }) => {
    const figure = figures[about](value);
    const limit = figures[about](threshold);
    const place = `${queue} ${queueName}`.trim();
    return state === "began"
      ? {
          subject: `Alarm: ${place}, ${abouts[about]} ${figure}`,
          text: `${showWall(at, "en")}: ${abouts[about]} of queue ${place} is ${figure} (the alarm is set at ${limit}).`,
        }
      : {
          subject: `Alarm over: ${place}, ${abouts[about]}`,
          text: `${showWall(at, "en")}: the alarm of queue ${place} is over. ${abouts[about]} was ${figure} at worst (the alarm is set at ${limit}).`,
        };
  },
  report: (told) => {
    const days = daysInWords(told, "en");
    const late =
      told.dueOn === undefined
        ? ""
        : `\n\nThis letter was due on ${daysInWords(sameDay(told.dueOn), "en")} and is late.`;
    return {
      subject: `${reportTitle(told, "en")}: ${days}`,
      text: `${reportTitle(told, "en")}\n${days}\n\n${figuresInWords(told.figures, "en")}\n\nThe whole table is attached: ${told.file}${late}`,
    };
  },
  voicemail: ({ caller, callerNumber, extension, seconds }) => {
    const who = caller || WITHHELD;
    return {
      subject: `Voicemail: ${who} (${showDuration(seconds)})`,
      text: `${who} (${callerNumber}) has left a message for extension ${extension}.`,
    };
  },
  fax: ({ sender, number, pages, complete }) => {
    const who = sender || WITHHELD;
    const incomplete = complete ? "" : " It was cut off half-way; the pages that arrived are attached.";
    return {
      subject: `Fax: ${who} (${count(pages)} ${pages === 1 ? "page" : "pages"})`,
      text: `${who} has sent a fax of ${count(pages)} ${pages === 1 ? "page" : "pages"} to ${number}.${incomplete}`,
    };
  },
};

export const messages: LetterTable["messages"] = {
  "credits-low": ({ account, credits }) => `Your SMS credits run low: ${account} has ${count(credits)} left.`,
};

const WITHHELD = "Withheld number";

/** Nothing where it was taken away meanwhile. */
const inFigures = (limit: number | null) => (limit === null ? "" : ` (${showAmount(limit, "en")})`);
