// Mailboxes: how an extension takes messages, and the messages themselves as its owner hears them.

import type { Changes } from "../nouns/field.ts";
import { mailbox } from "../nouns/mailbox.ts";
import type { SecretPlace } from "../secrets/sealed.ts";
import type { Secrets, Unreadable } from "../secrets/secrets.ts";
import type { Db } from "./db.ts";
import { sealing } from "./sealing.ts";
import { joined, sql } from "./sql.ts";
import { assignments } from "./update.ts";

export type Mailbox = {
  extensionId: number;
  number: string;
  name: string;
  active: boolean;
  /** Spoken into the phone by its owner. */
  greetingObjectKey: string | null;
  greetingAnnouncementId: number | null;
  greetingText: string | null;
  greetingLanguage: string;
  maxSeconds: number;
  /** As it is stored; see `openPin`. */
  sealedPin: string | null;
  email: string | null;
};

export type NewMessage = {
  uuid: string;
  exchangeId: number;
  extensionId: number;
  callerIdNumber: string;
  callerIdName: string;
  startMs: number;
  durationSeconds: number;
  objectKey: string;
};

export type HeardMessage = {
  uuid: string;
  callerIdNumber: string;
  startStamp: Date;
  unread: boolean;
  objectKey: string;
};

/** Says "exchange/extension" when a message comes, is heard or is deleted. */
export const VOICEMAIL_CHANNEL = "voicemail";

/** Every extension can be sent messages to; a mailbox row says how, and whether unanswered calls end there. */
export async function findMailbox(db: Db, exchangeId: number, number: string): Promise<Mailbox | undefined> {
  const [found] = await db.query<Mailbox>(
    sql`select e.id as "extensionId", e.number, e.name, coalesce(m.active, false) as active,
       m.greeting_object_key as "greetingObjectKey", m.greeting_announcement_id as "greetingAnnouncementId", m.greeting_text as "greetingText",
       coalesce(m.greeting_language, 'tr-TR') as "greetingLanguage", coalesce(m.max_seconds, 180) as "maxSeconds",
       m.pin as "sealedPin", m.email
     from extensions e left join mailboxes m on m.extension_id = e.id
     where e.exchange_id = $1 and e.number = $2 and e.active`,
    [exchangeId, number],
  );
  return found;
}

/** Null: none is asked for. */
export function openPin(
  { open }: Pick<Secrets, "open">,
  exchangeId: number,
  { extensionId, sealedPin }: Mailbox,
): string | null | Unreadable {
  return sealedPin === null ? null : open(pinOf(exchangeId, extensionId), sealedPin);
}

function pinOf(exchangeId: number, extensionId: number): SecretPlace {
  return { kind: "mailboxes.pin", exchangeId, row: extensionId };
}

type MailboxChange = { exchangeId: number; number: string; changes: Changes<typeof mailbox> };

export async function setMailbox(
  db: Db,
  secrets: Secrets,
  { exchangeId, number, changes }: MailboxChange,
): Promise<boolean> {
  const { pin, ...others } = changes;
  if (pin === undefined || pin === null) return writeMailbox(db, { exchangeId, number, changes });
  return sealing(db, secrets, async (db, seal) => {
    const [extension] = await db.query<{ id: number }>(
      sql`select id from extensions where exchange_id = $1 and number = $2`,
      [exchangeId, number],
    );
    if (!extension) return false;
    const sealed = seal(pinOf(exchangeId, extension.id), pin);
    return writeMailbox(db, { exchangeId, number, changes: { ...others, pin: sealed } });
  });
}

