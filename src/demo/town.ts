// The cast of a demo: the exchange's own extensions, queues and numbers, and people outside who call again and again.

import type { Db } from "../store/db.ts";
import { listExtensions } from "../store/extensions.ts";
import { listExternalNumbers } from "../store/external-numbers.ts";
import { listQueueMembers, listQueues } from "../store/queues.ts";
import { sql } from "../store/sql.ts";
import type { Town } from "./calls.ts";
import { type Person, personOf } from "./people.ts";

/** Callers there are at least, whoever of them is in the telephone book. */
const FEWEST_PEOPLE = 3_000;

/** Nothing when the exchange has nobody who could be called. */
export async function townOf(db: Db, exchangeId: number, { seed, contacts }: { seed: string; contacts: number }) {
  const [extensions, queues, numbers] = await Promise.all([
    listExtensions(db, exchangeId),
    listQueues(db, exchangeId),
    listExternalNumbers(db, exchangeId),
  ]);
  if (extensions.length === 0 || numbers.length === 0) return undefined;
  const staffed = [];
  for (const { number } of queues) {
    const members = await listQueueMembers(db, exchangeId, number);
    staffed.push({ number, members: members.map(({ extension, name }) => ({ number: extension, name })) });
  }
  const people = Array.from({ length: Math.max(contacts, FEWEST_PEOPLE) }, (_, index) => personOf(seed, index));
  const town: Town = {
    extensions: extensions.map(({ number, name }) => ({ number, name })),
    queues: staffed,
    numbers: numbers.map(({ number }) => number),
    somebody: (chance) => {
      const index = Math.floor(people.length * chance.next() ** 2); // a few call often, most of them rarely
      return { ...people[index]!, known: index < contacts }; // the index stays below the length
    },
  };
  return town;
}

const AT_ONCE = 2_000;

/** The first people of the seed, as contacts; those who are there already are left alone. */
export async function fillTelephoneBook(
  db: Db,
  {
    exchangeId,
    seed,
    count,
    progress,
  }: { exchangeId: number; seed: string; count: number; progress(done: number): void },
): Promise<number> {
  let added = 0;
  for (let from = 0; from < count; from += AT_ONCE) {
    const people = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => personOf(seed, from + index));
    added += await addPeople(db, exchangeId, people);
    progress(from + people.length);
  }
  return added;
}

async function addPeople(db: Db, exchangeId: number, people: Person[]): Promise<number> {
  const rows = await db.query(
    sql`insert into contacts (exchange_id, name, surname, company_name, gender, phone, email)
     select $1, name, surname, company, gender, phone, email
     from jsonb_to_recordset($2::jsonb)
       as person (name text, surname text, company text, gender text, phone text, email text)
     where not exists (select 1 from contacts where exchange_id = $1 and contacts.phone = person.phone
       and contacts.email = person.email)
     returning id`,
    [exchangeId, JSON.stringify(people)],
  );
  return rows.length;
}
