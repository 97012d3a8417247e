// Sound files in every spelling of an upload.

import { expect } from "vitest";
import { sql } from "../../../src/store/sql.ts";
import type { World } from "../../town/exchange-world.ts";
import { form, jsonType, type Row } from "./row.ts";

const NUMBER = /^\d+$/;
const EXTENSIONS =
  "Sound file should have one of these extensions: wav mp3 wma m4a aac ac3 amr flac gsm mpeg mp1 mp2 ra spx ogg 3gp";

export function soundRows({ ours }: World): Row[] {
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
        const [row] = await db.query<{ key: string }>(sql`select object_key as key from announcements where id = $1`, [
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
      what: "a sound is replaced without a name",
      ask: `PATCH /announcements/${id}`,
      headers: form,
      body: body({ sounddata: uri("x.wav") }),
      status: 400,
      text: "name can't be blank",
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
        await db.query(sql`update queues set music_announcement_id = $2 where exchange_id = $1 and number = '200'`, [
          ours.id,
          id,
        ]);
        expect(await ask(`DELETE /announcements/${id}`)).toMatchObject({
          status: 400,
          text: `announcement ${id} cannot be deleted: it is in use by queue 200`,
        });
        await db.query(
          sql`update queues set music_announcement_id = null, overflow_target = $2 where exchange_id = $1 and number = '200'`,
          [ours.id, `announcement/${id}`],
        );
        expect(await ask(`DELETE /announcements/${id}`)).toMatchObject({
          status: 400,
          text: `announcement ${id} cannot be deleted: it is in use by queue 200`,
        });
        await db.query(sql`update queues set overflow_target = null where exchange_id = $1`, [ours.id]);
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