async function writeMailbox(db: Db, { exchangeId, number, changes }: MailboxChange): Promise<boolean> {
  const { names, places, values } = assignments(mailbox, changes, 3);
  // What was said last holds: a recording of its owner's would go before it.
  const says = changes.greeting_text !== undefined || changes.greeting_announcement_id !== undefined;
  const updates = joined(
    [
      ...names.map((name) => sql`${name} = excluded.${name}`),
      ...(says ? [sql`greeting_object_key = null`] : []),
      ...(changes.pin === undefined ? [] : [sql`wrong_pins = 0, pins_closed_until = null`]),
    ],
    ", ",
  );
  const written = await db.query(
    sql`insert into mailboxes (${joined([sql`exchange_id, extension_id`, ...names], ", ")})
     select ${joined([sql`exchange_id, id`, ...places], ", ")} from extensions
     where exchange_id = $1 and number = $2
     on conflict (extension_id) do update set ${names.length > 0 ? updates : sql`active = true`}
     returning extension_id`,
    [exchangeId, number, ...values],
  );
  return written.length > 0;
}

/** The recording that took this one's place is no longer needed: its key is returned. A null goes back to the default. */
export function setRecordedGreeting(
  db: Db,
  { exchangeId, extensionId, objectKey }: { exchangeId: number; extensionId: number; objectKey: string | null },
): Promise<string | undefined> {
  return db.transaction(async (db) => {
    const [before] = await db.query<{ objectKey: string | null }>(
      sql`select greeting_object_key as "objectKey" from mailboxes where exchange_id = $1 and extension_id = $2 for update`,
      [exchangeId, extensionId],
    );
    // Whoever speaks a greeting has not switched his mailbox on by it.
    await db.query(
      sql`insert into mailboxes (exchange_id, extension_id, active, greeting_object_key) values ($1, $2, false, $3)
       on conflict (extension_id) do update set greeting_object_key = excluded.greeting_object_key
         where mailboxes.exchange_id = excluded.exchange_id`,
      [exchangeId, extensionId, objectKey],
    );
    return before?.objectKey ?? undefined;
  });
}

export async function keepMessage(db: Db, message: NewMessage): Promise<void> {
  await db.query(
    sql`insert into voicemail_messages (uuid, exchange_id, extension_id, caller_id_number, caller_id_name, start_stamp,
       duration_seconds, object_key, media_type)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'audio/wav') on conflict (uuid) do nothing`,
    [
      ...[message.uuid, message.exchangeId, message.extensionId, message.callerIdNumber, message.callerIdName],
      ...[new Date(message.startMs), message.durationSeconds, message.objectKey],
    ],
  );
}

/** Unheard ones first, the oldest first among equals: the order in which their owner hears them. */
export function messagesOf(db: Db, extensionId: number): Promise<HeardMessage[]> {
  return db.query<HeardMessage>(
    sql`select uuid, caller_id_number as "callerIdNumber", start_stamp as "startStamp", read_stamp is null as unread,
       object_key as "objectKey"
     from voicemail_messages where extension_id = $1 and deleted_at is null
     order by read_stamp is not null, start_stamp limit 100`,
    [extensionId],
  );
}

export async function deleteMessage(db: Db, extensionId: number, uuid: string): Promise<void> {
  await db.query(sql`update voicemail_messages set deleted_at = now() where extension_id = $1 and uuid = $2`, [
    extensionId,
    uuid,
  ]);
}

export type MessageCounts = { exchangeId: number; extension: string; unheard: number; heard: number };

/** Of one extension ("101/1000"), or of all that have any. */
export function countMessages(db: Db, only?: { exchangeId: number; extension: string }): Promise<MessageCounts[]> {
  return db.query<MessageCounts>(
    sql`select e.exchange_id as "exchangeId", e.number as extension,
       count(*) filter (where m.read_stamp is null) as unheard, count(*) filter (where m.read_stamp is not null) as heard
     from voicemail_messages m join extensions e on e.id = m.extension_id
     where m.deleted_at is null and ($1::bigint is null or e.exchange_id = $1) and ($2::text is null or e.number = $2)
     group by e.exchange_id, e.number`,
    [only?.exchangeId ?? null, only?.extension ?? null],
  );
}
