// Sends a message that was left to its owner's e-mail, with its sound attached; owed until the mail server took it.

import type { JobHandler } from "../../../jobs/handler.ts";
import type { Mailer } from "../../../mail/mailer.ts";
import type { Objects } from "../../../objects/objects.ts";
import type { Db } from "../../../store/db.ts";
import { type LetterWords, languageOfReader } from "../../../store/letter-facts.ts";
import { listVoicemail } from "../../../store/voicemail.ts";
import type { MailedMessage } from "./voicemail.ts";

const HOUR_MS = 3_600_000;

type MailParts = { db: Db; objects: Objects; mailer: Mailer; words: LetterWords };

export function mailMessages({ db, objects, mailer, words }: MailParts): JobHandler {
  return {
    backOffMs: (failures) => Math.min(HOUR_MS, 30_000 * 2 ** Math.min(failures, 10)),
    async run({ exchangeId, uuid, to, objectKey }: MailedMessage) {
      const any = { from: undefined, before: undefined, read: undefined, userNumber: undefined };
      const { rows } = await listVoicemail(db, exchangeId, { ...any, uuid }, { page: 1, limit: 10 });
      const [message] = rows;
      if (!message) return undefined; // deleted before it was mailed
      const path = (await objects.fetched(objectKey)) ?? objects.path(objectKey);
      const { callerIdName, callerIdNumber: callerNumber, userNumber: extension, durationSeconds: seconds } = message;
      const told = { is: "voicemail", caller: callerIdName || callerNumber, callerNumber, extension, seconds } as const;
      return mailer.send({
        whose: exchangeId,
        to,
        ...words.letter(told, await languageOfReader(db, exchangeId, to)),
        attachments: [{ name: `${uuid}.wav`, path, type: "audio/wav" }],
      });
    },
  };
}
