// Sends a received fax to an e-mail address as PDF; owed until the mail server took it.

import type { JobHandler } from "../../../jobs/handler.ts";
import type { Mailer } from "../../../mail/mailer.ts";
import type { Objects } from "../../../objects/objects.ts";
import type { Db } from "../../../store/db.ts";
import { findFaxToMail } from "../../../store/fax-records.ts";
import { type LetterWords, languageOfReader } from "../../../store/letter-facts.ts";
import type { MailedFax } from "./fax-service.ts";

const HOUR_MS = 3_600_000;

type MailParts = { db: Db; objects: Objects; mailer: Mailer; words: LetterWords };

export function mailFaxes({ db, objects, mailer, words }: MailParts): JobHandler {
  return {
    backOffMs: (failures) => Math.min(HOUR_MS, 30_000 * 2 ** Math.min(failures, 10)),
    async run({ exchangeId, callUuid, to }: MailedFax) {
      const fax = await findFaxToMail(db, exchangeId, callUuid);
      if (!fax) return undefined; // deleted before it was mailed
      const path = (await objects.fetched(fax.pdfKey)) ?? objects.path(fax.pdfKey);
      const sender = fax.callerIdNumber || fax.remoteStationId;
      const { originalDestination: number, pages, success: complete } = fax;
      const told = { is: "fax", sender, number, pages, complete } as const;
      return mailer.send({
        whose: exchangeId,
        to,
        ...words.letter(told, await languageOfReader(db, exchangeId, to)),
        attachments: [{ name: `faks-${callUuid}.pdf`, path, type: "application/pdf" }],
      });
    },
  };
}
