// What the conformance rows speak of: calls, recordings, messages and sounds in two exchanges that share a server.

import { randomUUID } from "node:crypto";
import type { HttpServerOptions } from "../../src/http/server.ts";
import type { Db } from "../../src/store/db.ts";
import { sql } from "../../src/store/sql.ts";
import { httpTown } from "./http-town.ts";

export async function exchangeWorld(options: Partial<HttpServerOptions> = {}) {
  const town = await httpTown(options);
  const ours = { ...town.ours, ...(await fill(town.db, town.ours.id, town.objects)) };
  const theirs = { ...town.theirs, ...(await fill(town.db, town.theirs.id, town.objects)) };
  return { ...town, ours, theirs };
}

export type World = Awaited<ReturnType<typeof exchangeWorld>>;

export const AUDIO = Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 251));

async function fill(db: Db, exchangeId: number, objects: Awaited<ReturnType<typeof httpTown>>["objects"]) {
  const [answered, missed, campaign, deleted] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()] as const;
  const [unheard, heard] = [randomUUID(), randomUUID()] as const;
  await db.query(
    sql`insert into cdrs (exchange_id, call_uuid, direction, origin, start_stamp, answer_stamp, end_stamp,
       caller_id_number, caller_id_name, destination_number, destination_name, duration_seconds, talk_seconds, queue,
       queue_wait_seconds, missed, return_uuid, recording, sip_hangup_disposition, hangup_cause)
     values
       ($1, $2, 'inbound', 'phone', '2017-08-03 09:30:32Z', '2017-08-03 09:30:38Z', '2017-08-03 09:31:13Z',
        '03121234567', 'Ayşe', '902129876543', 'DAHİLİ-1000', 41, 35, '200', 4, false, null, 'present', 'caller', 'NORMAL_CLEARING'),
       ($1, $3, 'inbound', 'phone', '2017-08-04 09:30:32.750Z', null, '2017-08-04 09:31:02Z',
        '05321234567', '', '902129876543', '', 30, 0, '700', 0, true, $4, 'none', 'caller', 'ORIGINATOR_CANCEL'),
       ($1, $4, 'outbound', 'campaign', '2017-08-05 09:30:32Z', null, '2017-08-05 09:31:02Z',
        '902129876543', '', '905321234567', '', 3730, 0, null, 0, false, null, 'none', 'callee', 'USER_BUSY'),
       ($1, $5, 'internal', 'phone', '2017-08-06 09:30:32Z', '2017-08-06 09:30:33Z', '2017-08-06 09:31:02Z',
        '1000', 'DAHİLİ-1000', '1002', 'DAHİLİ-1002', 30, 29, null, 0, false, null, 'deleted', 'callee', 'NORMAL_CLEARING')`,
    [exchangeId, answered, missed, campaign, deleted],
  );
  await db.query(
    sql`insert into cdr_legs (call_uuid, position, destination_number, start_stamp, answer_stamp, end_stamp, ip_address,
       sip_user_agent, write_codec, read_codec, hangup_cause)
     values ($1, 1, '1001', '2017-08-03 09:30:34Z', null, '2017-08-03 09:30:36Z', '192.0.2.9', 'Phone/1', '', '', 'NO_ANSWER'),
            ($1, 2, '1000', '2017-08-03 09:30:36Z', '2017-08-03 09:30:38Z', '2017-08-03 09:31:13Z', '192.0.2.10',
             'Phone/1', 'PCMA', 'PCMA', 'NORMAL_CLEARING')`,
    [answered],
  );
  await objects.put(`recordings/${answered}.mp3`, { bytes: AUDIO });
  await db.query(
    sql`insert into recordings (call_uuid, exchange_id, object_key, media_type) values ($1, $2, $3, 'audio/mpeg')`,
    [answered, exchangeId, `recordings/${answered}.mp3`],
  );
  for (const [uuid, read] of [
    [unheard, null],
    [heard, "2017-08-10 10:00:00Z"],
  ] as const) {
    await objects.put(`voicemail/${uuid}.wav`, { bytes: AUDIO });
    await db.query(
      sql`insert into voicemail_messages (uuid, exchange_id, extension_id, caller_id_number, caller_id_name, start_stamp,
         read_stamp, duration_seconds, object_key, media_type)
       select $1, $2, id, '05321234567', 'Mehmet', '2017-08-09 21:15:00Z', $3, 95, $4, 'audio/wav'
       from extensions where exchange_id = $2 and number = '1000'`,
      [uuid, exchangeId, read, `voicemail/${uuid}.wav`],
    );
  }
  const [sound] = await db.query<{ id: number }>(
    sql`insert into announcements (exchange_id, name, object_key) values ($1, 'Hoşgeldiniz', 'sounds/none.wav') returning id`,
    [exchangeId],
  );
  const [group] = await db.query<{ id: number }>(
    sql`insert into contact_groups (exchange_id, name) values ($1, 'Müşteriler') returning id`,
    [exchangeId],
  );
  const [contact] = await db.query<{ id: number }>(
    sql`insert into contacts (exchange_id, name, surname, phone) values ($1, 'Fatma', 'Demir', '05531112233') returning id`,
    [exchangeId],
  );
  await db.query(sql`insert into blocked_numbers (exchange_id, number) values ($1, '905539998877')`, [exchangeId]);
  const calls = { answered, missed, campaign, deleted };
  return { calls, messages: { unheard, heard }, soundId: sound!.id, groupId: group!.id, contactId: contact!.id };
}
