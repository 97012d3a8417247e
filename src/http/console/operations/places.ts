// Places inside where a call can go: queues, ring groups and menus.

import { Type } from "typebox";
import { menu } from "../../../nouns/menu.ts";
import { queue, queueAlarms } from "../../../nouns/queue.ts";
import { ringGroup } from "../../../nouns/ring-group.ts";
import { deskSettings } from "../../../store/agent-desk.ts";
import { createMenu, deleteMenu, updateMenu } from "../../../store/menus.ts";
import { createQueue, deleteQueue, findQueue, setQueueMembers, updateQueue } from "../../../store/queues.ts";
import { isRefusal } from "../../../store/refusal.ts";
import {
  createRingGroup,
  deleteRingGroup,
  findRingGroup,
  type RingGroupMember,
  setRingGroupMembers,
  updateRingGroup,
} from "../../../store/ring-groups.ts";
import { seesExtension, seesQueue } from "../../../store/scope.ts";
import { setupRows } from "../../../store/setup-rows.ts";
import { operation } from "../operation/operation.ts";
import { checkedChanges } from "./checked-changes.ts";
import { digits, name, nothing, text } from "./fields.ts";
import { changesSchema } from "./noun-schema.ts";

const number = digits(1, 8);
const members = Type.Array(digits(2, 15), { maxItems: 1_000 });
const notFound = (what: string, which: string) => ({ refused: "not-found", what, which }) as const;

const queueFields = changesSchema(queue);
const alarmFields = changesSchema(queueAlarms);
const groupFields = changesSchema(ringGroup);
const menuFields = changesSchema(menu);

export const places = {
  "queues.list": operation({
    right: "see-queues",
    reads: true,
    parameters: nothing,
    async handle(_, { db, exchangeId, scope }) {
      const queues = await setupRows(db, "queues", exchangeId);
      return queues.filter(({ number }) => seesQueue(scope, number));
    },
  }),

  "queues.create": operation({
    right: "set-up",
    parameters: Type.Object({ number, name: name(), changes: queueFields, members }),
    async handle({ number, name, changes, members }, { db, exchangeId }) {
      const checked = await checkedChanges(queue, changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      const made = await createQueue(db, { exchangeId, number, name, members, changes: checked.kept });
      return isRefusal(made) ? made : { number };
    },
  }),

  "queues.update": operation({
    right: "set-up",
    parameters: Type.Object({ number, changes: queueFields, members: Type.Optional(members) }),
    async handle({ number, changes, members }, { db, exchangeId }) {
      const checked = await checkedChanges(queue, changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      if (!(await findQueue(db, exchangeId, number))) return notFound("queue", number);
      const refused = members && (await setQueueMembers(db, { exchangeId, number, members }));
      if (refused) return refused;
      await updateQueue(db, { exchangeId, number, changes: checked.kept });
      return {};
    },
  }),

  "queues.setAlarms": operation({
    right: "watch-queues",
    parameters: Type.Object({ number, changes: alarmFields }),
    async handle({ number, changes }, { db, exchangeId, scope }) {
      const isThere = seesQueue(scope, number) && (await updateQueue(db, { exchangeId, number, changes }));
      return isThere ? {} : notFound("queue", number);
    },
  }),

  "queues.delete": operation({
    right: "set-up",
    parameters: Type.Object({ number }),
    handle: async ({ number }, { db, exchangeId }) => (await deleteQueue(db, exchangeId, number)) ?? {},
  }),

  /** What they are called here. */
  "agents.breaks": operation({
    right: "move-agents",
    reads: true,
    parameters: nothing,
    handle: async (_, { db, exchangeId }) => (await deskSettings(db, exchangeId)).breaks,
  }),

  "agents.move": operation({
    right: "move-agents",
    apart: true,
    parameters: Type.Object({
      extension: digits(2, 8),
      request: Type.Enum(["logIn", "logOut", "pause", "resume"]),
      description: Type.Optional(text(100)),
    }),
    async handle({ extension, request, description = "" }, { exchangeId, running, staff, limit, scope }) {
      if (!running) return { refused: "not-running" } as const;
      if (!seesExtension(scope, extension)) return { refused: "no-agent" } as const;
      const move = { exchangeId, extension, request, description, by: { doer: "staff", who: staff.email } as const };
      const moved = await running.exchange.moveAgent(move, limit);
      if (!("refused" in moved)) return { status: moved.status as string };
      return moved.refused === "no-agent"
        ? ({ refused: "no-agent" } as const)
        : ({ refused: "agent-is", status: moved.status } as const);
    },
  }),

  "groups.list": operation({
    right: "see-setup",
    reads: true,
    parameters: nothing,
    handle: (_, { db, exchangeId }) => setupRows(db, "groups", exchangeId),
  }),

  "groups.create": operation({
    right: "set-up",
    parameters: Type.Object({ number, name: name(), changes: groupFields, members }),
    async handle({ number, name, changes, members }, { db, exchangeId }) {
      const checked = await checkedChanges(ringGroup, changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      const wanted = { exchangeId, number, name, members: members.map(groupMember), changes: checked.kept };
      const made = await createRingGroup(db, wanted);
      return isRefusal(made) ? made : { number };
    },
  }),

  "groups.update": operation({
    right: "set-up",
    parameters: Type.Object({ number, changes: groupFields, members: Type.Optional(members) }),
    async handle({ number, changes, members }, { db, exchangeId }) {
      const checked = await checkedChanges(ringGroup, changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      if (!(await findRingGroup(db, exchangeId, number))) return notFound("group", number);
      const wanted = members?.map(groupMember);
      const refused = wanted && (await setRingGroupMembers(db, { exchangeId, number, members: wanted }));
      if (refused) return refused;
      await updateRingGroup(db, { exchangeId, number, changes: checked.kept });
      return {};
    },
  }),

  "groups.delete": operation({
    right: "set-up",
    parameters: Type.Object({ number }),
    handle: async ({ number }, { db, exchangeId }) => (await deleteRingGroup(db, exchangeId, number)) ?? {},
  }),

  "menus.list": operation({
    right: "see-setup",
    reads: true,
    parameters: nothing,
    handle: (_, { db, exchangeId }) => setupRows(db, "menus", exchangeId),
  }),

  "menus.create": operation({
    right: "set-up",
    parameters: Type.Object({ number, name: name(), changes: menuFields }),
    async handle({ number, name, changes }, { db, exchangeId }) {
      const checked = await checkedChanges(menu, changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      const made = await createMenu(db, { exchangeId, number, name, changes: checked.kept });
      return isRefusal(made) ? made : { number };
    },
  }),

  "menus.update": operation({
    right: "set-up",
    parameters: Type.Object({ number, changes: menuFields }),
    async handle({ number, changes }, { db, exchangeId }) {
      const checked = await checkedChanges(menu, changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      const changed = await updateMenu(db, { exchangeId, number, changes: checked.kept });
      return changed ? {} : notFound("menu", number);
    },
  }),

  "menus.delete": operation({
    right: "set-up",
    parameters: Type.Object({ number }),
    handle: async ({ number }, { db, exchangeId }) => (await deleteMenu(db, exchangeId, number)) ?? {},
  }),
};

/** Longer than any extension may be, so it can only be an outside number. */
const SHORTEST_OUTSIDE_NUMBER = 9;

function groupMember(number: string): RingGroupMember {
  return number.length < SHORTEST_OUTSIDE_NUMBER ? { extension: number } : { external: number };
}
