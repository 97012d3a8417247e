// Calls that were, with their stories and ladders, and calls that are.

import { Type } from "typebox";
import { storyOf } from "../../../exchange/calls/story.ts";
import { labelOf } from "../../../exchange/signalling/trace/ladder.ts";
import { findCdr, listCdrs } from "../../../store/cdrs.ts";
import { readStory } from "../../../store/live-calls.ts";
import { tracesOf } from "../../../store/sip-traces.ts";
import { operation } from "../operation/operation.ts";
import { callFilterOf, callWish } from "./call-filter.ts";
import { name, pageFields, uuid } from "./fields.ts";

const MOST_RUNGS = 500;

export const calls = {
  "calls.list": operation({
    role: "read-only",
    parameters: Type.Object({ ...callWish, ...pageFields }),
    async handle({ page, limit, ...wish }, { db, exchangeId }) {
      return listCdrs(db, exchangeId, await callFilterOf(wish, { db, exchangeId }), { page, limit });
    },
  }),

  "calls.show": operation({
    role: "read-only",
    parameters: Type.Object({ uuid: uuid() }),
    async handle({ uuid: sent }, { db, exchangeId }) {
      const callUuid = sent.toLowerCase();
      const [record, told] = await Promise.all([
        findCdr(db, exchangeId, callUuid),
        readStory(db, exchangeId, callUuid),
      ]);
      if (!record && !told) return { refused: "not-found", what: "call", which: callUuid } as const;
      // The traces know no exchange: the call was just found in ours.
      const messages = await tracesOf(db, callUuid);
      const ladder = messages.slice(0, MOST_RUNGS).map(({ atMs, direction, peer, text }) => ({
        ...{ atMs, direction, peer, text, label: labelOf(text) },
      }));
      return {
        cdr: record?.cdr ?? null,
        legs: record?.legs ?? [],
        story: storyOf(told),
        ladder,
        rungs: messages.length,
      };
    },
  }),

  "calls.hangUp": operation({
    role: "standard",
    does: "hung up a call",
    apart: true,
    parameters: Type.Object({ uuid: uuid() }),
    async handle({ uuid: sent }, { exchangeId, running }) {
      if (!running) return { refused: "not-running" } as const;
      const done = running.exchange.hangUp(exchangeId, sent.toLowerCase());
      return done === "done" ? {} : done;
    },
  }),

  "calls.transfer": operation({
    role: "standard",
    does: "transferred a call",
    apart: true,
    parameters: Type.Object({ uuid: uuid(), extension: name(8) }),
    async handle({ uuid: sent, extension }, { exchangeId, running }) {
      if (!running) return { refused: "not-running" } as const;
      const done = await running.exchange.transfer(exchangeId, sent.toLowerCase(), extension);
      return done === "done" ? {} : done;
    },
  }),

  "calls.begin": operation({
    role: "standard",
    does: "began a call",
    apart: true,
    parameters: Type.Object({ extension: name(8), destination: name(32) }),
    async handle({ extension, destination }, { exchangeId, running }) {
      if (!running) return { refused: "not-running" } as const;
      const wish = { extension, destination, manualAnswer: true, seconds: 30, announcements: {} };
      return running.exchange.originate(exchangeId, wish);
    },
  }),

  "calls.supervise": operation({
    role: "administrator",
    does: "asked to supervise an extension",
    apart: true,
    parameters: Type.Object({ extension: name(8), mode: Type.Enum(["listen", "whisper", "join"]) }),
    async handle({ extension, mode }, { exchangeId, running, staff }) {
      if (!running) return { refused: "not-running" } as const;
      if (staff.extension === null) return { refused: "missing-extension" } as const;
      const wish = { supervisor: staff.extension, extension, mode, who: staff.email };
      return running.exchange.supervise(exchangeId, wish);
    },
  }),
};
