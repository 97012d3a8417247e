// A town's rows in the real database: what its setup says, written as the exchange reads it.

import type { Db } from "../../src/store/db.ts";
import { joined, place, quoted, type Sql, sql } from "../../src/store/sql.ts";
import { OWN_NUMBER, type TownSetup, usualQueue } from "./town-setup.ts";

const DOMAIN = "town.example";

/** Sounds of the setup have small numbers; in the database theirs is made of the exchange's, since towns share it. */
const soundId = (exchangeId: number, sound: number | null | undefined) =>
  sound === null || sound === undefined ? null : exchangeId * 1_000 + sound;

/** A sound's file, by the number that the setup or a target gave it. */
export function soundFile(exchangeId: number, id: number): string | undefined {
  const sound = id > exchangeId * 1_000 ? id - exchangeId * 1_000 : id;
  return sound < 100 ? `/sounds/${sound}.wav` : undefined;
}

export type TownRows = { exchangeId: number; extensionIds: ReadonlyMap<string, number> };

/** One town at a time: the one before it gives up its domain and its number. */
export function writeTown(db: Db, setup: TownSetup): Promise<TownRows> {
  return db.transaction(async (db) => {
    await db.query(sql`delete from exchanges where sip_domain = $1`, [DOMAIN]);
    const exchangeId = await put(db, sql`exchanges`, {
      name: "Town",
      sipDomain: DOMAIN,
      crmSecret: "unsealed",
      recordInternal: true,
      programUrl: "http://service.example/program",
      programSpareTarget: "user/1001",
      ...setup.exchange,
    });
    const of = (row: object) => ({ ...row, exchangeId });
    const extensionIds = await writeDesks(db, exchangeId, setup);
    await put(db, sql`external_numbers`, of({ number: OWN_NUMBER, ...ownNumber(setup) }));
    for (const { prefix, minutePrice } of setup.rates ?? [])
      await put(db, sql`call_rates`, of({ prefix, minutePrice }));
    for (const number of setup.blocked ?? [])
      for (const direction of ["inbound", "outbound"]) await put(db, sql`blocked_numbers`, of({ number, direction }));
    for (const [phone, name] of Object.entries(setup.contacts ?? {})) {
      const [first = "", ...others] = name.split(" ");
      await put(db, sql`contacts`, of({ name: first, surname: others.join(" "), phone }));
    }
    await writeHolidays(db, exchangeId, setup);
    await writePlaces(db, { exchangeId, extensionIds }, setup);
    return { exchangeId, extensionIds };
  });
}

async function writeDesks(db: Db, exchangeId: number, setup: TownSetup): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const [number, { hasMailbox = false, ...more }] of Object.entries(setup.desks ?? {})) {
    const row = { number, name: `Desk ${number}`, ha1Md5: "none", ha1Sha256: "none", ...more, exchangeId };
    const extensionId = await put(db, sql`extensions`, row);
    ids.set(number, extensionId);
    const pin = setup.pin ?? null;
    const greetingObjectKey = setup.greetings?.[number] ?? null;
    if (hasMailbox || pin !== null || greetingObjectKey !== null) {
      const mailbox = { extensionId, active: hasMailbox, maxSeconds: 60, pin, greetingObjectKey };
      await put(db, sql`mailboxes`, { ...mailbox, exchangeId });
    }
  }
  for (const [number, messages] of Object.entries(setup.messages ?? {}))
    for (const { unread, ...message } of messages)
      await put(db, sql`voicemail_messages`, {
        ...message,
        extensionId: ids.get(number),
        durationSeconds: 5,
        mediaType: "audio/wav",
        readStamp: unread ? null : message.startStamp,
        exchangeId,
      });
  return ids;
}

function ownNumber({ target = "user/1000", closedTarget, ownNumber = {} }: TownSetup): object {
  const { hours, ...others } = ownNumber;
  return { target, closedTarget, officeHours: hours, ...others };
}

/** Without a day it is every day of the month in which the towns' clocks begin. */
async function writeHolidays(db: Db, exchangeId: number, { holiday }: TownSetup): Promise<void> {
  if (!holiday) return;
  const { description, target, day } = holiday;
  await db.query(
    sql`insert into holidays (exchange_id, description, target, day)
     select $1, $2, $3, day from generate_series($4::date, $5::date, '1 day') as day`,
    [exchangeId, description, target, day ?? "2026-01-01", day ?? "2026-01-31"],
  );
}

async function writePlaces(db: Db, { exchangeId, extensionIds }: TownRows, setup: TownSetup): Promise<void> {
  const sounds = new Set<number>();
  const sound = async (number: number | null | undefined) => {
    const id = soundId(exchangeId, number);
    if (id === null || sounds.has(id)) return id;
    sounds.add(id);
    return put(db, sql`announcements`, { id, exchangeId, name: `sound ${number}`, objectKey: `sounds/${number}.wav` });
  };
  for (const [number, { welcomeAnnouncementId = 1, ...more }] of Object.entries(setup.menus ?? {})) {
    const welcome = await sound(welcomeAnnouncementId);
    const row = { number, name: "menu", retries: 1, ...more, welcomeAnnouncementId: welcome, exchangeId };
    await put(db, sql`menus`, row);
  }
  for (const [number, { members, ...more }] of Object.entries(setup.groups ?? {})) {
    const groupId = await put(db, sql`ring_groups`, { number, name: "group", ringSeconds: 10, ...more, exchangeId });
    for (const [position, member] of members.entries()) {
      const who =
        "extension" in member
          ? { extensionId: extensionIds.get(member.extension) }
          : { externalNumber: member.external };
      await put(db, sql`ring_group_members`, { groupId, position, ...who, exchangeId });
    }
  }
  for (const [number, given] of Object.entries(setup.queues ?? {})) {
    const { members, musicSound, waitingSound, agentSound, ...more } = usualQueue(number, given);
    const musicAnnouncementId = await sound(musicSound);
    const waitingAnnouncementId = await sound(waitingSound);
    const agentAnnouncementId = await sound(agentSound);
    const heard = { musicAnnouncementId, waitingAnnouncementId, agentAnnouncementId };
    const queueId = await put(db, sql`queues`, { ...more, ...heard, exchangeId });
    for (const [position, member] of members.entries()) {
      const extensionId = extensionIds.get(member);
      await put(db, sql`queue_members`, { queueId, extensionId, position, exchangeId });
      await db.query(
        sql`insert into agent_states (exchange_id, extension_id, status) values ($1, $2, 'AVAILABLE')
         on conflict (extension_id) do nothing`,
        [exchangeId, extensionId],
      );
    }
  }
}

/** A row by its fields as the code names them; what is undefined is left to the column. Its id, where it has one. */
async function put(db: Db, table: Sql, row: Record<string, unknown> & { exchangeId?: number }): Promise<number> {
  const given = Object.entries(row).filter(([, value]) => value !== undefined);
  const names = joined(
    given.map(([name]) => quoted(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))),
    ", ",
  );
  const places = joined(
    given.map((_, index) => place(index + 1)),
    ", ",
  );
  const values = given.map(([, value]) => value);
  const [made] = await db.query<{ id?: number }>(
    sql`insert into ${table} (${names}) values (${places}) returning *`,
    values,
  );
  return made?.id ?? 0;
}
