// Hands letters to those who run an exchange over to the mail server, each in its reader's language.

import type { JobHandler } from "../../jobs/handler.ts";
import type { OwedNotice } from "../../jobs/notice.ts";
import type { Mailer } from "../../mail/mailer.ts";
import type { Db } from "../../store/db.ts";
import { type LetterWords, languageOfReader, type Written } from "../../store/letter-facts.ts";

const HOUR_MS = 3_600_000;

/** Owed by an older version, which wrote the words at once. */
type OldNotice = Written & { to: string };

export function mailNotices({ db, mailer, words }: { db: Db; mailer: Mailer; words: LetterWords }): JobHandler {
  return {
    backOffMs: (failures) => Math.min(HOUR_MS, 30_000 * 2 ** Math.min(failures, 10)),
    async run(owed: OwedNotice | OldNotice) {
      if ("subject" in owed) return mailer.send({ whose: 0, ...owed, attachments: [] });
      const { exchangeId, to, notice } = owed;
      const written = words.letter(notice, await languageOfReader(db, exchangeId, to));
      return mailer.send({ whose: exchangeId, to, ...written, attachments: [] });
    },
  };
}
