// Contacts whose day it is: each occasion of each contact is planned once a day, and the primary key sees to it.

import type { Changes } from "../nouns/field.ts";
import { specialDays } from "../nouns/special-days.ts";
import type { Db } from "./db.ts";
import { sql } from "./sql.ts";
import { assignments } from "./update.ts";

export type SpecialDaySettings = {
  exchangeId: number;
  timeZone: string;
  username: string;
  titleId: number;
  titleName: string;
  /** `HH:MM:SS` of the exchange's own clock. */
  at: string;
  birthdayMessage: string;
  weddingMessage: string;
  /** Set where the messages are commercial: then only those who consented get one. */
  recipientType: string | null;
};

export type NewSpecialDaySettings = { exchangeId: number; accountId: number; titleId: number } & Changes<
  typeof specialDays
>;

/** Messages are commercial only where it is said again. */
export async function setSpecialDays(
  db: Db,
  { exchangeId, accountId, titleId, ...changes }: NewSpecialDaySettings,
): Promise<void> {
  await db.query(
    sql`insert into special_day_settings (exchange_id, account_id, title_id) values ($1, $2, $3)
     on conflict (exchange_id) do update set account_id = $2, title_id = $3`,
    [exchangeId, accountId, titleId],
  );
  const { list, values } = assignments(specialDays, { recipientType: null, ...changes }, 2);
  await db.query(sql`update special_day_settings set ${list} where exchange_id = $1`, [exchangeId, ...values]);
}

/** Of the exchanges whose switch is on. */
export function listSpecialDaySettings(db: Db): Promise<SpecialDaySettings[]> {
  return db.query<SpecialDaySettings>(
    sql`select s.exchange_id as "exchangeId", e.time_zone as "timeZone", a.username, s.title_id as "titleId",
       t.name as "titleName", s.at, s.birthday_message as "birthdayMessage", s.wedding_message as "weddingMessage",
       s.recipient_type as "recipientType"
     from special_day_settings s join exchanges e on e.id = s.exchange_id join sms_accounts a on a.id = s.account_id
     join sms_titles t on t.id = s.title_id
     where e.special_day_messages order by s.exchange_id`,
  );
}

export type Occasion = "birthday" | "weddingday" | "monthly";

export type Greeted = {
  contactId: number;
  occasion: Occasion;
  name: string;
  surname: string;
  phone: string;
  monthly: string;
};

export type DayToPlan = {
  exchangeId: number;
  day: string;
  anniversaries: readonly string[];
  monthDays: readonly number[];
};

/** Writes down whom to greet and returns only those nobody had written down for this day yet. */
export function planDay(db: Db, { exchangeId, day, anniversaries, monthDays }: DayToPlan): Promise<Greeted[]> {
  return db.query<Greeted>(
    sql`with due as (
       select c.id, o.occasion from contacts c
       cross join lateral (values
         ('birthday', c.birthday_sms and to_char(c.birthday, 'MM-DD') = any($3)),
         ('weddingday', c.weddingday_sms and to_char(c.weddingday, 'MM-DD') = any($3)),
         ('monthly', c.monthly_sms_day = any($4) and c.monthly_sms_message is not null)) as o (occasion, today)
       where c.exchange_id = $1 and o.today),
     planned as (
       insert into special_days_planned (exchange_id, contact_id, occasion, day)
       select $1, id, occasion, $2 from due on conflict do nothing returning contact_id, occasion)
     select p.contact_id as "contactId", p.occasion, c.name, c.surname, c.phone,
       coalesce(c.monthly_sms_message, '') as monthly
     from planned p join contacts c on c.id = p.contact_id order by p.contact_id, p.occasion`,
    [exchangeId, day, anniversaries, monthDays],
  );
}

export async function forgetPlannedDays(db: Db, before: string): Promise<void> {
  await db.query(sql`delete from special_days_planned where day < $1`, [before]);
}
