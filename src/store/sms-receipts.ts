// Delivery receipts meet their messages: by the carrier's id of a part, or, where that was lost, by number and text.

import type { Db } from "./db.ts";
import { type Finished, settle } from "./sms-settlement.ts";
import { before, type FinalState } from "./sms-state.ts";
import { sql } from "./sql.ts";

export type HeardReceipt = {
  references: readonly string[];
  /** The recipient's number, as the carrier writes it. */
  from: string;
  state: FinalState;
  gsmError: number;
  textBegins: string | undefined;
};

type Hit = { messageId: number; place: number };
/** `fresh`: the first receipt for that part. */
type Found = Hit & { fresh: boolean };

/** Settles what it can and says which receipts found no message; a second receipt for a part changes nothing. */
export async function noteReceipts(
  db: Db,
  carrierId: number,
  receipts: readonly HeardReceipt[],
  now: Date,
): Promise<HeardReceipt[]> {
  return db.transaction(async (db) => {
    // Most carriers write an id the same way twice; only for the others are the further notations looked up.
    const plain = await hitParts(db, carrierId, receipts, (place) => receipts[place]!.references.slice(0, 1));
    const plainly = knownPlaces(plain, receipts);
    const further = await ofTheSame(
      db,
      receipts,
      await hitParts(db, carrierId, receipts, (place) => (plainly.has(place) ? [] : receipts[place]!.references)),
    );
    const known = new Set([...plainly, ...knownPlaces(further, receipts)]);
    const hits: Hit[] = [...plain, ...further].filter(({ fresh }) => fresh);
    const missed: HeardReceipt[] = [];
    for (const [place, receipt] of receipts.entries()) {
      if (known.has(place)) continue;
      const messageId = await uncertainMessage(db, carrierId, receipt);
      if (messageId === undefined) missed.push(receipt);
      else hits.push({ messageId, place });
    }
    await endMessages(db, hits, receipts, now);
    return missed;
  });
}

async function hitParts(
  db: Db,
  carrierId: number,
  receipts: readonly HeardReceipt[],
  namesOf: (place: number) => readonly string[],
): Promise<Found[]> {
  const flat = receipts.flatMap(({ state }, place) => namesOf(place).map((reference) => ({ place, reference, state })));
  if (flat.length === 0) return [];
  return db.query<Found>(
    sql`with heard as (
       select distinct on (p.message_id, p.part) p.message_id, p.part, h.place, h.state, p.state is null as fresh
       from unnest($2::int[], $3::text[], $4::text[]) as h (place, reference, state)
       join sms_parts p on p.carrier_id = $1 and p.carrier_reference = h.reference
       order by p.message_id, p.part, h.place),
     closed as (
       update sms_parts p set state = h.state from heard h
       where h.fresh and p.message_id = h.message_id and p.part = h.part and p.state is null)
     select message_id as "messageId", place, fresh from heard`,
    [carrierId, flat.map(({ place }) => place), flat.map(({ reference }) => reference), flat.map(({ state }) => state)],
  );
}

/**
 * In another notation an id may be that of a message which has long had its receipt, and was for somebody else: then this
 * one outran the answer to its own message, and waits for it.
 */
async function ofTheSame(db: Db, receipts: readonly HeardReceipt[], found: readonly Found[]): Promise<Found[]> {
  const seconds = found.filter(({ fresh }) => !fresh);
  if (seconds.length === 0) return [...found];
  const rows = await db.query<{ id: number; dest: string }>(sql`select id, dest from sms_messages where id = any($1)`, [
    seconds.map(({ messageId }) => messageId),
  ]);
  const destOf = new Map(rows.map(({ id, dest }) => [id, dest.slice(-10)]));
  return found.filter(
    ({ fresh, messageId, place }) => fresh || destOf.get(messageId) === receipts[place]!.from.slice(-10),
  );
}

/** Of two receipts for one part in the same batch the later was swallowed above; it is known all the same. */
function knownPlaces(rows: readonly Hit[], receipts: readonly HeardReceipt[]): Set<number> {
  const places = new Set(rows.map(({ place }) => place));
  const known = new Set([...places].map((place) => receipts[place]!.references[0]));
  for (const [place, { references }] of receipts.entries()) if (known.has(references[0])) places.add(place);
  return places;
}

