// Places inside where a call can go: queues, ring groups and menus.

import { Type } from "typebox";
import { createMenu, deleteMenu, updateMenu } from "../../../store/menus.ts";
import {
  createQueue,
  deleteQueue,
  findQueue,
  QUEUE_STRATEGIES,
  setQueueMembers,
  updateQueue,
} from "../../../store/queues.ts";
import { isRefusal } from "../../../store/refusal.ts";
import {
  createRingGroup,
  deleteRingGroup,
  findRingGroup,
  GROUP_STRATEGIES,
  type RingGroupMember,
  setRingGroupMembers,
  updateRingGroup,
} from "../../../store/ring-groups.ts";
import { setupRows } from "../../../store/setup-rows.ts";
import { operation } from "../operation/operation.ts";
import { checkedChanges } from "./checked-changes.ts";
import { digits, idOrNothing, name, nothing, orNothing, text, whole } from "./fields.ts";

const number = digits(1, 8);
const members = Type.Array(digits(2, 15), { maxItems: 1_000 });
const languages = Type.Enum(["tr-TR", "en-US", "ar-XA"]);
const notFound = (what: string, which: string) => ({ refused: "not-found", what, which }) as const;

const queueFields = Type.Partial(
  Type.Object({
    name: name(),
    strategy: Type.Enum([...QUEUE_STRATEGIES]),
    ring_seconds: whole(5, 300),
    max_wait_seconds: whole(1, 86_400),
    max_waiting: whole(1, 10_000),
    overflow_target: orNothing(),
    music_announcement_id: idOrNothing(),
    waiting_announcement_id: idOrNothing(),
    agent_announcement_id: idOrNothing(),
    priority: whole(-100, 100),
    wrap_up_seconds: whole(0, 3_600),
    most_misses: whole(1, 100),
    announce_seconds: whole(0, 3_600),
    language: languages,
    callback_key: Type.Union([Type.String({ pattern: "^[0-9*#]$" }), Type.Null()]),
    survey: Type.Boolean(),
  }),
);

const groupFields = Type.Partial(
  Type.Object({
    name: name(),
    strategy: Type.Enum([...GROUP_STRATEGIES]),
    ring_seconds: whole(5, 300),
    no_answer_target: orNothing(),
  }),
);

const menuFields = Type.Partial(
  Type.Object({
    name: name(),
    welcome_announcement_id: idOrNothing(),
    key_targets: Type.Record(Type.String({ pattern: "^[0-9*#]$" }), text()),
    timeout_target: orNothing(),
    invalid_target: orNothing(),
    retries: whole(0, 10),
    key_seconds: whole(1, 30),
  }),
);

export const places = {
  "queues.list": operation({
    role: "read-only",
    parameters: nothing,
    handle: (_, { db, exchangeId }) => setupRows(db, "queues", exchangeId),
  }),

  "queues.create": operation({
    role: "administrator",
    parameters: Type.Object({ number, name: name(), changes: queueFields, members }),
    async handle({ number, name, changes, members }, { db, exchangeId }) {
      const checked = await checkedChanges(changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      const made = await createQueue(db, { exchangeId, number, name, members, changes: checked.columns });
      return isRefusal(made) ? made : { number };
    },
  }),

  "queues.update": operation({
    role: "administrator",
    parameters: Type.Object({ number, changes: queueFields, members: Type.Optional(members) }),
    async handle({ number, changes, members }, { db, exchangeId }) {
      const checked = await checkedChanges(changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      if (!(await findQueue(db, exchangeId, number))) return notFound("queue", number);
      const refused = members && (await setQueueMembers(db, { exchangeId, number, members }));
      if (refused) return refused;
      await updateQueue(db, { exchangeId, number, changes: checked.columns });
      return {};
    },
  }),

  "queues.delete": operation({
    role: "administrator",
    parameters: Type.Object({ number }),
    handle: async ({ number }, { db, exchangeId }) => (await deleteQueue(db, exchangeId, number)) ?? {},
  }),

  "agents.move": operation({
    role: "standard",
    apart: true,
    parameters: Type.Object({
      extension: digits(2, 8),
      wish: Type.Enum(["logIn", "logOut", "pause", "resume"]),
      description: Type.Optional(text(100)),
    }),
    async handle({ extension, wish, description = "" }, { exchangeId, running, staff }) {
      if (!running) return { refused: "not-running" } as const;
      const move = { exchangeId, extension, wish, description, by: { doer: "staff", who: staff.email } as const };
      const moved = await running.exchange.moveAgent(move);
      if (!("refused" in moved)) return { status: moved.status as string };
      return moved.refused === "no-agent"
        ? ({ refused: "no-agent" } as const)
        : ({ refused: "agent-is", status: moved.status } as const);
    },
  }),

  "groups.list": operation({
    role: "read-only",
    parameters: nothing,
    handle: (_, { db, exchangeId }) => setupRows(db, "groups", exchangeId),
  }),

  "groups.create": operation({
    role: "administrator",
    parameters: Type.Object({ number, name: name(), changes: groupFields, members }),
    async handle({ number, name, changes, members }, { db, exchangeId }) {
      const checked = await checkedChanges(changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      const wanted = { exchangeId, number, name, members: members.map(groupMember), changes: checked.columns };
      const made = await createRingGroup(db, wanted);
      return isRefusal(made) ? made : { number };
    },
  }),

  "groups.update": operation({
    role: "administrator",
    parameters: Type.Object({ number, changes: groupFields, members: Type.Optional(members) }),
    async handle({ number, changes, members }, { db, exchangeId }) {
      const checked = await checkedChanges(changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      if (!(await findRingGroup(db, exchangeId, number))) return notFound("group", number);
      const wanted = members?.map(groupMember);
      const refused = wanted && (await setRingGroupMembers(db, { exchangeId, number, members: wanted }));
      if (refused) return refused;
      await updateRingGroup(db, { exchangeId, number, changes: checked.columns });
      return {};
    },
  }),

  "groups.delete": operation({
    role: "administrator",
    parameters: Type.Object({ number }),
    handle: async ({ number }, { db, exchangeId }) => (await deleteRingGroup(db, exchangeId, number)) ?? {},
  }),

  "menus.list": operation({
    role: "read-only",
    parameters: nothing,
    handle: (_, { db, exchangeId }) => setupRows(db, "menus", exchangeId),
  }),

  "menus.create": operation({
    role: "administrator",
    parameters: Type.Object({ number, name: name(), changes: menuFields }),
    async handle({ number, name, changes }, { db, exchangeId }) {
      const checked = await checkedChanges(changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      const made = await createMenu(db, { exchangeId, number, name, changes: checked.columns });
      return isRefusal(made) ? made : { number };
    },
  }),

  "menus.update": operation({
    role: "administrator",
    parameters: Type.Object({ number, changes: menuFields }),
    async handle({ number, changes }, { db, exchangeId }) {
      const checked = await checkedChanges(changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      const changed = await updateMenu(db, { exchangeId, number, changes: checked.columns });
      return changed ? {} : notFound("menu", number);
    },
  }),

  "menus.delete": operation({
    role: "administrator",
    parameters: Type.Object({ number }),
    handle: async ({ number }, { db, exchangeId }) => (await deleteMenu(db, exchangeId, number)) ?? {},
  }),
};

/** Longer than any extension may be, so it can only be an outside number. */
const SHORTEST_OUTSIDE_NUMBER = 9;

function groupMember(number: string): RingGroupMember {
  return number.length < SHORTEST_OUTSIDE_NUMBER ? { extension: number } : { external: number };
}
