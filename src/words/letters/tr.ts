// Letters in Turkish.

import { alarmWords } from "../alarms.ts";
import { daysInWords, figuresInWords, reportTitle, sameDay } from "../report-letter.ts";
import { spendingCauses, spendingFigure } from "../spending-alarms.ts";
import { showAmount, showCount, showDuration, showMonth, showWall } from "../stamps.ts";
import type { LetterTable } from "./table.ts";

const { abouts, figures } = alarmWords.tr;
const count = (value: number) => showCount(value, "tr");

export const letters: LetterTable["letters"] = {
  "emergency-call": ({ number, caller, callerName, call }) => ({
    subject: `Acil çağrı: ${number} (${caller})`,
    text: `${[caller, callerName].filter(Boolean).join(" ")} acil çağrı numarasını aradı: ${number}. Çağrı: ${call}`,
  }),
  "credits-low": ({ account, credits, limit }) => ({
    subject: `SMS krediniz azaldı: ${count(credits)}`,
    text: `${account} hesabında ${count(credits)} SMS kredisi kaldı (hatırlatma sınırı ${count(limit)}).`,
  }),
  "contact-removal-held": ({ source, contacts }) => ({
    subject: `Rehber kaynağı ${source}: ${count(contacts)} kişinin silinmesi onay bekliyor`,
    text: `${source} kaynağında ${count(contacts)} kişi artık yok; bu, kaynaktaki kişilerin yarısından fazlası. Konsolda Rehber, Kaynaklar altında onaylanana kadar silinmezler.`,
  }),
  "spending-limit-reached": ({ month, limit }) => ({
    subject: `Harcama sınırına ulaşıldı (${showMonth(month, "tr")})`,
    text: `Aylık harcama sınırı${inFigures(limit)} doldu. Sınır yükseltilene ya da yeni ay başlayana kadar dış arama yapılamaz.`,
  }),
  "spending-alarm": ({ cause, extension, value, threshold, at }) => {
    const whose = extension === "" ? "" : ` (dahili ${extension})`;
    const [figure, set] = [value, threshold].map((it) => spendingFigure(cause, it, "tr"));
    if (cause === "hourly-limit")
      return {
        subject: "Bir saatlik harcama sınırına ulaşıldı",
        text: `${showWall(at, "tr")}: bir saat içinde ${figure} harcandı, sınır ${set}. Son bir saatin harcaması azalana kadar ücretli arama yapılmaz; acil aramalar hep yapılır. Kimin aradığını konsolda Harcama ve ücretler sayfası gösterir.`,
      };
    return {
      subject: `Alarm: ${spendingCauses.tr[cause]} ${figure}${whose}`,
      text: `${showWall(at, "tr")}: ${spendingCauses.tr[cause]} ${figure}${whose} (alarm sınırı ${set}). Kimin aradığını konsolda Harcama ve ücretler sayfası gösterir; sizden biri değilse o dahiliye yeni parola verin.`,
    };
  },
  "queue-alarm": ({ state, queue, queueName, about, threshold, value, at }) => {
    const figure = figures[about](value);
    const limit = figures[about](threshold);
    const place = `${queue} ${queueName}`.trim();
    return state === "began"
      ? {
          subject: `Alarm: ${place}, ${abouts[about]} ${figure}`,
          text: `${showWall(at, "tr")}: ${place} kuyruğunda ${abouts[about]} ${figure} (alarm sınırı ${limit}).`,
        }
      : {
          subject: `Alarm bitti: ${place}, ${abouts[about]}`,
          text: `${showWall(at, "tr")}: ${place} kuyruğundaki alarm bitti. En kötü anında ${abouts[about]} ${figure} oldu (alarm sınırı ${limit}).`,
        };
  },
  report: (told) => {
    const days = daysInWords(told, "tr");
    const late =
      told.dueOn === undefined
        ? ""
        : `\n\nBu e-postanın günü ${daysInWords(sameDay(told.dueOn), "tr")} idi; geç gönderildi.`;
    return {
      subject: `${reportTitle(told, "tr")}: ${days}`,
      text: `${reportTitle(told, "tr")}\n${days}\n\n${figuresInWords(told.figures, "tr")}\n\nTablonun tamamı ektedir: ${told.file}${late}`,
    };
  },
  voicemail: ({ caller, callerNumber, extension, seconds }) => {
    const who = caller || WITHHELD;
    return {
      subject: `Sesli mesaj: ${who} (${showDuration(seconds)})`,
      text: `${who} (${callerNumber}) ${extension} numaralı dahiliye mesaj bıraktı.`,
    };
  },
  fax: ({ sender, number, pages, complete }) => {
    const who = sender || WITHHELD;
    const incomplete = complete ? "" : " Gönderim yarıda kesildi; ekte alınabilen sayfalar var.";
    return {
      subject: `Faks: ${who} (${count(pages)} sayfa)`,
      text: `${who} ${number} numarasına ${count(pages)} sayfalık faks gönderdi.${incomplete}`,
    };
  },
};

export const messages: LetterTable["messages"] = {
  "credits-low": ({ account, credits }) => `SMS krediniz azaldi: ${account} hesabinda ${count(credits)} kredi kaldi.`,
};

const WITHHELD = "Gizli numara";

/** Nothing where it was taken away meanwhile. */
const inFigures = (limit: number | null) => (limit === null ? "" : ` (${showAmount(limit, "tr")})`);
