// What the web phone looks up: people who can be called, and the calls that its extension has made and missed.

import type { Language } from "../languages.ts";
import type { Db } from "./db.ts";
import { inOrder } from "./order-of-words.ts";
import { sql } from "./sql.ts";

export type Person = { number: string; name: string; kind: "extension" | "contact" };

/**
 * Extensions first, those whose number begins with what is sought before the others. A search finds parts of names, with
 * or without the letters of one's language, and of numbers.
 */
export function findPeople(
  db: Db,
  { exchangeId, search, most, language }: { exchangeId: number; search: string; most: number; language: Language },
): Promise<Person[]> {
  return db.query<Person>(
    sql`(select number, name, 'extension' as kind from extensions
      where exchange_id = $1 and active and (number like $3 or search_form(name) like search_pattern($2))
      order by number like $3 desc,
        ${inOrder(sql`case when number like $3 then '' else name end`, language)}, length(number), number limit $4)
     union all
     (select phone as number, trim(name || ' ' || surname) as name, 'contact' as kind from contacts
      where exchange_id = $1 and phone <> '' and ($2 = '' or id in (select matching_contacts($1, $2, null)))
      order by ${inOrder(sql`contacts.name`, language)}, ${inOrder(sql`surname`, language)}, id limit $4)`,
    [exchangeId, search, `${escaped(search)}%`, most],
  );
}

export type RecentCall = {
  number: string;
  name: string;
  direction: "in" | "out";
  missed: boolean;
  at: Date;
  talkSeconds: number;
};

/** Newest first. */
export function recentCalls(
  db: Db,
  { exchangeId, extension, most }: { exchangeId: number; extension: string; most: number },
): Promise<RecentCall[]> {
  return db.query<RecentCall>(
    sql`(select destination_number as number, destination_name as name, 'out' as direction, false as missed,
        start_stamp as at, talk_seconds as "talkSeconds"
      from cdrs where exchange_id = $1 and caller_id_number = $2 and not listening order by start_stamp desc limit $3)
     union all
     (select caller_id_number as number, caller_id_name as name, 'in' as direction,
        connected_user is distinct from $2 as missed, start_stamp as at, talk_seconds as "talkSeconds"
      from (select * from cdrs where exchange_id = $1 and not listening order by start_stamp desc limit $4) newest
      where (dialed_user = $2 or connected_user = $2) and caller_id_number <> $2 order by start_stamp desc limit $3)
     order by at desc limit $3`,
    [exchangeId, extension, most, NEWEST],
  );
}

/** Calls to an extension through queues and groups have no index: they are looked for among so many of the newest. */
const NEWEST = 2_000;

function escaped(search: string): string {
  return search.replace(/[\\%_]/g, "\\$&");
}
