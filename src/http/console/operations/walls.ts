// Boards for screens on the wall: what each shows, and its link, which is told once and can be taken back. Who sees some
// of the queues has to do with boards that show nothing else.

import { Type } from "typebox";
import { wallBoard } from "../../../nouns/wall-board.ts";
import { isRefusal } from "../../../store/refusal.ts";
import { type Scope, seesQueue } from "../../../store/scope.ts";
import {
  createWallBoard,
  deleteWallBoard,
  dropWallLink,
  listWallBoards,
  queuesOfBoard,
  renewWallLink,
  updateWallBoard,
} from "../../../store/wall-boards.ts";
import { type ConsoleContext, operation } from "../operation/operation.ts";
import type { ConsoleRefusal } from "../operation/refusal.ts";
import { checkedChanges } from "./checked-changes.ts";
import { id, name, nothing } from "./fields.ts";
import { changesSchema } from "./noun-schema.ts";

const fields = changesSchema(wallBoard);
const which = Type.Object({ id: id() });
const notFound = (id: number) => ({ refused: "not-found", what: "wall board", which: String(id) }) as const;

const NO_QUEUE = { refused: "invalid", field: "queues", fault: { is: "minItems", limit: 1 } } as const;

export const walls = {
  "walls.list": operation({
    right: "see-walls",
    reads: true,
    parameters: nothing,
    handle: async (_, { db, exchangeId, scope }) =>
      (await listWallBoards(db, exchangeId)).filter(({ queues }) => isAllSeen(scope, queues)),
  }),

  "walls.create": operation({
    right: "watch-queues",
    parameters: Type.Object({ name: name(100), changes: fields }),
    async handle({ name, changes }, { db, exchangeId, scope }) {
      const checked = await checkedChanges(wallBoard, changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      const refused = whyNotOf(scope, changes.queues ?? []);
      return refused ?? createWallBoard(db, { exchangeId, changes: { ...checked.kept, name } });
    },
  }),

  "walls.update": operation({
    right: "watch-queues",
    parameters: Type.Object({ id: id(), changes: fields }),
    async handle({ id, changes }, context) {
      const { db, exchangeId, scope } = context;
      if (!(await isInReach(id, context))) return notFound(id);
      const checked = await checkedChanges(wallBoard, changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      const refused = changes.queues && whyNotOf(scope, changes.queues);
      if (refused) return refused;
      const changed = await updateWallBoard(db, { exchangeId, id, changes: checked.kept });
      return isRefusal(changed) ? changed : changed ? {} : notFound(id);
    },
  }),

  "walls.delete": operation({
    right: "watch-queues",
    parameters: which,
    async handle({ id }, context) {
      const isGone = (await isInReach(id, context)) && (await deleteWallBoard(context.db, context.exchangeId, id));
      return isGone ? {} : notFound(id);
    },
  }),

  "walls.link": operation({
    right: "watch-queues",
    fresh: true,
    parameters: which,
    async handle({ id }, context) {
      const { db, exchangeId, clock, publicUrl } = context;
      if (!(await isInReach(id, context))) return notFound(id);
      const token = await renewWallLink(db, { exchangeId, id, nowMs: clock.wall() });
      return token === undefined ? notFound(id) : { path: `/wall#${token}`, base: publicUrl ?? null };
    },
  }),

  "walls.unlink": operation({
    right: "watch-queues",
    parameters: which,
    async handle({ id }, context) {
      const isGone = (await isInReach(id, context)) && (await dropWallLink(context.db, context.exchangeId, id));
      return isGone ? {} : notFound(id);
    },
  }),
};

/** A board without queues shows all of them. */
function isAllSeen(scope: Scope, queues: readonly string[]): boolean {
  return scope === "everything" || (queues.length > 0 && queues.every((queue) => seesQueue(scope, queue)));
}

function whyNotOf(scope: Scope, queues: readonly string[]): ConsoleRefusal | undefined {
  if (isAllSeen(scope, queues)) return undefined;
  const foreign = queues.find((queue) => !seesQueue(scope, queue));
  return foreign === undefined ? NO_QUEUE : { refused: "not-found", what: "queue", which: foreign, field: "queues" };
}

async function isInReach(id: number, { db, exchangeId, scope }: ConsoleContext): Promise<boolean> {
  const queues = await queuesOfBoard(db, exchangeId, id);
  return queues !== undefined && isAllSeen(scope, queues);
}
