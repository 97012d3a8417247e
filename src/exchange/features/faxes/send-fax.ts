// One call of a fax order: the number is rung, and whatever answers is sent the pages it does not have yet.

import type { FaxResult } from "../../../media/fax/fax-engine.ts";
import type { FaxOrder } from "../../../store/fax-orders.ts";
import type { Call, Led } from "../../calls/call.ts";
import type { Goal } from "../../calls/goal.ts";
import { type OpenCallParts, openCall } from "../../calls/open-call.ts";
import type { Guide } from "../../lead/guide.ts";
import type { SomeScripts } from "../../lead/scripts.ts";
import { phoneNumber } from "../../plan/numbers.ts";
import type { SettingsBook } from "../../plan/settings.ts";
import { type FaxNeeds, faxed, leadToFaxMachine, tellAbout } from "./receive-fax.ts";
import { runFax } from "./run-fax.ts";
import { headerOf, stationIdOf } from "./station-id.ts";

/** What a call of an order carries with it. */
export type FaxSending = {
  order: FaxOrder;
  /** The whole document. */
  tiff: string;
  /** So many pages of the document are whole at the receiver. */
  confirmed(pages: number): void;
  /** The machine has begun; what came of it is known even when the call is over before. */
  faxing(result: Promise<FaxResult>): void;
};

declare module "../../calls/goal.ts" {
  interface Goals {
    /** A fax order's pages, for whatever has answered. */
    "send fax": { sending: FaxSending };
  }
}

export function faxScripts(needs: FaxNeeds) {
  return {
    goals: { "send fax": (guide, { sending }) => leadToSending(guide.having(needs), sending) },
    targets: { fax: (guide, target) => leadToFaxMachine(guide.having(needs), target) },
  } satisfies SomeScripts;
}

export type PlaceFaxCallParts = {
  settings: SettingsBook;
  calls: OpenCallParts;
  /** The exchange is stopping or cannot keep up. */
  takesNothing(): boolean;
};

/** Undefined: no call leaves now. */
export type PlaceFaxCall = (callUuid: string, sending: FaxSending) => Promise<Call<Goal> | undefined>;

const RING_SECONDS = 60;

export function placesFaxCalls({ settings, calls, takesNothing }: PlaceFaxCallParts): PlaceFaxCall {
  return async (callUuid, sending) => {
    const { order } = sending;
    const book = await settings.of(order.exchangeId);
    if (!book || takesNothing()) return undefined;
    const { localStationId: callerId, remoteStationId: number, confirmedPages, pages } = order;
    const [rung, shown] = [phoneNumber(number), phoneNumber(callerId)];
    const unread: Goal = { is: "dialled", number, by: "" }; // the office takes none: its story ends with what is wrong
    return openCall(calls, {
      book,
      recordingWanted: false,
      facts: {
        uuid: callUuid,
        direction: "outbound",
        origin: "api",
        callerNumber: callerId,
        callerName: order.localStationHeader,
        outboundCallerId: callerId,
        destinationNumber: number,
        destinationName: "",
      },
      told: [{ is: "fax-order", order: order.id, number, from: confirmedPages + 1, to: pages }],
      begin: {
        fetch:
          rung && shown ? { is: "outside", number: rung, callerId: shown, seconds: RING_SECONDS, isFax: true } : unread,
        goal: { is: "send fax", sending },
      },
    });
  };
}

async function leadToSending(guide: Guide<FaxNeeds>, sending: FaxSending): Promise<Led> {
  const { call, leg, signal, book, media, clock } = guide;
  const { room } = guide.has;
  const { order, tiff } = sending;
  if (!room || !leg) return { failed: { cause: "FACILITY_NOT_IMPLEMENTED" } };
  await guide.attendant().accept();
  const { timeZone } = book.settings;
  const faxing = runFax(
    { leg, signal, media, clock, fax: room.engine },
    {
      role: "send",
      pages: { tiff },
      fromPage: order.confirmedPages + 1,
      stationId: stationIdOf(order.localStationId),
      header: headerOf(order, { atMs: clock.wall(), timeZone }),
      hear: (event) => {
        if (event.is === "page") sending.confirmed(order.confirmedPages + event.confirmed);
        tellAbout(guide, event);
      },
    },
  );
  sending.faxing(faxing);
  call.tell(faxed("took", await faxing));
  return { failed: { cause: "NORMAL_CLEARING" } };
}
