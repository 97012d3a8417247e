// Calls that were, with their stories and ladders, and calls that are.

import { Type } from "typebox";
import { storyOf } from "../../../exchange/calls/story.ts";
import { checkTarget } from "../../../exchange/plan/checked-target.ts";
import { parseTarget, type Target } from "../../../exchange/plan/target.ts";
import { labelOf } from "../../../exchange/signalling/trace/ladder.ts";
import { hasRight } from "../../../nouns/role.ts";
import { formsOfCall } from "../../../store/call-forms.ts";
import { notesOfCalls, withNotes } from "../../../store/call-notes.ts";
import { findCdr, hasCdr, listCdrs } from "../../../store/cdrs.ts";
import { readStory } from "../../../store/live-calls.ts";
import { seesCall, seesExtension, seesQueue, withinOf } from "../../../store/scope.ts";
import { tracesOf } from "../../../store/sip-traces.ts";
import { type ConsoleContext, operation } from "../operation/operation.ts";
import { callFilterOf, callSearch } from "./call-filter.ts";
import { name, pageFields, uuid, whole } from "./fields.ts";

const MOST_RUNGS = 500;

/** A goodbye that nobody answers is repeated for 32 seconds, and messages are written down some seconds after they were sent. */
const GROWS_AFTER_END_MS = 40_000;

export const calls = {
  "calls.list": operation({
    right: "see-calls",
    reads: true,
    parameters: Type.Object({ ...callSearch, ...pageFields }),
    async handle({ page, limit, ...wanted }, { db, exchangeId, scope }) {
      const filter = await callFilterOf(wanted, { db, exchangeId, scope });
      const found = await listCdrs(db, exchangeId, filter, { page, limit });
      return { ...found, rows: await withNotes(db, exchangeId, found.rows) };
    },
  }),

  "calls.show": operation({
    right: "see-calls",
    reads: true,
    parameters: Type.Object({ uuid: uuid() }),
    async handle({ uuid: sent }, context) {
      const { db, exchangeId, running, scope, staff, clock } = context;
      const callUuid = sent.toLowerCase();
      const [record, told, forms, notes] = await Promise.all([
        findCdr(db, exchangeId, callUuid, withinOf(scope)),
        readStory(db, exchangeId, callUuid),
        formsOfCall(db, exchangeId, callUuid),
        notesOfCalls(db, exchangeId, [callUuid]),
      ]);
      const live = running?.exchange.story(exchangeId, callUuid);
      const isSeen = record !== undefined || (Boolean(told ?? live) && (await seesUnrecorded(callUuid, context)));
      if (!isSeen) return notFound(callUuid);
      // The traces know no exchange: the call was just found in ours.
      const messages = hasRight(staff, "see-setup") ? await tracesOf(db, callUuid) : [];
      const ladder = messages.slice(0, MOST_RUNGS).map(({ text, ...rung }) => ({ ...rung, label: labelOf(text) }));
      return {
        cdr: record?.cdr ?? null,
        legs: record?.legs ?? [],
        story: live && !record ? [...live] : storyOf(told),
        forms: forms.filter(({ extension }) => seesExtension(scope, extension)),
        notes,
        ladder,
        rungs: messages.length,
        /** Whoever looks again may see more. */
        grows: !record || clock.wall() - record.cdr.endStamp.getTime() < GROWS_AFTER_END_MS,
      };
    },
  }),

  /** One message of the ladder, whole, with its body; secrets were masked when it was written down. */
  "calls.message": operation({
    right: "see-setup",
    reads: true,
    parameters: Type.Object({ uuid: uuid(), rung: whole(0, MOST_RUNGS - 1) }),
    async handle({ uuid: sent, rung }, context) {
      const callUuid = sent.toLowerCase();
      const message = (await sees(callUuid, context)) ? (await tracesOf(context.db, callUuid))[rung] : undefined;
      return message ? { text: message.text } : notFound(callUuid);
    },
  }),

  "calls.hangUp": operation({
    right: "steer-calls",
    apart: true,
    parameters: Type.Object({ uuid: uuid() }),
    async handle({ uuid: sent }, context) {
      const { exchangeId, running } = context;
      if (!running) return { refused: "not-running" } as const;
      if (!seesLive(sent.toLowerCase(), context)) return NO_SUCH_CALL;
      const done = running.exchange.hangUp(exchangeId, sent.toLowerCase(), "supervisor");
      return done === "done" ? {} : done;
    },
  }),

  "calls.transfer": operation({
    right: "steer-calls",
    apart: true,
    parameters: Type.Object({ uuid: uuid(), extension: name(8) }),
    async handle({ uuid: sent, extension }, context) {
      const { exchangeId, running, limit } = context;
      if (!running) return { refused: "not-running" } as const;
      if (!seesLive(sent.toLowerCase(), context)) return NO_SUCH_CALL;
      const done = await running.exchange.transfer(exchangeId, sent.toLowerCase(), extension, limit);
      return done === "done" ? {} : done;
    },
  }),

  "calls.send": operation({
    right: "steer-calls",
    apart: true,
    parameters: Type.Object({ uuid: uuid(), target: name(300) }),
    async handle({ uuid: sent, target: written }, context) {
      const { db, exchangeId, running, limit } = context;
      if (!running) return { refused: "not-running" } as const;
      if (!seesLive(sent.toLowerCase(), context)) return NO_SUCH_CALL;
      const checked = await checkTarget(written, "menu", { db, exchangeId });
      if (!("target" in checked)) return { refused: "bad-target", target: written, why: checked } as const;
      const target = parseTarget(checked.target) as Target; // as it was just printed
      const done = await running.exchange.send(exchangeId, sent.toLowerCase(), target, limit);
      return done === "done" ? {} : done;
    },
  }),

  /** Without an extension to oneself. */
  "calls.pull": operation({
    right: "supervise",
    apart: true,
    parameters: Type.Object({ waiting: uuid(), extension: Type.Optional(name(8)) }),
    told({ waiting, extension }, context) {
      const { callUuid: call, caller, queue } = waiterAt(waiting, context) ?? {};
      return { call, caller, queue, extension: extension ?? context.staff.extension };
    },
    async handle({ waiting, extension }, context) {
      const { exchangeId, running, staff, scope } = context;
      if (!running) return { refused: "not-running" } as const;
      const waiter = waiterAt(waiting, context);
      if (!waiter || !seesQueue(scope, waiter.queue)) return NO_SUCH_CALL;
      const to = extension ?? staff.extension;
      if (to === null) return { refused: "missing-extension" } as const;
      if (!seesExtension(scope, to)) return { refused: "extension-not-found", extension: to } as const;
      const done = await running.exchange.pull(exchangeId, { waiting: waiter.id, extension: to, by: staff.name });
      return done === "done" ? {} : done;
    },
  }),

  "calls.begin": operation({
    right: "begin-calls",
    apart: true,
    parameters: Type.Object({ extension: name(8), destination: name(32) }),
    async handle({ extension, destination }, { exchangeId, running, limit, scope }) {
      if (!running) return { refused: "not-running" } as const;
      if (!seesExtension(scope, extension)) return { refused: "extension-not-found", extension } as const;
      const wanted = { extension, destination, manualAnswer: true, seconds: 30, announcements: {} };
      return running.exchange.originate(exchangeId, wanted, limit);
    },
  }),

  "calls.supervise": operation({
    right: "supervise",
    apart: true,
    parameters: Type.Object({
      extension: name(8),
      mode: Type.Enum(["listen", "whisper", "join", "take-over"]),
      /** That call, and no other of the extension. */
      uuid: Type.Optional(uuid()),
    }),
    async handle({ extension, mode, uuid: sent }, { exchangeId, running, staff, limit, scope }) {
      if (!running) return { refused: "not-running" } as const;
      if (!seesExtension(scope, extension)) return { refused: "extension-not-found", extension } as const;
      if (staff.extension === null) return { refused: "missing-extension" } as const;
      const by = { doer: "staff", who: staff.email } as const;
      const wanted = { supervisor: staff.extension, extension, mode, by, call: sent?.toLowerCase() };
      return running.exchange.supervise(exchangeId, wanted, limit);
    },
  }),
};

