// One call of a fax order: the number is rung, and whatever answers is sent the pages it does not have yet.

import type { FaxResult } from "../../../media/fax/fax-engine.ts";
import type { FaxOrder } from "../../../store/fax-orders.ts";
import type { Call, Led } from "../../calls/call.ts";
import type { Goal } from "../../calls/goal.ts";
import { type OpenCallParts, openCall } from "../../calls/open-call.ts";
import type { ExchangeParts } from "../../exchange-parts.ts";
import type { Guide } from "../../lead/guide.ts";
import { runFax } from "./fax-line.ts";
import { faxed, tellAbout } from "./receive-fax.ts";
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

export type PlaceFaxCallParts = {
  settings: ExchangeParts["settings"];
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
    return openCall(calls, {
      book,
      recordingWished: false,
      facts: {
        ...{ uuid: callUuid, direction: "outbound", origin: "api" },
        ...{ callerNumber: callerId, callerName: order.localStationHeader, outboundCallerId: callerId },
        ...{ destinationNumber: number, destinationName: "" },
      },
      told: [{ is: "fax-order", order: order.id, number, from: confirmedPages + 1, to: pages }],
      begin: {
        fetch: { is: "outside", number, callerId, seconds: RING_SECONDS },
        goal: { is: "send fax", sending },
      },
    });
  };
}

export async function leadToSending(guide: Guide, { sending }: { sending: FaxSending }): Promise<Led> {
  const { call, exchange, leg, signal, book } = guide;
  const { fax: room, media, clock } = exchange;
  const { order, tiff } = sending;
  if (!room || !leg) return { failed: { cause: "FACILITY_NOT_IMPLEMENTED" } };
  await guide.line().answer();
  const { timeZone } = book.settings;
  const faxing = runFax(
    { leg, signal, media, clock, fax: room.engine },
    {
      role: "send",
      pages: { tiff },
      fromPage: order.confirmedPages + 1,
      stationId: stationIdOf(order.localStationId),
      header: headerOf(order, { atMs: clock.now(), timeZone }),
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
