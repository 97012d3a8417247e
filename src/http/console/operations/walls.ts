// Boards for screens on the wall: what each shows, and its link, which is told once and can be taken back.

import { Type } from "typebox";
import { wallBoard } from "../../../nouns/wall-board.ts";
import { isRefusal } from "../../../store/refusal.ts";
import {
  createWallBoard,
  deleteWallBoard,
  dropWallLink,
  listWallBoards,
  renewWallLink,
  updateWallBoard,
} from "../../../store/wall-boards.ts";
import { operation } from "../operation/operation.ts";
import { checkedChanges } from "./checked-changes.ts";
import { id, name, nothing } from "./fields.ts";
import { changesSchema } from "./noun-schema.ts";

const fields = changesSchema(wallBoard);
const which = Type.Object({ id: id() });
const notFound = (id: number) => ({ refused: "not-found", what: "wall board", which: String(id) }) as const;

export const walls = {
  "walls.list": operation({
    right: "see-setup",
    reads: true,
    parameters: nothing,
    handle: (_, { db, exchangeId }) => listWallBoards(db, exchangeId),
  }),

  "walls.create": operation({
    right: "set-up",
    parameters: Type.Object({ name: name(100), changes: fields }),
    async handle({ name, changes }, { db, exchangeId }) {
      const checked = await checkedChanges(wallBoard, changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      return createWallBoard(db, { exchangeId, changes: { ...checked.kept, name } });
    },
  }),

  "walls.update": operation({
    right: "set-up",
    parameters: Type.Object({ id: id(), changes: fields }),
    async handle({ id, changes }, { db, exchangeId }) {
      const checked = await checkedChanges(wallBoard, changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      const changed = await updateWallBoard(db, { exchangeId, id, changes: checked.kept });
      return isRefusal(changed) ? changed : changed ? {} : notFound(id);
    },
  }),

  "walls.delete": operation({
    right: "set-up",
    parameters: which,
    handle: async ({ id }, { db, exchangeId }) => ((await deleteWallBoard(db, exchangeId, id)) ? {} : notFound(id)),
  }),

  "walls.link": operation({
    right: "set-up",
    parameters: which,
    async handle({ id }, { db, exchangeId, clock, publicUrl }) {
      const token = await renewWallLink(db, { exchangeId, id, nowMs: clock.wall() });
      return token === undefined ? notFound(id) : { path: `/wall#${token}`, base: publicUrl ?? null };
    },
  }),

  "walls.unlink": operation({
    right: "set-up",
    parameters: which,
    handle: async ({ id }, { db, exchangeId }) => ((await dropWallLink(db, exchangeId, id)) ? {} : notFound(id)),
  }),
};