/** Also what a call answers that is not one's own: nobody learns which calls there are. */
const NO_SUCH_CALL = { refused: "no-such-call" } as const;

/** By his place in the line, which is nobody's but the floor's. */
function waiterAt(place: string, { running, exchangeId }: Pick<ConsoleContext, "running" | "exchangeId">) {
  return running?.exchange.waiting(exchangeId).find(({ id }) => id === place.toLowerCase());
}

/** Whether a call that is up is one of those that this person sees. */
function seesLive(callUuid: string, { running, exchangeId, scope }: ConsoleContext): boolean {
  if (scope === "everything") return true;
  const call = running?.panel.call(exchangeId, callUuid);
  return call !== undefined && seesCall(scope, call);
}

const notFound = (which: string) => ({ refused: "not-found", what: "call", which }) as const;

/** Whether a call that was or is up is of this exchange, and one of those that this person sees. */
async function sees(callUuid: string, context: ConsoleContext): Promise<boolean> {
  const { db, exchangeId, running, scope } = context;
  if (await hasCdr(db, exchangeId, callUuid, withinOf(scope))) return true;
  const told = running?.exchange.story(exchangeId, callUuid) ?? (await readStory(db, exchangeId, callUuid));
  return told !== undefined && seesUnrecorded(callUuid, context);
}

/** A call of which this person sees no record: it is up, or the record is not for him. */
async function seesUnrecorded(callUuid: string, context: ConsoleContext): Promise<boolean> {
  if (context.scope === "everything") return true;
  return seesLive(callUuid, context) && !(await hasCdr(context.db, context.exchangeId, callUuid));
}
