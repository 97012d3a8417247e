// Messages that were left: kept with their sound, told to lamps, and owed to their owner's e-mail.

import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { atOnce, type Errands } from "../../../arrears/errands.ts";
import { enqueue, mailShare } from "../../../jobs/jobs.ts";
import type { Objects } from "../../../objects/objects.ts";
import type { Secrets } from "../../../secrets/secrets.ts";
import type { Database, Db } from "../../../store/db.ts";
import {
  countMessages,
  keepMessage,
  type Mailbox,
  type NewMessage,
  setRecordedGreeting,
  VOICEMAIL_CHANNEL,
} from "../../../store/mailboxes.ts";
import type { CallFacts } from "../../calls/call-facts.ts";

export type LeftMessage = { mailbox: Mailbox; facts: CallFacts; durationMs: number; path: string };

export type SpokenGreeting = { exchangeId: number; mailbox: Mailbox; path: string };

export type Voicemail = {
  /** Where a message is recorded while it is spoken. */
  folder: string;
  keep(message: LeftMessage): Promise<void>;
  keepGreeting(greeting: SpokenGreeting): Promise<void>;
  /** Callers hear again what they heard before its owner spoke one. */
  dropGreeting(exchangeId: number, mailbox: Mailbox): Promise<void>;
  /** Something that was spoken and shall not be kept. */
  discard(path: string): Promise<void>;
  toPlay(objectKey: string): Promise<string>;
  counts(exchangeId: number, extension: string): { unheard: number; heard: number };
  close(): Promise<void>;
};

/** What the scripts of a mailbox need. */
export type MailboxNeeds = {
  db: Db;
  secrets: Pick<Secrets, "open">;
  voicemail: Omit<Voicemail, "counts" | "close">;
};

export const MAIL_MESSAGE = "voicemail.mail";

export type MailedMessage = { exchangeId: number; uuid: string; to: string; objectKey: string };

export async function openVoicemail({
  db,
  objects,
  folder,
  onChange,
  onLeft,
  errands = atOnce(db, voicemailErrands),
}: {
  db: Database;
  objects: Objects;
  folder: string;
  onChange(exchangeId: number, extension: string): void;
  /** Its owner may be told at once. */
  onLeft?(message: LeftMessage): void;
  errands?: Errands<typeof voicemailErrands>;
}): Promise<Voicemail> {
  const known = new Map<string, { unheard: number; heard: number }>();
  for (const { exchangeId, extension, ...counts } of await countMessages(db))
    known.set(`${exchangeId}/${extension}`, counts);
  const stop = await db.listen(VOICEMAIL_CHANNEL, async (whose) => {
    const [exchangeId = "", extension = ""] = whose.split("/");
    if (extension === "") return;
    const only = { exchangeId: Number(exchangeId), extension };
    await countMessages(db, only).then(
      ([counts]) => {
        known.set(whose, { unheard: counts?.unheard ?? 0, heard: counts?.heard ?? 0 });
        onChange(only.exchangeId, extension);
      },
      () => undefined, // the lamp is right again with the next message
    );
  });
  return {
    folder,
    async keep(message) {
      await keep(errands, objects, message);
      onLeft?.(message);
    },
    keepGreeting: (greeting) => keepGreeting(db, objects, greeting),
    dropGreeting: (exchangeId, { extensionId }) =>
      replaceGreeting(db, objects, { exchangeId, extensionId, objectKey: null }),
    discard: (path) => rm(path, { force: true }),
    toPlay: (objectKey) => objects.toPlay(objectKey),
    counts: (exchangeId, extension) => known.get(`${exchangeId}/${extension}`) ?? { unheard: 0, heard: 0 },
    close: stop,
  };
}

/** The sound is safe before the row that names it; the mail is owed from the same moment as the row. */
async function keep(
  errands: Errands<typeof voicemailErrands>,
  objects: Objects,
  { path, ...message }: LeftMessage,
): Promise<void> {
  const objectKey = messageKey(message.facts.uuid);
  await objects.put(objectKey, { file: path });
  await errands.run("voicemail.left", noteOf({ ...message, objectKey }));
}

export const messageKey = (callUuid: string): string => `voicemail/${callUuid}.wav`;

/** The file in which a message is spoken. */
export const messageName = (callUuid: string): string => `message-${callUuid}.wav`;

type Note = { message: NewMessage; mailTo: string | null };

function noteOf({ mailbox, facts, durationMs, objectKey }: Omit<LeftMessage, "path"> & { objectKey: string }): Note {
  return {
    message: {
      uuid: facts.uuid,
      exchangeId: facts.exchangeId,
      extensionId: mailbox.extensionId,
      objectKey,
      callerIdNumber: facts.withheld ? "" : facts.callerNumber,
      callerIdName: facts.withheld ? "" : facts.callerName,
      startMs: facts.startMs,
      durationSeconds: Math.round(durationMs / 1_000),
    },
    mailTo: mailbox.email,
  };
}

/** What must be noted once, though the database is away. */
export const voicemailErrands = { "voicemail.left": writeNote };

export function noteMessage(db: Database, left: Omit<LeftMessage, "path"> & { objectKey: string }): Promise<void> {
  return db.transaction((db) => writeNote(db, noteOf(left)));
}

async function writeNote(db: Db, { message, mailTo }: Note): Promise<void> {
  const { exchangeId, uuid, objectKey } = message;
  await keepMessage(db, message);
  if (mailTo === null) return;
  const payload: MailedMessage = { exchangeId, uuid, to: mailTo, objectKey };
  await enqueue(db, { kind: MAIL_MESSAGE, payload, uniqueKey: uuid, maxAttempts: 30, share: mailShare(exchangeId) });
}

async function keepGreeting(db: Database, objects: Objects, { exchangeId, mailbox, path }: SpokenGreeting) {
  const objectKey = `greetings/${randomUUID()}.wav`;
  await objects.put(objectKey, { file: path });
  await replaceGreeting(db, objects, { exchangeId, extensionId: mailbox.extensionId, objectKey });
}

/** The old one goes when the row no longer names it: at no moment does the row name a file that is not there. */
async function replaceGreeting(db: Database, objects: Objects, greeting: Parameters<typeof setRecordedGreeting>[1]) {
  const replaced = await setRecordedGreeting(db, greeting);
  if (replaced !== undefined) await objects.delete(replaced);
}
