// Looking for a part of a name or number in everything an exchange has: people, places, numbers and calls.

import type { Language } from "../languages.ts";
import type { Direction } from "./cdrs.ts";
import type { Db } from "./db.ts";
import { inOrder } from "./order-of-words.ts";
import { type Scope, type Within, withinOf } from "./scope.ts";
import { isSeen, newestSeen } from "./seen-calls.ts";
import { CALL_IN_WORDS } from "./sought-calls.ts";
import { sql } from "./sql.ts";

export type FoundPlace = {
  is: "extension" | "queue" | "group" | "menu" | "number" | "trunk";
  number: string;
  name: string;
};
export type FoundPerson = { id: number; name: string; surname: string; company: string; phone: string };
export type FoundCall = {
  callUuid: string;
  direction: Direction;
  startStamp: Date;
  caller: string;
  callerName: string;
  destination: string;
  destinationName: string;
};

export type Found = { places: FoundPlace[]; people: FoundPerson[]; calls: FoundCall[] };

/** Of calls, by whoever sees some of them. */
const MOST_LOOKED_AT = 300;

/** Fewer letters than this are in nearly every call. */
const FEWEST_LETTERS = 3;

/** What somebody may look for: kinds that he lists on a page of their own, and how far he sees. */
export type Looking = { setup: boolean; queues: boolean; people: boolean; calls: boolean; scope: Scope };

export async function searchEverywhere(
  db: Db,
  exchangeId: number,
  { about, most, may, language }: { about: string; most: number; may: Looking; language: Language },
): Promise<Found> {
  const isLong = about.length >= FEWEST_LETTERS;
  const [places, people, calls] = await Promise.all([
    findPlaces(db, exchangeId, { about, most, may, language }),
    isLong && may.people ? findPeople(db, exchangeId, { about, most, language }) : [],
    isLong && may.calls ? findCalls(db, exchangeId, { about, most, within: withinOf(may.scope) }) : [],
  ]);
  return { places, people, calls };
}

/** Numbers that begin with it first, then by name. */
function findPlaces(
  db: Db,
  exchangeId: number,
  {
    about,
    most,
    may: { setup, queues, scope },
    language,
  }: { about: string; most: number; may: Looking; language: Language },
): Promise<FoundPlace[]> {
  const seen = withinOf(scope)?.queues ?? null;
  return db.query<FoundPlace>(
    sql`select "is", number, name from (
       select 'extension' as "is", number, name from extensions where exchange_id = $1 and $4
       union all select 'queue', number, name from queues
         where exchange_id = $1 and $5 and ($6::text[] is null or number = any($6))
       union all select 'group', number, name from ring_groups where exchange_id = $1 and $4
       union all select 'menu', number, name from menus where exchange_id = $1 and $4
       union all select 'number', number, description from external_numbers where exchange_id = $1 and $4
       union all select 'trunk', '', name from trunks where exchange_id = $1 and $4) as place
     where search_form(number || ' ' || name) like search_pattern($2)
     order by (number || ' ' like search_form($2) || '%') desc, ${inOrder(sql`name`, language)}, number limit $3`,
    [exchangeId, about, most, setup, queues, seen],
  );
}

/** Whose name begins with it first. */
function findPeople(
  db: Db,
  exchangeId: number,
  { about, most, language }: { about: string; most: number; language: Language },
): Promise<FoundPerson[]> {
  return db.query<FoundPerson>(
    sql`select id, coalesce(name, '') as name, coalesce(surname, '') as surname,
       coalesce(company_name, '') as company, coalesce(phone, '') as phone
     from contacts where exchange_id = $1 and id in (select matching_contacts($1, $2, 200))
     order by search_form(coalesce(name, '')) like search_form($2) || '%' desc,
       ${inOrder(sql`coalesce(name, '')`, language)}, ${inOrder(sql`coalesce(surname, '')`, language)}, id
     limit $3`,
    [exchangeId, about, most],
  );
}

function findCalls(
  db: Db,
  exchangeId: number,
  { about, most, within }: { about: string; most: number; within: Within | undefined },
): Promise<FoundCall[]> {
  const values = [exchangeId, about, most, ...(within ? [JSON.stringify(within), MOST_LOOKED_AT] : [])];
  // The newest that match may all be others': who sees some finds what is rare, and what is among his own newest.
  const seen = sql`$4`;
  const own = newestSeen(seen, { where: sql`cdrs.exchange_id = $1 and not cdrs.listening`, most: sql`$5` });
  const wanted = within
    ? sql`id = any(array(
        select id from cdrs where id in (select matching_calls($1, $2, null, null, $5)) and ${isSeen(seen)}
        union all select cdrs.id from ${own} as own join cdrs using (id) where ${CALL_IN_WORDS} like search_pattern($2)))`
    : sql`id in (select matching_calls($1, $2, null, null, $3))`;
  return db.query<FoundCall>(
    sql`select call_uuid as "callUuid", direction, start_stamp as "startStamp", caller_id_number as caller,
       caller_id_name as "callerName", destination_number as destination, destination_name as "destinationName"
     from cdrs where exchange_id = $1 and ${wanted}
     order by start_stamp desc, id desc limit $3`,
    values,
  );
}
