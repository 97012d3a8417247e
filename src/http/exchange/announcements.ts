// Sound files: uploaded in sixteen formats, kept in the one the exchange plays.

import { Type } from "typebox";
import { soundExtensions } from "../../exchange/sounds.ts";
import {
  createAnnouncement,
  findAnnouncement,
  listAnnouncements as list,
  deleteAnnouncement as remove,
  updateAnnouncement as update,
} from "../../store/announcements.ts";
import { json, OK, refuse, text } from "../door/answer.ts";
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
  { refused: "sound", no: { refused: "extension", known: soundExtensions } },
  { refused: "sound", no: { refused: "not-base64" } },
  { refused: "sound", no: { refused: "undecodable" } },
  { refused: "sound", no: { refused: "too-long", limitSeconds: 600 } },
  { refused: "sound", no: { refused: "too-large", limitBytes: 20 * MEBIBYTE } },
  { refused: "sound", no: { refused: "no-turn" } },
] as const;

const notFound = { refused: "announcement-not-found", id: 112 } as const;

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
  refusals: [{ refused: "blank", field: "name" }, { refused: "blank", field: "sounddata" }, ...refusals],
  async handle({ name, sounddata, content }, { db, exchangeId, sounds, limit }) {
    const sent = sounddata ?? content;
    if (sent === undefined) return refuse({ refused: "blank", field: "sounddata" });
    const sound = await limit.hold(sounds.keep(exchangeId, sent));
    if ("refused" in sound) return refuse({ refused: "sound", no: sound });
    return text(await createAnnouncement(db, { exchangeId, name, sound }));
  },
});

export const updateAnnouncement = endpoint({
  group,
  methods: ["PATCH", "PUT"],
  paths: ["/announcements/:id"],
  summary: "Rename or replace a sound file",
  description: "Without a sound only the name changes. Nothing changes when the sound is refused.",
  parameters: Type.Object({ id: idInPath(), name, ...sounds }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  longestBody: 44 * MEBIBYTE,
  example: "OK",
  refusals: [{ refused: "blank", field: "name" }, notFound, ...refusals],
  async handle({ id, name, sounddata, content }, { db, exchangeId, sounds, limit }) {
    const missing = refuse({ refused: "announcement-not-found", id });
    if (!(await findAnnouncement(db, exchangeId, readId(id)))) return missing;
    const sent = sounddata ?? content;
    const sound = sent === undefined ? undefined : await limit.hold(sounds.keep(exchangeId, sent));
    if (sound && "refused" in sound) return refuse({ refused: "sound", no: sound });
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
  refusals: [notFound, { refused: "in-use", what: "announcement", which: "112", by: { noun: "queue", which: "200" } }],
  async handle({ id }, { db, exchangeId, sounds }) {
    const deleted = await remove(db, exchangeId, readId(id));
    if ("objectKey" in deleted) {
      await sounds.drop(deleted.objectKey);
      return OK;
    }
    if (deleted.refused === "not-found") return refuse({ refused: "announcement-not-found", id });
    return refuse({ refused: "in-use", what: "announcement", which: id, by: deleted.by });
  },
});
