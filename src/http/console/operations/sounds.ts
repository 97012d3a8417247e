// Announcements: uploaded, recorded in the browser, or spoken by the exchange's own voice.

import { readFile } from "node:fs/promises";
import { Type } from "typebox";
import { createAnnouncement, deleteAnnouncement } from "../../../store/announcements.ts";
import { setupRows } from "../../../store/setup-rows.ts";
import { updateAnnouncement, uploadAnnouncement } from "../../exchange/announcements.ts";
import { forward } from "../forward.ts";
import { operation } from "../operation.ts";
import { id, name, nothing } from "./fields.ts";

const MEBIBYTE = 1024 * 1024;
const content = Type.String({ maxLength: 44 * MEBIBYTE });
const language = Type.Enum(["tr-TR", "en-US", "ar-XA"]);

export const sounds = {
  "sounds.list": operation({
    role: "read-only",
    parameters: nothing,
    handle: (_, { db, exchangeId }) => setupRows(db, "sounds", exchangeId),
  }),

  "sounds.upload": operation({
    role: "administrator",
    does: "uploaded an announcement",
    hides: ["content"],
    longestBody: 45 * MEBIBYTE,
    parameters: Type.Object({ name: name(), content }),
    handle: ({ name, content }, context) => forward(uploadAnnouncement, { name, sounddata: content }, context),
  }),

  "sounds.speak": operation({
    role: "administrator",
    does: "had an announcement spoken",
    parameters: Type.Object({ name: name(), text: name(1_000), language }),
    async handle({ name, text, language }, { db, exchangeId, running, sounds }) {
      if (!running) return { refused: "not-running" } as const;
      const path = await running.say(text, language);
      if (path === undefined) return { refused: "no-voice" } as const;
      const sound = await sounds.keep({ name: "speech.wav", bytes: await readFile(path) });
      if ("refused" in sound) return { refused: "no-voice" } as const;
      return { id: await createAnnouncement(db, { exchangeId, name, sound }) };
    },
  }),

  "sounds.update": operation({
    role: "administrator",
    does: "changed an announcement",
    hides: ["content"],
    longestBody: 45 * MEBIBYTE,
    parameters: Type.Object({ id: id(), name: Type.Optional(name()), content: Type.Optional(content) }),
    handle: ({ id, name, content }, context) =>
      forward(updateAnnouncement, { id: String(id), name, sounddata: content }, context),
  }),

  "sounds.delete": operation({
    role: "administrator",
    does: "deleted an announcement",
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
