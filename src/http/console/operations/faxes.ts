// Faxes at work: those that came, read and assigned; those that go out, with their tries, sent on, sent now and taken back.

import { Type } from "typebox";
import {
  assignFax,
  type FaxPages,
  type FaxReader,
  faxColleagues,
  listReceivedFaxes,
  markFax,
  receivedPages,
} from "../../../store/fax-inbox.ts";
import {
  cancelFax,
  faxOrderStates,
  listOutgoingFaxes,
  outgoingPages,
  sendFaxNow,
  triesOfFax,
} from "../../../store/fax-outbox.ts";
import { orderFax, refusedFax } from "../../exchange/fax-order.ts";
import { forward } from "../operation/forward.ts";
import { type ConsoleContext, operation } from "../operation/operation.ts";
import { email, id, lines, moment, name, nothing, orNothing, pageFields, text, uuid } from "./fields.ts";

const MEBIBYTE = 1024 * 1024;
const NUMBER_LENGTH = 32;

const noFax = (which: string) => ({ refused: "not-found", what: "fax", which }) as const;
/** It is over, or never was. */
const noOrder = (id: number) => ({ refused: "not-found", what: "fax order", which: String(id) }) as const;

const search = {
  from: Type.Optional(moment()),
  before: Type.Optional(moment()),
  about: Type.Optional(text(64)),
};

export const faxes = {
  "faxes.list": operation({
    right: "see-faxes",
    reads: true,
    parameters: Type.Object({
      ...search,
      read: Type.Optional(Type.Boolean()),
      success: Type.Optional(Type.Boolean()),
      /** "" is nobody. */
      assignedTo: Type.Optional(text()),
      ...pageFields,
    }),
    handle({ page, limit, read, success, assignedTo, ...wanted }, context) {
      const filter = { ...searched(wanted), read, success, assignedTo, ...readerOf(context) };
      return listReceivedFaxes(context.db, context.exchangeId, filter, { page, limit });
    },
  }),

  "faxes.mark": operation({
    right: "handle-faxes",
    parameters: Type.Object({ uuid: uuid(), read: Type.Boolean() }),
    async handle({ uuid, read }, context) {
      const { db, clock } = context;
      const fax = faxSeen(uuid, context);
      return (await markFax(db, fax, read ? new Date(clock.wall()) : null)) ? {} : noFax(fax.callUuid);
    },
  }),

  "faxes.colleagues": operation({
    right: "see-faxes",
    reads: true,
    parameters: nothing,
    handle: (_, { db, exchangeId }) => faxColleagues(db, exchangeId),
  }),

  "faxes.assign": operation({
    right: "handle-faxes",
    parameters: Type.Object({ uuid: uuid(), to: Type.Union([email(), Type.Null()]) }),
    async handle({ uuid, to }, context) {
      const { db, exchangeId } = context;
      const fax = faxSeen(uuid, context);
      const colleague = to === null ? null : (await faxColleagues(db, exchangeId)).find(({ email }) => email === to);
      if (colleague === undefined) return { refused: "not-found", what: "staff account", which: String(to) } as const;
      return (await assignFax(db, fax, colleague)) ? {} : noFax(fax.callUuid);
    },
  }),

  "faxes.outbox": operation({
    right: "see-sent-faxes",
    reads: true,
    parameters: Type.Object({
      ...search,
      states: Type.Optional(Type.Array(Type.Enum([...faxOrderStates]), { maxItems: faxOrderStates.length })),
      ...pageFields,
    }),
    handle: ({ page, limit, states, ...wanted }, { db, exchangeId }) =>
      listOutgoingFaxes(db, exchangeId, { ...searched(wanted), states }, { page, limit }),
  }),

  "faxes.order": operation({
    right: "see-sent-faxes",
    reads: true,
    parameters: Type.Object({ id: id() }),
    async handle({ id }, { db, exchangeId }) {
      const { rows } = await listOutgoingFaxes(db, exchangeId, { id }, { page: 1, limit: 1 });
      const [order] = rows;
      return order ? { order, tries: await triesOfFax(db, exchangeId, id) } : noOrder(id);
    },
  }),

  "faxes.send": operation({
    right: "send-faxes",
    apart: true,
    hides: ["content"],
    longestBody: 29 * MEBIBYTE,
    carries: "content",
    parameters: Type.Object({
      to: name(NUMBER_LENGTH),
      from: orNothing(NUMBER_LENGTH),
      content: lines(28 * MEBIBYTE),
    }),
    async handle({ to, from }, context) {
      const { faxes, uploaded } = context;
      if (!faxes) return { refused: "not-running" } as const;
      const order = { remote_station_id: to, local_station_id: from || undefined, filedata: uploaded };
      return forward(orderFax, order, { ...context, faxes });
    },
  }),

  /** The pages of a fax that came, or that went out before. */
  "faxes.sendAgain": operation({
    right: "send-faxes",
    apart: true,
    parameters: Type.Object({
      fax: Type.Union([Type.Object({ uuid: uuid() }), Type.Object({ id: id() })]),
      to: name(NUMBER_LENGTH),
      from: orNothing(NUMBER_LENGTH),
    }),
    async handle({ fax, to, from }, context) {
      const { faxes, exchangeId, limit } = context;
      if (!faxes) return { refused: "not-running" } as const;
      const pages = await pagesOf(fax, context);
      if (!pages) return { refused: "fax", no: { refused: "pages-gone" } } as const;
      const document = { kept: pages.objectKey };
      const wanted = { to, from: from || undefined, header: "", document, fineness: "fine" } as const;
      const ordered = await faxes.order(exchangeId, wanted, limit);
      return "refused" in ordered ? refusedFax(ordered, "remote_station_id").refusal : ordered;
    },
  }),

  "faxes.sendNow": operation({
    right: "send-faxes",
    apart: true,
    parameters: Type.Object({ id: id() }),
    async handle({ id }, { exchangeId, faxes, record }) {
      if (!faxes) return { refused: "not-running" } as const;
      const moved = await record(async ({ db }) => ((await sendFaxNow(db, exchangeId, id)) ? {} : noOrder(id)));
      if (!("refused" in moved)) faxes.due();
      return moved;
    },
  }),

  /** A call that goes on for it is hung up. */
  "faxes.cancel": operation({
    right: "send-faxes",
    apart: true,
    parameters: Type.Object({ id: id() }),
    async handle({ id }, { exchangeId, faxes, clock, record }) {
      const cancelled = await record(
        async ({ db }) => (await cancelFax(db, { exchangeId, id, nowMs: clock.wall() })) ?? noOrder(id),
      );
      if ("refused" in cancelled) return cancelled;
      if (cancelled.callUuid !== null) faxes?.dropped(cancelled.callUuid);
      return {};
    },
  }),
};

