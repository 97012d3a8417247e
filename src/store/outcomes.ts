// What became of a call, out of its record: one expression for lists, their tables and whatever is counted from records.
// `call_parts` of the migrations counts by the same.

import { sql } from "./sql.ts";

/**
 * The record has an answer of a mailbox or of a fax machine as well: a person is an extension that picked up, or
 * somebody outside, whose leg was answered beside the caller's.
 */
export const TAKEN = sql`(cdrs.answer_stamp is not null and (cdrs.connected_user <> '' or
  (select count(*) from cdr_legs where cdr_legs.call_uuid = cdrs.call_uuid and cdr_legs.answer_stamp is not null) > 1))`;

/**
 * Whole seconds from when it began until the answer, or until its end: with every menu, announcement and queue on the
 * way. Rounded as the record's other seconds are.
 */
export const WAITED = sql`greatest(0, floor(date_part('epoch',
  coalesce(cdrs.answer_stamp, cdrs.end_stamp) - cdrs.start_stamp) + 0.5)::int)`;

/** One of src/nouns/outcome.ts. Legs are looked at only where the record's own columns do not say it. */
export const OUTCOME = sql`(case
  when cdrs.answer_stamp is not null then case when ${TAKEN} then 'answered' else 'system' end
  when not cdrs.missed then 'refused' when cdrs.direction = 'inbound' then 'missed' else 'unanswered' end)`;

/** Of callers from outside alone: nobody and nothing answered, and we had not refused them. */
export const MISSED = sql`(cdrs.direction = 'inbound' and cdrs.missed)`;