/** A message whose submit was never answered has no carrier id; its receipt may still be told by whom and what it is about. */
async function uncertainMessage(db: Db, carrierId: number, receipt: HeardReceipt): Promise<number | undefined> {
  if (!receipt.textBegins) return undefined;
  const found = await db.query<{ id: number }>(
    sql`select id from sms_messages where carrier_id = $1 and state = 'uncertain'
       and right(dest, 10) = right($2, 10) and starts_with(text, $3) limit 2`,
    [carrierId, receipt.from, receipt.textBegins.trimEnd()],
  );
  return found.length === 1 ? found[0]!.id : undefined;
}

/** A message is delivered when its last part is, and has failed with the first part that fails. */
async function endMessages(db: Db, hits: readonly Hit[], receipts: readonly HeardReceipt[], now: Date): Promise<void> {
  if (hits.length === 0) return;
  const heard = new Map<number, { delivered: number; failed: HeardReceipt | undefined }>();
  for (const { messageId, place } of hits) {
    const receipt = receipts[place]!; // the places were counted out of this list
    const sum = heard.get(messageId) ?? { delivered: 0, failed: undefined };
    if (receipt.state === "DELIVERED") sum.delivered++;
    else sum.failed ??= receipt;
    heard.set(messageId, sum);
  }
  const sums = [...heard.values()];
  const ended = await db.query<Finished & { ended: boolean }>(
    sql`update sms_messages m set parts_open = m.parts_open - h.delivered,
       state = case when h.state is not null then h.state
         when m.parts_open - h.delivered <= 0 then 'DELIVERED' else m.state end,
       gsm_error = h.gsm_error,
       done_at = case when h.state is not null or m.parts_open - h.delivered <= 0 then $5::timestamptz end
     from unnest($1::bigint[], $2::int[], $3::text[], $4::int[]) as h (id, delivered, state, gsm_error)
     where m.id = h.id and m.id = any($1) and m.${before("receipt")}
     returning m.id, m.account_id as "accountId", m.campaign_id as "campaignId", m.exchange_id as "exchangeId", m.credits,
       true as charged, m.done_at is not null as ended`,
    [
      [...heard.keys()],
      sums.map(({ delivered }) => delivered),
      sums.map(({ failed }) => failed?.state ?? null),
      sums.map(({ failed }) => failed?.gsmError ?? null),
      now,
    ],
  );
  await settle(
    db,
    ended.filter(({ ended }) => ended),
    now,
  );
}

/** Some carriers send the receipt before they answer the submit: it waits here until its message is known. */
export async function keepStrayReceipts(db: Db, carrierId: number, strays: readonly HeardReceipt[], now: Date) {
  for (const { references, from, textBegins, state, gsmError } of strays)
    await db.query(
      sql`insert into sms_stray_receipts
         (carrier_id, carrier_references, source_addr, text_begins, state, gsm_error, received_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [carrierId, references, from, textBegins ?? null, state, gsmError, now],
    );
}

export async function takeStrayReceipts(
  db: Db,
  carrierId: number,
  references: readonly string[],
): Promise<HeardReceipt[]> {
  const rows = await db.query<Omit<HeardReceipt, "textBegins"> & { textBegins: string | null }>(
    sql`delete from sms_stray_receipts where carrier_id = $1 and carrier_references && $2::text[]
     returning carrier_references as "references", source_addr as "from", state, gsm_error as "gsmError",
       text_begins as "textBegins"`,
    [carrierId, references],
  );
  return rows.map((row) => ({ ...row, textBegins: row.textBegins ?? undefined }));
}

export async function hasStrayReceipts(db: Db, carrierId: number): Promise<boolean> {
  const [row] = await db.query<{ any: boolean }>(
    sql`select exists (select from sms_stray_receipts where carrier_id = $1) as any`,
    [carrierId],
  );
  return row!.any; // a select without a source has its row
}

export async function forgetStrayReceipts(db: Db, olderThan: Date): Promise<void> {
  await db.query(sql`delete from sms_stray_receipts where received_at < $1`, [olderThan]);
}
