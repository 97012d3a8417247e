// Where recordings are put outside: its settings, a trial, and how far it has got.

import { Type } from "typebox";
import { isTrouble } from "../../../archive/archive.ts";
import { type Probed, probe } from "../../../archive/probe.ts";
import { placeOf } from "../../../exchange/archiving/notes.ts";
import { archiveWith, setArchive } from "../../../exchange/archiving/settings.ts";
import { archive as archiveNoun } from "../../../nouns/archive.ts";
import {
  type ArchiveRow,
  countArchived,
  countInArchive,
  deleteArchive,
  listArchives,
  switchArchiveOff,
} from "../../../store/archives.ts";
import { operation } from "../operation/operation.ts";
import { id, nothing } from "./fields.ts";
import { changesSchema } from "./noun-schema.ts";

const changes = changesSchema(archiveNoun);

export const archive = {
  "archive.show": operation({
    right: "set-up",
    reads: true,
    parameters: nothing,
    async handle(_, { db, exchangeId }) {
      const [first, ...others] = await listArchives(db, exchangeId);
      const places = await Promise.all(
        others.map(async (row) => ({
          id: row.id,
          place: placeOf(row),
          recordings: await countInArchive(db, exchangeId, row.id),
          trouble: row.trouble,
        })),
      );
      return { settings: first ? shown(first) : null, counts: await countArchived(db, exchangeId), places };
    },
  }),

  "archive.update": operation({
    right: "set-up",
    fresh: true,
    parameters: Type.Object({ changes }),
    handle: ({ changes }, { db, secrets, exchangeId }) => setArchive({ db, secrets, exchangeId }, changes),
  }),

  "archive.test": operation({
    right: "set-up",
    apart: true,
    parameters: Type.Object({ changes }),
    async handle({ changes }, { db, secrets, archives, exchangeId }) {
      if (!archives) return { refused: "not-running" } as const;
      const store = await archiveWith({ db, secrets, exchangeId }, archives, changes);
      if ("refused" in store) return store;
      const probed: Probed = isTrouble(store) ? { ok: false, step: "write", ...store } : await probe(store);
      return probed;
    },
  }),

  "archive.off": operation({
    right: "set-up",
    parameters: nothing,
    async handle(_, { db, exchangeId }) {
      await switchArchiveOff(db, exchangeId);
      return {};
    },
  }),

  "archive.delete": operation({
    right: "set-up",
    parameters: Type.Object({ id: id() }),
    handle: async ({ id }, { db, exchangeId }) => (await deleteArchive(db, exchangeId, id)) ?? {},
  }),
};

function shown({ sealedSecret, exchangeId: _, ...row }: ArchiveRow) {
  return { ...row, has_secret: sealedSecret !== null, place: placeOf(row) };
}
