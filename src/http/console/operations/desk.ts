// The agent's desk: who calls, what is written about it, what of it is owed, and how the day goes.

import { type Static, Type } from "typebox";
import { hasRight } from "../../../nouns/role.ts";
import { agentsOf } from "../../../reports/agent-figures.ts";
import {
  callsSeen,
  callsWith,
  contactWith,
  type DeskCall,
  deskQueues,
  deskSettings,
  ownCalls,
} from "../../../store/agent-desk.ts";
import {
  closeNote,
  dispositionsOwedBy,
  findCallNote,
  notesOfCalls,
  openNotesAbout,
  writeCallNote,
} from "../../../store/call-notes.ts";
import { extensionFigures } from "../../../store/reports.ts";
import { stretchOfToday } from "../../../store/reports-now.ts";
import { seesExtension, withinOf } from "../../../store/scope.ts";
import { oweTo, wantedBy } from "../../../webhooks/tell.ts";
import { type ConsoleContext, operation } from "../operation/operation.ts";
import { broughtTo, callAtDesk, storyOfCall } from "./desk-call.ts";
import { digits, lines, nothing, text, uuid } from "./fields.ts";

const LONGEST_NOTE = 10_000;
const LONGEST_TAG = 50;

const NO_PHONE = { refused: "missing-extension" } as const;
const noSuchCall = (which: string) => ({ refused: "not-found", what: "call", which }) as const;

const written = Type.Object({
  uuid: uuid(),
  /** Whose note it is; without it one's own. */
  extension: Type.Optional(digits(1, 8)),
  note: lines(LONGEST_NOTE),
  tags: Type.Array(Type.String({ minLength: 1, maxLength: LONGEST_TAG, pattern: "^[^,\\u0000-\\u001f]*$" }), {
    maxItems: 20,
  }),
  disposition: Type.Union([text(), Type.Null()]),
  open: Type.Boolean(),
});

export const desk = {
  "desk.show": operation({
    right: "desk",
    reads: true,
    parameters: nothing,
    async handle(_, { db, exchangeId, staff, clock }) {
      const settings = await deskSettings(db, exchangeId);
      const { extension } = staff;
      if (extension === null) return { ...settings, extension, owed: [], calls: [] };
      const now = new Date(clock.wall());
      const [owed, own] = await Promise.all([
        dispositionsOwedBy(db, exchangeId, extension),
        ownCalls(db, { exchangeId, extension, now }),
      ]);
      const notes = await notesOfCalls(
        db,
        exchangeId,
        own.map(({ callUuid }) => callUuid),
      );
      const mine = notes.filter((note) => note.extension === extension);
      const calls = own.map((call) => ({ ...call, note: mine.find((it) => it.callUuid === call.callUuid) ?? null }));
      return { ...settings, extension, owed, calls };
    },
  }),

  /** Who somebody is to us: of a call that is one's own, all that there was with him, whoever took it. */
  "desk.card": operation({
    right: "desk",
    reads: true,
    parameters: Type.Object({ uuid: uuid() }),
    async handle({ uuid: sent }, context) {
      const { db, exchangeId, staff, scope } = context;
      const callUuid = sent.toLowerCase();
      const extension = staff.extension ?? "";
      const call = await callAtDesk(callUuid, extension, context);
      if (!call) return noSuchCall(callUuid);
      const [contact, former, open, notes, own, queues, story] = await Promise.all([
        call.direction === "internal" ? undefined : contactWith(db, exchangeId, call.number),
        callsWith(db, { exchangeId, peer: call.peer, except: callUuid }),
        openNotesAbout(db, exchangeId, call.peer),
        notesOfCalls(db, exchangeId, [callUuid]),
        findCallNote(db, { exchangeId, callUuid, extension }),
        deskQueues(db, exchangeId),
        storyOfCall(callUuid, context),
      ]);
      const brought = broughtTo(extension, call, { story, owedTo: own?.owedTo ?? null });
      const calls = former.map((it) => it.callUuid);
      const [before, seen] = await Promise.all([
        notesOfCalls(db, exchangeId, calls),
        callsSeen(db, { exchangeId, calls, within: withinOf(scope) }),
      ]);
      return {
        call: brought,
        contact: contact ?? null,
        queue: queues.find(({ number }) => number === brought.queue) ?? null,
        keys: story.filter((line) => "is" in line && (line.is === "hears-menu" || line.is === "presses")),
        notes,
        open: open.filter((note) => note.callUuid !== callUuid),
        calls: former.map((it) => ({
          ...it,
          /** A colleague's call is told of here, and its own page is not for everybody. */
          isOpen: seen.has(it.callUuid),
          notes: before.filter((note) => note.callUuid === it.callUuid),
        })),
      };
    },
  }),

  /** An agent his own; whoever leads them, everybody's. */
  "desk.note": operation({
    right: "desk",
    hides: ["note"],
    parameters: written,
    async handle(sent, context) {
      const { staff, scope } = context;
      const extension = sent.extension ?? staff.extension;
      if (extension === null) return NO_PHONE;
      const leads = hasRight(staff, "supervise") && seesExtension(scope, extension);
      if (staff.extension !== extension && !leads) return { refused: "not-your-role", needs: "supervise" } as const;
      return writeNote(sent, extension, context);
    },
  }),

  "desk.closeNote": operation({
    right: "desk",
    parameters: Type.Object({ uuid: uuid(), about: uuid(), extension: digits(1, 8) }),
    /** `about`: the call by which one has to do with the one whom the note is about. */
    async handle({ uuid: sent, about, extension }, context) {
      const { db, exchangeId, staff, clock } = context;
      const callUuid = sent.toLowerCase();
      const call = await callAtDesk(about.toLowerCase(), staff.extension ?? "", context);
      const which = { exchangeId, callUuid, extension, peer: call?.peer ?? "" };
      const isClosed =
        which.peer !== "" &&
        (await closeNote(db, { ...which, exchangeId, by: staff.email, at: new Date(clock.wall()) }));
      return isClosed ? {} : noSuchCall(callUuid);
    },
  }),

  "desk.figures": operation({
    right: "desk",
    reads: true,
    parameters: nothing,
    async handle(_, { db, exchangeId, tenant, staff, clock }) {
      if (staff.extension === null) return NO_PHONE;
      const within = { extensions: [staff.extension], queues: [], calledAt: [] };
      const today = await stretchOfToday(db, { exchangeId, timeZone: tenant.timeZone, within });
      const [agents, extensions] = await Promise.all([agentsOf(db, today, clock.wall()), extensionFigures(db, today)]);
      const [agent, own] = [agents[0], extensions[0]];
      return {
        offered: agent?.offered ?? 0,
        answered: agent?.answered ?? 0,
        missed: agent?.missed ?? 0,
        made: own?.made ?? 0,
        talkSeconds: own?.talk ?? 0,
        wrapUpSeconds: agent?.wrapUpSeconds ?? 0,
        availableSeconds: agent?.availableSeconds ?? 0,
        breakSeconds: agent?.breakSeconds ?? 0,
        breaks: agent?.breaks ?? [],
      };
    },
  }),

  /** From a break, from one's notes, or in the morning: the next call may come. */
  "desk.ready": operation({
    right: "desk",
    apart: true,
    parameters: nothing,
    async handle(_, { exchangeId, running, staff, limit }) {
      if (!running) return { refused: "not-running" } as const;
      const { extension } = staff;
      if (extension === null) return NO_PHONE;
      const by = { doer: "staff", who: staff.email } as const;
      for (const request of ["resume", "logIn"] as const) {
        const moved = await running.exchange.moveAgent({ exchangeId, extension, request, by }, limit);
        if ("refused" in moved && moved.refused === "no-agent") return { refused: "no-agent" } as const;
        if (!("refused" in moved)) return {};
      }
      const ended = await running.exchange.endWrapUp(exchangeId, extension);
      return ended === "owes" ? ({ refused: "owes-disposition" } as const) : {};
    },
  }),
};