/** Who is about a part of the exchange sees what was given to him. */
export function readerOf({ scope, staff }: Pick<ConsoleContext, "scope" | "staff">): FaxReader {
  return { only: scope === "everything" ? undefined : staff.id };
}

type Which = { uuid: string } | { id: number };

function pagesOf(fax: Which, context: ConsoleContext): Promise<FaxPages | undefined> {
  const { db, exchangeId } = context;
  return "id" in fax ? outgoingPages(db, exchangeId, fax.id) : receivedPages(db, faxSeen(fax.uuid, context));
}

/** A fax by its call, as far as this person sees it. */
function faxSeen(uuid: string, context: ConsoleContext) {
  return { ...readerOf(context), callUuid: uuid.toLowerCase(), exchangeId: context.exchangeId };
}

function searched({ from, before, about = "" }: { from?: string; before?: string; about?: string }) {
  const looked = asDigits(about.trim());
  return {
    from: from === undefined ? undefined : new Date(from),
    before: before === undefined ? undefined : new Date(before),
    about: looked === "" ? undefined : looked,
  };
}

/** A number is written in many ways; what all of them share is behind the signs of the country. */
function asDigits(about: string): string {
  if (!/^[\d\s+()./-]+$/.test(about)) return about;
  return about.replace(/\D/g, "").replace(/^(00)?(90|0)(?=\d)/, "");
}
