// Answers a call as a fax machine does, and receives what comes.

import type { FaxEvent } from "../../../media/fax/fax-engine.ts";
import type { Led } from "../../calls/call.ts";
import type { Guide } from "../../lead/guide.ts";
import { runFax } from "./fax-line.ts";
import type { FaxRoom } from "./fax-room.ts";
import { stationIdOf } from "./station-id.ts";

/** Undefined: this exchange was built without a fax machine. */
export type FaxNeeds = { room: FaxRoom | undefined };

const NO_MACHINE = "this exchange has no fax machine";

export async function leadToFaxMachine(guide: Guide<FaxNeeds>, { email }: { email?: string }): Promise<Led> {
  const { call, leg, signal, media, clock } = guide;
  const { room } = guide.has;
  const whyNot = room ? await room.whyNot() : NO_MACHINE;
  if (!room || !leg || whyNot !== undefined) {
    call.tell(`no fax can be received: ${whyNot}`);
    return { failed: { cause: "FACILITY_NOT_IMPLEMENTED" } };
  }
  call.tell("is taken to the fax machine");
  await guide.line().answer();
  const hear = (event: FaxEvent) => tellAbout(guide, event);
  const { ok, pages, text, rate, t38 } = await room.receive(call, {
    email,
    run: (tiff) =>
      runFax(
        { leg, signal, media, clock, fax: room.engine },
        { role: "receive", pages: { tiff }, stationId: stationIdOf(call.facts.destinationNumber), hear },
      ),
  });
  const way = t38 ? "T.38" : "sound";
  call.tell(ok ? `sent a fax of ${pages} pages at ${rate} by ${way}` : `sent ${pages} pages, then: ${text}`);
  return { failed: { cause: "NORMAL_CLEARING" } };
}

/** For the story of the call: who the other machine says it is, and each page. */
export function tellAbout({ call }: Guide, event: FaxEvent): void {
  if (event.is === "met") call.tell(`the fax machine calls itself "${event.remoteStationId ?? ""}"`);
  if (event.is === "page") call.tell(`page ${event.confirmed} is over`);
}
