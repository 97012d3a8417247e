// The table of contents of background work: which kind of job is done by whom.

import type { Clock } from "../clock.ts";
import { SYNCHRONISE_CONTACTS, synchroniseContacts } from "../contacts/synchronise.ts";
import { deliverNotifications, NOTIFY_JOB } from "../exchange/features/campaigns/notify.ts";
import { MAIL_FAX } from "../exchange/features/faxes/fax-service.ts";
import { mailFaxes } from "../exchange/features/faxes/mail-fax.ts";
import { mailMessages } from "../exchange/features/voicemail/mail-message.ts";
import { MAIL_MESSAGE } from "../exchange/features/voicemail/voicemail.ts";
import { COMPRESS_RECORDING, type CompressParts, compressRecordings } from "../exchange/recordings/compress.ts";
import { RETAIN_RECORDINGS, retainRecordings } from "../exchange/recordings/retain.ts";
import { mailNotices } from "../exchange/spending/notice.ts";
import { RUN_IMPORT, runImports } from "../imports/run-import.ts";
import type { Handlers } from "../jobs/handler.ts";
import { MAIL_NOTICE } from "../jobs/notice.ts";
import type { Log } from "../log.ts";
import type { Mailer } from "../mail/mailer.ts";
import type { Converter } from "../media/convert.ts";
import type { Objects } from "../objects/objects.ts";
import type { Readers } from "../readers/task.ts";
import { mailReports } from "../reports/mail-reports.ts";
import { MAIL_REPORT } from "../reports/owed-mails.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { deliverPushes, PUSH_JOB } from "../sms/push.ts";
import type { Database } from "../store/db.ts";
import { deliverEvents } from "../webhooks/deliver.ts";
import type { Requester } from "../webhooks/requester.ts";
import { DELIVER_EVENT } from "../webhooks/tell.ts";
import { letterWords } from "../words/letters/words.ts";

export type WorkParts = {
  db: Database;
  secrets: Secrets;
  clock: Clock;
  log: Log;
  objects: Objects;
  converter: Converter;
  readers: Readers;
  requester: Requester;
  mailer: Mailer;
};

export function handlersOf(given: WorkParts): Handlers {
  const parts = { ...given, words: letterWords };
  return {
    [DELIVER_EVENT]: deliverEvents(parts),
    [RETAIN_RECORDINGS]: retainRecordings(parts),
    [MAIL_MESSAGE]: mailMessages(parts),
    [MAIL_FAX]: mailFaxes(parts),
    [MAIL_NOTICE]: mailNotices(parts),
    [MAIL_REPORT]: mailReports(parts),
    [SYNCHRONISE_CONTACTS]: synchroniseContacts(parts),
    [RUN_IMPORT]: runImports(parts),
    [PUSH_JOB]: deliverPushes(parts.requester),
    [NOTIFY_JOB]: deliverNotifications(parts),
  };
}

/** Nobody waits for these, and many at once cost less than one by one: they have workers of their own. */
export const recordingHandlersOf = (parts: CompressParts): Handlers => ({
  [COMPRESS_RECORDING]: compressRecordings(parts),
});
