// Calls that were, with their stories and ladders, and calls that are.

import { Type } from "typebox";
import { storyOf } from "../../../exchange/calls/story.ts";
import { labelOf } from "../../../exchange/signalling/trace/ladder.ts";
import { formsOfCall } from "../../../store/call-forms.ts";
import { findCdr, listCdrs } from "../../../store/cdrs.ts";
import { readStory } from "../../../store/live-calls.ts";
import { tracesOf } from "../../../store/sip-traces.ts";
import { operation } from "../operation/operation.ts";
import { callFilterOf, callSearch } from "./call-filter.ts";
import { name, pageFields, uuid, whole } from "./fields.ts";

const MOST_RUNGS = 500;

export const calls = {
  "calls.list": operation({
    role: "read-only",
    reads: true,
    parameters: Type.Object({ ...callSearch, ...pageFields }),
    async handle({ page, limit, ...wanted }, { db, exchangeId }) {
      return listCdrs(db, exchangeId, await callFilterOf(wanted, { db, exchangeId }), { page, limit });
    },
  }),

  "calls.show": operation({
    role: "read-only",
    reads: true,
    parameters: Type.Object({ uuid: uuid() }),
    async handle({ uuid: sent }, { db, exchangeId }) {
      const callUuid = sent.toLowerCase();
      const [record, told, forms] = await Promise.all([
        findCdr(db, exchangeId, callUuid),
        readStory(db, exchangeId, callUuid),
        formsOfCall(db, exchangeId, callUuid),
      ]);
      if (!record && !told) return { refused: "not-found", what: "call", which: callUuid } as const;
      // The traces know no exchange: the call was just found in ours.
      const messages = await tracesOf(db, callUuid);
      const ladder = messages.slice(0, MOST_RUNGS).map(({ text, ...rung }) => ({ ...rung, label: labelOf(text) }));
      return {
        cdr: record?.cdr ?? null,
        legs: record?.legs ?? [],
        story: storyOf(told),
        forms,
        ladder,
        rungs: messages.length,
      };
    },
  }),

  /** One message of the ladder, whole, with its body; secrets were masked when it was written down. */
  "calls.message": operation({
    role: "read-only",
    reads: true,
    parameters: Type.Object({ uuid: uuid(), rung: whole(0, MOST_RUNGS - 1) }),
    async handle({ uuid: sent, rung }, { db, exchangeId }) {
      const callUuid = sent.toLowerCase();
      const isOurs = (await findCdr(db, exchangeId, callUuid)) ?? (await readStory(db, exchangeId, callUuid));
      const message = isOurs ? (await tracesOf(db, callUuid))[rung] : undefined;
      return message ? { text: message.text } : ({ refused: "not-found", what: "call", which: callUuid } as const);
    },
  }),

  "calls.hangUp": operation({
    role: "standard",
    apart: true,
    parameters: Type.Object({ uuid: uuid() }),
    async handle({ uuid: sent }, { exchangeId, running }) {
      if (!running) return { refused: "not-running" } as const;
      const done = running.exchange.hangUp(exchangeId, sent.toLowerCase(), "supervisor");
      return done === "done" ? {} : done;
    },
  }),

  "calls.transfer": operation({
    role: "standard",
    apart: true,
    parameters: Type.Object({ uuid: uuid(), extension: name(8) }),
    async handle({ uuid: sent, extension }, { exchangeId, running, limit }) {
      if (!running) return { refused: "not-running" } as const;
      const done = await running.exchange.transfer(exchangeId, sent.toLowerCase(), extension, limit);
      return done === "done" ? {} : done;
    },
  }),

  "calls.begin": operation({
    role: "standard",
    apart: true,
    parameters: Type.Object({ extension: name(8), destination: name(32) }),
    async handle({ extension, destination }, { exchangeId, running, limit }) {
      if (!running) return { refused: "not-running" } as const;
      const wanted = { extension, destination, manualAnswer: true, seconds: 30, announcements: {} };
      return running.exchange.originate(exchangeId, wanted, limit);
    },
  }),

  "calls.supervise": operation({
    role: "administrator",
    apart: true,
    parameters: Type.Object({ extension: name(8), mode: Type.Enum(["listen", "whisper", "join"]) }),
    async handle({ extension, mode }, { exchangeId, running, staff, limit }) {
      if (!running) return { refused: "not-running" } as const;
      if (staff.extension === null) return { refused: "missing-extension" } as const;
      const wanted = { supervisor: staff.extension, extension, mode, by: { doer: "staff", who: staff.email } as const };
      return running.exchange.supervise(exchangeId, wanted, limit);
    },
  }),
};
