// Queues and who answers them.

import { type Static, Type } from "typebox";
import {
  changeQueueMembers,
  listQueues as list,
  listQueueMembers,
  type Queue,
  queueCalled,
} from "../../store/queues.ts";
import { json, OK, refuse } from "../door/answer.ts";
import type { Context } from "../door/context.ts";
import { endpoint, type Refused } from "../door/endpoint.ts";
import { body, key, limit, schema } from "../door/guards.ts";
import { oneOf, words } from "../parameters/schema.ts";

const group = "Queues";

export const listQueues = endpoint({
  group,
  methods: ["GET"],
  paths: ["/queues"],
  summary: "List queues",
  parameters: Type.Object({}),
  guards: [key, limit("default"), body, schema],
  reply: "json",
  example: [{ number: 200, name: "Kuyruk 1" }],
  async handle(_, { db, exchangeId }) {
    const queues = await list(db, exchangeId);
    return json(queues.map(({ number, name }) => ({ number: Number(number), name })));
  },
});

const whichQueue = {
  queue_number: Type.Optional(words({ description: "the queue's number (required)", example: "200" })),
  queue: Type.Optional(words({ description: "another name for queue_number; may be the queue's name" })),
};

const noQueue = [{ refused: "missing-queue" }, { refused: "queue-not-found", queue: "209" }] as const;

export const showQueueMembers = endpoint({
  group,
  methods: ["GET"],
  paths: ["/queue/user_list"],
  summary: "Members of a queue, in order",
  parameters: Type.Object(whichQueue),
  guards: [key, limit("default"), body, schema],
  reply: "json",
  example: [{ user: 1000, name: "DAHİLİ-1" }],
  refusals: noQueue,
  async handle(parameters, context) {
    const queue = await queueOf(parameters, context);
    if ("says" in queue) return queue;
    const members = await listQueueMembers(context.db, context.exchangeId, queue.number);
    return json(members.map(({ extension, name }) => ({ user: Number(extension), name })));
  },
});

export const setQueueMembers = endpoint({
  group,
  methods: ["GET", "POST", "PUT", "PATCH"],
  paths: ["/queue/manage_users"],
  summary: "Set the members of a queue",
  changes: true,
  description:
    "`user_list` is the whole new membership in order: one request adds, removes and reorders. " +
    "With `action`, one member (`user` or `extension`) is added at the end or removed, or the list is replaced.",
  parameters: Type.Object({
    ...whichQueue,
    user_list: Type.Optional(
      Type.Array(words(), {
        maxItems: 1_000,
        description: "extensions, separated by commas (required)",
        example: "1001,1000",
      }),
    ),
    action: Type.Optional(oneOf(["add", "remove", "replace"])),
    user: Type.Optional(Type.Array(words(), { maxItems: 1_000, description: "the member of an action" })),
    extension: Type.Optional(Type.Array(words(), { maxItems: 1_000, description: "another name for user" })),
  }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  example: "OK",
  refusals: [...noQueue, { refused: "missing-members" }, { refused: "no-such-member", extension: "1001" }],
  async handle({ user_list, user, extension, action = "replace", ...which }, context) {
    const queue = await queueOf(which, context);
    if ("says" in queue) return queue;
    const users = (user_list ?? user ?? extension)?.filter((it, index, all) => all.indexOf(it) === index);
    if (users === undefined || users.length === 0) return refuse({ refused: "missing-members" });
    const change = { exchangeId: context.exchangeId, number: queue.number, action, members: users };
    const refused = await changeQueueMembers(context.db, change);
    return refused ? refusedChange[refused.refused](refused.which) : OK;
  },
});

const refusedChange = {
  queue: (queue: string) => refuse({ refused: "queue-not-found", queue }),
  user: (extension: string) => refuse({ refused: "no-such-member", extension }),
  "member-already": (extension: string) => refuse({ refused: "member-already", extension }),
};

const WhichQueue = Type.Object(whichQueue);

async function queueOf(
  { queue_number, queue }: Static<typeof WhichQueue>,
  { db, exchangeId }: Context,
): Promise<Queue | Refused> {
  const sent = queue_number ?? queue;
  if (sent === undefined) return refuse({ refused: "missing-queue" });
  const found = await queueCalled(db, exchangeId, sent);
  return found ?? refuse({ refused: "queue-not-found", queue: sent });
}
