// Announcements: uploaded, recorded in the browser, or spoken by the exchange's own voice.

import { readFile } from "node:fs/promises";
import { Type } from "typebox";
import type { KeptSound, SoundRefusal } from "../../../exchange/sounds.ts";
import { languages } from "../../../speech/language.ts";
import { createAnnouncement, deleteAnnouncement, findAnnouncement } from "../../../store/announcements.ts";
import { setupRows } from "../../../store/setup-rows.ts";
import { DecodedUpload } from "../../../uploads/upload.ts";
import { updateAnnouncement, uploadAnnouncement } from "../../exchange/announcements.ts";
import { forward } from "../operation/forward.ts";
import { type ConsoleContext, operation } from "../operation/operation.ts";
import { id, lines, name, nothing } from "./fields.ts";

const MEBIBYTE = 1024 * 1024;
const content = lines(44 * MEBIBYTE);
const language = Type.Enum([...languages]);

export const sounds = {
  "sounds.list": operation({
    right: "see-setup",
    reads: true,
    parameters: nothing,
    handle: (_, { db, exchangeId }) => setupRows(db, "sounds", exchangeId),
  }),

  "sounds.upload": operation({
    right: "set-up",
    apart: true,
    hides: ["content"],
    longestBody: 45 * MEBIBYTE,
    carries: "content",
    parameters: Type.Object({ name: name(), content }),
    async handle({ name }, { record, sounds, exchangeId, uploaded = new DecodedUpload({}), limit }) {
      const sound = await limit.hold(sounds.keep(exchangeId, uploaded));
      return record((context) => forward(uploadAnnouncement, { name, sounddata: uploaded }, having(sound, context)));
    },
  }),

  "sounds.speak": operation({
    right: "set-up",
    apart: true,
    parameters: Type.Object({ name: name(), text: lines(1_000, 1), language }),
    async handle({ name, text, language }, { exchangeId, running, sounds, record, limit }) {
      if (!running) return { refused: "not-running" } as const;
      const path = await limit.hold(running.say(exchangeId, text, language));
      if (path === undefined) return { refused: "no-voice" } as const;
      const sound = await limit.hold(sounds.keep(exchangeId, { name: "speech.wav", bytes: await readFile(path) }));
      if ("refused" in sound) return { refused: "no-voice" } as const;
      return record(async ({ db }) => ({ id: await createAnnouncement(db, { exchangeId, name, sound }) }));
    },
  }),

  "sounds.update": operation({
    right: "set-up",
    apart: true,
    hides: ["content"],
    longestBody: 45 * MEBIBYTE,
    carries: "content",
    parameters: Type.Object({ id: id(), name: Type.Optional(name()), content: Type.Optional(content) }),
    async handle({ id, name }, { record, sounds, db, exchangeId, uploaded, limit }) {
      if (!(await findAnnouncement(db, exchangeId, id))) return { refused: "announcement-not-found", id } as const;
      const sound = uploaded === undefined ? undefined : await limit.hold(sounds.keep(exchangeId, uploaded));
      const wanted = { id: String(id), name, sounddata: uploaded };
      return record((context) => forward(updateAnnouncement, wanted, sound ? having(sound, context) : context));
    },
  }),

  "sounds.delete": operation({
    right: "set-up",
    parameters: Type.Object({ id: id() }),
    async handle({ id }, { db, exchangeId, sounds }) {
      const deleted = await deleteAnnouncement(db, exchangeId, id);
      const which = String(id);
      if (!("refused" in deleted)) {
        await sounds.drop(deleted.objectKey);
        return {};
      }
      if (deleted.refused === "not-found") return { refused: "announcement-not-found", id } as const;
      return { refused: "in-use", what: "sound", which, by: deleted.by } as const;
    },
  }),
};

/** The converter has been waited for already, while no transaction was open. */
function having(sound: KeptSound | SoundRefusal, context: ConsoleContext): ConsoleContext {
  return { ...context, sounds: { ...context.sounds, keep: async () => sound } };
}
