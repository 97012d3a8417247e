// Sound files: uploaded in sixteen formats, kept in the one the exchange plays.

import { Type } from "typebox";
import { EXTENSION_SENTENCE, type SoundRefusal } from "../../exchange/sounds.ts";
import {
  createAnnouncement,
  findAnnouncement,
  listAnnouncements as list,
  deleteAnnouncement as remove,
  updateAnnouncement as update,
} from "../../store/announcements.ts";
import { echo, json, OK, type RefusedAnswer, refuse, text } from "../door/answer.ts";
import { endpoint } from "../door/endpoint.ts";
import { body, key, limit, schema } from "../door/guards.ts";
import { content, idInPath, words } from "../parameters/schema.ts";
import { readId } from "./paging.ts";

const group = "Announcements";
const MEBIBYTE = 1024 * 1024;
const name = words({ example: "Firmamıza hoşgeldiniz" });
const sound = content({
  description:
    "the audio: a data URI `data:audio/mp3;name:<url-encoded file name>;base64,<data>` or bare base64, in either alphabet",
  example: "data:audio/mp3;name:welcome.mp3;base64,SUQz…",
});
const sounds = {
  sounddata: Type.Optional(sound),
  content: Type.Optional(content({ description: "another name for `sounddata`, which wins when both are sent" })),
};

const refusals = [
  [400, EXTENSION_SENTENCE],
  [400, "invalid base64"],
  [400, "Sound file cannot be decoded"],
  [400, "Sound file is too long (maximum is 600 seconds)"],
  [413, "Sound file is too large (maximum is 20 MB)"],
] as const;

const notFound = [400, "cannot find announcement with id: 112"] as const;

export const listAnnouncements = endpoint({
  group,
  methods: ["GET"],
  paths: ["/announcements"],
  summary: "List sound files",
  parameters: Type.Object({}),
  guards: [key, limit("default"), body, schema],
  reply: "json",
  example: [{ id: 112, name: "Firmamıza hoşgeldiniz" }],
  async handle(_, { db, exchangeId }) {
    return json(await list(db, exchangeId));
  },
});

export const uploadAnnouncement = endpoint({
  group,
  methods: ["POST"],
  paths: ["/announcements"],
  summary: "Upload a sound file",
  description: "Answers the new sound's ID. A multipart form may carry the file itself.",
  parameters: Type.Object({ name, ...sounds }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  longestBody: 44 * MEBIBYTE,
  example: "859",
  refusals: [[400, "name can't be blank"], [400, "sounddata can't be blank"], ...refusals],
  async handle({ name, sounddata, content }, { db, exchangeId, sounds }) {
    const sent = sounddata ?? content;
    if (sent === undefined) return refuse(400, "sounddata can't be blank");
    const sound = await sounds.keep(sent);
    if ("refused" in sound) return inWords(sound);
    return text(await createAnnouncement(db, { exchangeId, name, sound }));
  },
});

export const updateAnnouncement = endpoint({
  group,
  methods: ["PATCH", "PUT"],
  paths: ["/announcements/:id"],
  summary: "Rename or replace a sound file",
  description: "What is left out stays as it is. Nothing changes when the sound is refused.",
  parameters: Type.Object({ id: idInPath(), name: Type.Optional(name), ...sounds }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  longestBody: 44 * MEBIBYTE,
  example: "OK",
  refusals: [notFound, ...refusals],
  async handle({ id, name, sounddata, content }, { db, exchangeId, sounds }) {
    const missing = refuse(400, `cannot find announcement with id: ${echo(id)}`);
    if (!(await findAnnouncement(db, exchangeId, readId(id)))) return missing;
    const sent = sounddata ?? content;
    const sound = sent === undefined ? undefined : await sounds.keep(sent);
    if (sound && "refused" in sound) return inWords(sound);
    const updated = await update(db, { exchangeId, id: readId(id), name, sound });
    const unused = "refused" in updated ? sound?.objectKey : updated.replaced;
    if (unused !== undefined) await sounds.drop(unused);
    return "refused" in updated ? missing : OK;
  },
});

export const deleteAnnouncement = endpoint({
  group,
  methods: ["DELETE"],
  paths: ["/announcements/:id"],
  summary: "Delete a sound file",
  parameters: Type.Object({ id: idInPath() }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  example: "OK",
  refusals: [notFound, [400, "announcement 112 cannot be deleted: it is in use by queue 200"]],
  async handle({ id }, { db, exchangeId, sounds }) {
    const deleted = await remove(db, exchangeId, readId(id));
    if ("objectKey" in deleted) {
      await sounds.drop(deleted.objectKey);
      return OK;
    }
    if (deleted.refused === "not-found") return refuse(400, `cannot find announcement with id: ${echo(id)}`);
    return refuse(400, `announcement ${id} cannot be deleted: it is in use by ${deleted.by}`);
  },
});

const sentences: { [Kind in SoundRefusal["refused"]]: (refusal: SoundRefusal & { refused: Kind }) => RefusedAnswer } = {
  extension: () => refuse(400, EXTENSION_SENTENCE),
  "not-base64": () => refuse(400, "invalid base64"),
  undecodable: () => refuse(400, "Sound file cannot be decoded"),
  "too-long": ({ limitSeconds }) => refuse(400, `Sound file is too long (maximum is ${limitSeconds} seconds)`),
  "too-large": ({ limitBytes }) => refuse(413, `Sound file is too large (maximum is ${limitBytes / MEBIBYTE} MB)`),
  "no-converter": () => refuse(503, "sound files cannot be converted on this server"),
};

function inWords(refusal: SoundRefusal): RefusedAnswer {
  // The record has a row for every kind; the compiler cannot pair the row with its refusal by itself.
  return (sentences[refusal.refused] as (refusal: SoundRefusal) => RefusedAnswer)(refusal);
}
