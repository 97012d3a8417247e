// Sends a message that was left to its owner's e-mail, with its sound attached; owed until the mail server took it.

import type { JobHandler } from "../../../jobs/workers.ts";
import type { Mailer } from "../../../mail/mailer.ts";
import type { Objects } from "../../../objects/objects.ts";
import type { Db } from "../../../store/db.ts";
import { listVoicemail } from "../../../store/voicemail.ts";
import type { MailedMessage } from "./voicemail.ts";

const HOUR_MS = 3_600_000;

export function mailMessages({ db, objects, mailer }: { db: Db; objects: Objects; mailer: Mailer }): JobHandler {
  return {
    backOffMs: (failures) => Math.min(HOUR_MS, 30_000 * 2 ** Math.min(failures, 10)),
    async run({ exchangeId, uuid, to, objectKey }: MailedMessage) {
      const any = { from: undefined, before: undefined, read: undefined, userNumber: undefined };
      const { rows } = await listVoicemail(db, exchangeId, { ...any, uuid }, { page: 1, limit: 10 });
      const [message] = rows;
      if (!message) return undefined; // deleted before it was mailed
      const caller = message.callerIdName || message.callerIdNumber || "Gizli numara";
      return mailer.send({
        to,
        subject: `Sesli mesaj: ${caller} (${message.durationSeconds} sn)`,
        text: `${caller} (${message.callerIdNumber}) ${message.userNumber} numaralı dahiliye mesaj bıraktı.`,
        attachments: [{ name: `${uuid}.wav`, path: objects.path(objectKey), type: "audio/wav" }],
      });
    },
  };
}
