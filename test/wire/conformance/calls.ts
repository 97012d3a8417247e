// Sections 1.3, 2.4, 2.5, 2.8 and 7: call records, recordings, voicemail and sounds.

import { expect } from "vitest";
import type { World } from "../exchange-world.ts";
import { form, jsonType, type Row } from "./row.ts";

type Cdrs = { cdrs: { call_uuid: string }[]; pagination: { total_count: number } };
const URL_FORM =
  /^http:\/\/127\.0\.0\.1:\d+\/recording\/R[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NUMBER = /^\d+$/;
const EXTENSIONS =
  "Sound file should have one of these extensions: wav mp3 wma m4a aac ac3 amr flac gsm mpeg mp1 mp2 ra spx ogg 3gp";
const unknown = "00000000-0000-4000-8000-000000000000";

export function callRows(world: World): Row[] {
  return [
    ...cdrRows(world),
    ...detailRows(world),
    ...recordingRows(world),
    ...voicemailRows(world),
    ...soundRows(world),
  ];
}

function cdrRows({ ours: { calls } }: World): Row[] {
  const found = (query: string, ...names: (keyof typeof calls)[]): Row => ({
    what: `records with ${query || "no filter"}`,
    ask: `GET /cdrs?${query}`,
    shows: ({ cdrs, pagination }: Cdrs) => {
      expect(cdrs.map((it) => it.call_uuid)).toEqual(names.map((name) => calls[name]));
      expect(pagination.total_count).toBe(names.length);
    },
  });
  return [
    {
      what: "a call record has its keys in order",
      ask: "GET /cdrs?caller_id_number=03121234567",
      json: {
        cdrs: [
          {
            start_stamp: "2017-08-03 12:30:32 +0300",
            direction: "Gelen",
            caller_id_number: "03121234567",
            caller_id_name: "Ayşe",
            destination_number: "902129876543",
            destination_name: "DAHİLİ-1000",
            duration: "00:00:41",
            talk_duration: "00:00:35",
            queue_wait_seconds: "00:00:04",
            queue: "200",
            result: "Cevaplandı",
            missed: false,
            return_uuid: null,
            recording_present: "true",
            sip_hangup_disposition: "caller",
            call_uuid: calls.answered,
            answer_stamp: "2017-08-03 12:30:38 +0300",
            end_stamp: "2017-08-03 12:31:13 +0300",
          },
        ],
        pagination: { page: 1, total_count: 1, total_pages: 1, limit: 10 },
      },
    },
    {
      what: "labels: an unanswered campaign call",
      ask: "GET /cdrs?direction=outbound",
      shows: ({ cdrs }: Cdrs) =>
        expect(cdrs[0]).toMatchObject({
          direction: "Giden (IVR)",
          result: "Meşgul",
          answer_stamp: null,
          duration: "01:02:10",
          queue: null,
        }),
    },
    {
      what: "labels: a missed call and the one that returned it",
      ask: "GET /cdrs?missed=true",
      shows: ({ cdrs }: Cdrs) =>
        expect(cdrs[0]).toMatchObject({
          result: "Vazgeçildi",
          missed: true,
          return_uuid: calls.campaign,
          recording_present: "false",
          queue: "700",
        }),
    },
    {
      what: "labels: an internal call",
      ask: "GET /cdrs?direction=internal",
      shows: ({ cdrs }: Cdrs) =>
        expect(cdrs[0]).toMatchObject({ direction: "Santral içi", recording_present: "false" }),
    },
    found("", "deleted", "campaign", "missed", "answered"),
    found("direction=inbound", "missed", "answered"),
    found("direction=INBOUND&missed=false", "answered"),
    found("recording_present=true", "answered"),
    found("recording_present=deleted", "deleted"),
    found("recording_present=false", "deleted", "campaign", "missed"),
    found("caller_id_number=903121234567", "answered"),
    found("caller_id_number=+903121234567", "answered"),
    found("destination_number=05321234567", "campaign"),
    found("destination_number=1002", "deleted"),
    found("queue=200", "answered"),
    found("queue=Kuyruk%201", "answered"),
    found("queue=Sat%C4%B1%C5%9F", "missed"),
    found("queue=nowhere"),
    found("start_stamp_from=2017-08-04+09:30:32+UTC", "deleted", "campaign", "missed"),
    found("start_stamp_from=2017-08-04%2009:30:33%20UTC", "deleted", "campaign"),
    found("start_stamp_to=2017-08-04+09:30:32+UTC", "missed", "answered"),
    found("start_stamp_from=2017-08-04T12:30:00&start_stamp_to=2017-08-04T12:31:00", "missed"),
    found("start_stamp_from=2017-08-04T09:30:00Z&start_stamp_to=2017-08-04T09:31:00Z", "missed"),
    found("start_stamp_from=2017-08-04T12:30:00%2B03:00&start_stamp_to=2017-08-04T12:31:00+03:00", "missed"),
    found("start_stamp_from=2017-08-04T12:30:00%2B0300&start_stamp_to=2017-08-04%2012:31:00%20%2B0300", "missed"),
    found("start_stamp_from=2017-08-04&start_stamp_to=2017-08-05", "campaign", "missed"),
    found(
      "start_stamp_from=2016-01-01T00:00:00&start_stamp_to=2019-01-01T00:00:00",
      "deleted",
      "campaign",
      "missed",
      "answered",
    ),
    ...["soon", "2017-13-01", "2017-02-30", "2017-08-04 25:00:00", "20170804", "2017-08-04 10:00:00 MARS"].map(
      (stamp) => ({
        what: `the stamp ${stamp}`,
        ask: `GET /cdrs?start_stamp_from=${encodeURIComponent(stamp)}`,
        status: 400,
        text: "start_stamp_from is invalid",
      }),
    ),
    {
      what: "a second stamp that is none",
      ask: "GET /cdrs?start_stamp_to=x",
      status: 400,
      text: "start_stamp_to is invalid",
    },
    {
      what: "a direction that is none",
      ask: "GET /cdrs?direction=sideways",
      status: 400,
      text: "direction must be inbound or outbound or internal",
    },
    { what: "limit=9 on records", ask: "GET /cdrs?limit=9", status: 400, text: "limit must be between 10 and 100" },
    {
      what: "a page far away",
      ask: "GET /cdrs?page=1000000&limit=100",
      shows: (body: Cdrs) =>
        expect(body).toEqual({ cdrs: [], pagination: { page: 1000000, total_count: 4, total_pages: 1, limit: 100 } }),
    },
  ];
}

function detailRows({ ours: { calls } }: World): Row[] {
  const flow = [
    {
      destination_number: "1001",
      start_stamp: "2017-08-03 12:30:34 +0300",
      answer_stamp: null,
      end_stamp: "2017-08-03 12:30:36 +0300",
      duration: "00:00:02",
      ip_address: "192.0.2.9",
      sip_user_agent: "Phone/1",
      write_codec: "",
      read_codec: "",
      result: "Cevapsız",
    },
    {
      destination_number: "1000",
      start_stamp: "2017-08-03 12:30:36 +0300",
      answer_stamp: "2017-08-03 12:30:38 +0300",
      end_stamp: "2017-08-03 12:31:13 +0300",
      duration: "00:00:37",
      ip_address: "192.0.2.10",
      sip_user_agent: "Phone/1",
      write_codec: "PCMA",
      read_codec: "PCMA",
      result: "Cevaplandı",
    },
  ];
  const cdr = {
    direction: "Gelen",
    caller_id_number: "03121234567",
    destination_number: "902129876543",
    result: "Cevaplandı",
    sip_hangup_disposition: "caller",
    missed: false,
    return_uuid: null,
    call_uuid: calls.answered,
    start_stamp: "2017-08-03 12:30:32 +0300",
    answer_stamp: "2017-08-03 12:30:38 +0300",
    end_stamp: "2017-08-03 12:31:13 +0300",
    duration: "00:00:41",
    talk_duration: "00:00:35",
    queue_wait_seconds: "00:00:04",
    recording_present: "true",
  };
  return [
    { what: "one record and its way", ask: `GET /cdrs/${calls.answered}`, json: { cdr, call_flow: flow } },
    { what: "a uuid in capitals", ask: `GET /cdrs/${calls.answered.toUpperCase()}`, json: { cdr, call_flow: flow } },
    {
      what: "an unknown record",
      ask: `GET /cdrs/${unknown}`,
      status: 404,
      text: `cannot find call with call_uuid ${unknown}`,
    },
    {
      what: "a record that is no uuid",
      ask: "GET /cdrs/1234",
      status: 404,
      text: "cannot find call with call_uuid 1234",
    },
  ];
}

function recordingRows({ ours: { calls } }: World): Row[] {
  const missing = (uuid: string) => `cannot find call with call_uuid ${uuid}`;
  return [
    {
      what: "a recording's URL, call in the query",
      ask: `POST /recording_url?call_uuid=${calls.answered}`,
      text: URL_FORM,
    },
    { what: "with a trailing slash", ask: `POST /recording_url/?call_uuid=${calls.answered}`, text: URL_FORM },
    {
      what: "call in a form without a content type",
      ask: "POST /recording_url/",
      body: `call_uuid=${calls.answered}`,
      text: URL_FORM,
    },
    { what: "by GET", ask: `GET /recording_url?call_uuid=${calls.answered}`, text: URL_FORM },
    {
      what: "text for axios",
      ask: `POST /recording_url?call_uuid=${calls.answered}`,
      headers: { accept: "application/json, text/plain, */*" },
      text: URL_FORM,
    },
    {
      what: "JSON for a client that takes nothing else",
      ask: `POST /recording_url?call_uuid=${calls.answered}`,
      headers: { accept: "application/json" },
      shows: ({ url, expires_at }: { url: string; expires_at: string }) => {
        expect(url).toMatch(URL_FORM);
        expect(expires_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      },
    },
    {
      what: "of an unknown call",
      ask: `POST /recording_url?call_uuid=${unknown}`,
      status: 400,
      text: missing(unknown),
    },
    {
      what: "of a call without a recording",
      ask: `POST /recording_url?call_uuid=${calls.missed}`,
      status: 400,
      text: missing(calls.missed),
    },
    {
      what: "of a call whose recording was deleted",
      ask: `POST /recording_url?call_uuid=${calls.deleted}`,
      status: 400,
      text: missing(calls.deleted),
    },
    {
      what: "of something that is no uuid",
      ask: "POST /recording_url?call_uuid=1234",
      status: 400,
      text: missing("1234"),
    },
    { what: "of nothing", ask: "POST /recording_url", status: 400, text: "call_uuid can't be blank" },
    {
      what: "a ticket nobody issued",
      ask: `GET /recording/R${unknown}`,
      key: null,
      status: 400,
      text: "invalid or expired ticket",
    },
    {
      what: "a call's uuid where the ticket belongs",
      ask: `GET /recording/${calls.answered}`,
      key: null,
      status: 400,
      text: "invalid or expired ticket",
    },
  ];
}

function voicemailRows({ ours: { messages } }: World): Row[] {
  type Messages = { messages: { uuid: string }[]; pagination: { total_count: number } };
  const message = (uuid: string, read: string | null) => ({
    start_stamp: "2017-08-10 00:15:00 +0300",
    read_stamp: read,
    user_number: "1000",
    uuid,
    caller_id_number: "05321234567",
    caller_id_name: "Mehmet",
    duration: "00:01:35",
  });
  const pagination = { page: 1, total_count: 1, total_pages: 1, limit: 10 };
  const found = (query: string, count: number): Row => ({
    what: `messages with ${query}`,
    ask: `GET /voicemail_messages?${query}`,
    shows: (body: Messages) => expect(body.pagination.total_count).toBe(count),
  });
  return [
    {
      what: "an unheard message",
      ask: "GET /voicemail_messages?read=false",
      json: { messages: [message(messages.unheard, null)], pagination },
    },
    {
      what: "a heard message",
      ask: "GET /voicemail_messages?read=true",
      json: { messages: [message(messages.heard, "2017-08-10 13:00:00 +0300")], pagination },
    },
    found("user_number=1000", 2),
    found("user_number=1001", 0),
    found(`uuid=${messages.heard}`, 1),
    found("uuid=abc", 0),
    found("start_stamp_from=2017-08-01+00:00:00+UTC&start_stamp_to=2017-08-31+00:00:00+UTC", 2),
    found("start_stamp_from=2017-08-01+00:00:00+UTC&start_stamp_to=2017-09-01+00:00:00+UTC", 2),
    {
      what: "a range of 32 days",
      ask: "GET /voicemail_messages?start_stamp_from=2017-08-01+00:00:00+UTC&start_stamp_to=2017-09-02+00:00:00+UTC",
      status: 400,
      text: "date range cannot be longer than 31 days",
    },
    {
      what: "a message's URL by uuid",
      ask: "POST /voicemail_recording_url/",
      headers: form,
      body: `uuid=${messages.unheard}`,
      text: URL_FORM,
    },
    {
      what: "a message's URL by call_uuid",
      ask: `POST /voicemail_recording_url?call_uuid=${messages.unheard}`,
      text: URL_FORM,
    },
    {
      what: "the URL of an unknown message",
      ask: `POST /voicemail_recording_url?uuid=${unknown}`,
      status: 400,
      text: `cannot find voicemail with uuid ${unknown}`,
    },
    { what: "the URL of no message", ask: "POST /voicemail_recording_url", status: 400, text: "uuid can't be blank" },
  ];
}

function soundRows({ ours }: World): Row[] {
  const wav = tone();
  const base64 = wav.toString("base64");
  const urlSafe = wav.toString("base64url");
  const uri = (name: string, data = urlSafe) => `data:audio/wav;name:${name};base64,${data}`;
  const body = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
  const id = ours.soundId;
  const upload = (what: string, sent: Pick<Row, "body" | "headers">, ask = "POST /announcements"): Row => ({
    what,
    ask,
    ...sent,
    text: NUMBER,
  });
  return [
    { what: "sounds are listed", ask: "GET /announcements", json: [{ id, name: "Hoşgeldiniz" }] },
    upload("a data URI in the URL-safe alphabet", {
      headers: form,
      body: body({ key: ours.key, name: "a", sounddata: uri("ses%20dosyas%C4%B1.wav") }),
    }),
    upload("a data URI in the standard alphabet", {
      headers: form,
      body: body({ name: "b", sounddata: uri("x.wav", base64) }),
    }),
    upload("whose plus signs became blanks", { headers: form, body: `name=c&sounddata=${uri("x.wav", base64)}` }),
    upload("with name= instead of name:", {
      headers: form,
      body: body({ name: "d", sounddata: `data:audio/wav;name=x.wav;base64,${base64}` }),
    }),
    upload("bare base64 in `content`", { headers: jsonType, body: JSON.stringify({ name: "e", content: base64 }) }),
    upload("base64 broken into lines", {
      headers: jsonType,
      body: JSON.stringify({ name: "f", content: base64.replace(/.{76}/g, "$&\r\n") }),
    }),
    upload(
      "a small file in the query",
      {},
      `POST /announcements?name=q&sounddata=${encodeURIComponent(uri("x.wav", tone(400).toString("base64")))}`,
    ),
    {
      what: "an extension that is none of the sixteen",
      ask: "POST /announcements",
      headers: form,
      body: body({ name: "x", sounddata: uri("virus.exe") }),
      status: 400,
      text: EXTENSIONS,
    },
    {
      what: "base64 that is none",
      ask: "POST /announcements",
      headers: form,
      body: body({ name: "x", sounddata: "data:audio/wav;name:x.wav;base64,!!!!" }),
      status: 400,
      text: "invalid base64",
    },
    {
      what: "a sound that cannot be decoded",
      ask: "POST /announcements",
      headers: form,
      body: body({ name: "x", sounddata: uri("x.wav", Buffer.from("no sound at all").toString("base64")) }),
      status: 400,
      text: "Sound file cannot be decoded",
    },
    { what: "no sound", ask: "POST /announcements?name=x", status: 400, text: "sounddata can't be blank" },
    {
      what: "no name",
      ask: "POST /announcements",
      headers: form,
      body: body({ sounddata: uri("x.wav") }),
      status: 400,
      text: "name can't be blank",
    },
    {
      what: "a sound is renamed",
      ask: `PATCH /announcements/${id}`,
      headers: form,
      body: "name=Yeni",
      text: "OK",
      after: async ({ ask }) => expect((await ask("GET /announcements")).text).toContain(`{"id":${id},"name":"Yeni"}`),
    },
    {
      what: "a sound is replaced by PUT",
      ask: `PUT /announcements/${id}`,
      headers: form,
      body: body({ name: "Yeni 2", sounddata: uri("x.wav") }),
      text: "OK",
      after: async ({ db, objects }) => {
        const [row] = await db.query<{ key: string }>(`select object_key as key from announcements where id = $1`, [
          id,
        ]);
        expect(await objects.size(row!.key)).toBeGreaterThan(44);
      },
    },
    {
      what: "a refused replacement changes nothing",
      ask: `PATCH /announcements/${id}`,
      headers: form,
      body: body({ name: "Yeni 3", sounddata: uri("x.exe") }),
      status: 400,
      text: EXTENSIONS,
      after: async ({ ask }) => expect((await ask("GET /announcements")).text).toContain('"name":"Yeni 2"'),
    },
    {
      what: "an unknown sound is changed",
      ask: "PATCH /announcements/99?name=x",
      status: 400,
      text: "cannot find announcement with id: 99",
    },
    {
      what: "an unknown sound is deleted",
      ask: "DELETE /announcements/99",
      status: 400,
      text: "cannot find announcement with id: 99",
    },
    {
      what: "a sound in use stays",
      ask: "DELETE /announcements/98",
      status: 400,
      text: "cannot find announcement with id: 98",
      after: async ({ ask, db }) => {
        await db.query(`update queues set music_announcement_id = $2 where exchange_id = $1 and number = '200'`, [
          ours.id,
          id,
        ]);
        expect(await ask(`DELETE /announcements/${id}`)).toMatchObject({
          status: 400,
          text: `announcement ${id} cannot be deleted: it is in use by queue 200`,
        });
        await db.query(
          `update queues set music_announcement_id = null, overflow_target = $2 where exchange_id = $1 and number = '200'`,
          [ours.id, `announcement/${id}`],
        );
        expect(await ask(`DELETE /announcements/${id}`)).toMatchObject({
          status: 400,
          text: `announcement ${id} cannot be deleted: it is in use by queue 200`,
        });
        await db.query(`update queues set overflow_target = null where exchange_id = $1`, [ours.id]);
      },
    },
    {
      what: "a sound is deleted, key in a form body",
      ask: `DELETE /announcements/${id}`,
      key: null,
      headers: form,
      body: `key=${ours.key}`,
      text: "OK",
    },
  ];
}

/** A tenth of a second of 440 Hz as 8 kHz WAV, unless a shorter one is wanted. */
function tone(samples = 800): Buffer {
  const data = Buffer.alloc(samples * 2);
  for (let at = 0; at < samples; at++)
    data.writeInt16LE(Math.round(8_000 * Math.sin((at * 440 * 2 * Math.PI) / 8_000)), at * 2);
  const head = Buffer.from(
    "RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\0\0\0\0",
    "latin1",
  );
  head.writeUInt32LE(36 + data.length, 4);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}