type Written = Static<typeof written>;

async function writeNote(sent: Written, extension: string, context: ConsoleContext) {
  const { db, exchangeId, staff, clock } = context;
  const callUuid = sent.uuid.toLowerCase();
  const [call, before] = await Promise.all([
    callAtDesk(callUuid, extension, context),
    findCallNote(db, { exchangeId, callUuid, extension }),
  ]);
  if (!call || !(call.isTheirs || before)) return noSuchCall(callUuid);
  const { disposition } = sent;
  const story = await storyOfCall(callUuid, context);
  const { queue } = broughtTo(extension, call, { story, owedTo: before?.owedTo ?? null });
  if (disposition !== null && disposition !== before?.disposition) {
    const of = (await deskQueues(db, exchangeId)).find(({ number }) => number === queue);
    if (!of?.dispositions.includes(disposition)) return { refused: "not-a-disposition", disposition } as const;
  }
  const at = new Date(clock.wall());
  const tags = [...new Set(sent.tags.map((tag) => tag.trim()).filter((tag) => tag !== ""))];
  const note = { note: sent.note.trim(), tags, disposition };
  const peer = call.peer || (before?.peer ?? "");
  const kept = { ...note, exchangeId, callUuid, extension, queue, peer, isOpen: sent.open, by: staff.email, at };
  const { isRecorded } = await writeCallNote(db, kept);
  const isNews = JSON.stringify(note) !== JSON.stringify(before && toldOf(before));
  if (isRecorded && isNews) await tell(call, { extension, ...note }, context);
  return {};
}

const toldOf = ({ note, tags, disposition }: { note: string; tags: string[]; disposition: string | null }) => ({
  note,
  tags,
  disposition,
});

type Told = { extension: string; note: string; tags: string[]; disposition: string | null };

async function tell({ callUuid, direction, number, queue }: DeskCall, told: Told, context: ConsoleContext) {
  const { db, exchangeId, clock } = context;
  const event = {
    ...told,
    is: "call_note",
    exchangeId,
    callUuid,
    direction,
    number,
    queue: queue ?? undefined,
    writtenMs: clock.wall(),
  } as const;
  await oweTo(db, await wantedBy(db, [event]), [event]);
}
