// Answers a call as a fax machine does, and receives what comes.

import type { FaxEvent, FaxResult } from "../../../media/fax/fax-engine.ts";
import type { Led } from "../../calls/call.ts";
import type { StoryFact } from "../../calls/story.ts";
import type { Guide } from "../../lead/guide.ts";
import type { FaxService } from "./fax-service.ts";
import { runFax } from "./run-fax.ts";
import { stationIdOf } from "./station-id.ts";

/** Undefined: this exchange was built without a fax machine. */
export type FaxNeeds = { room: FaxService | undefined };

export async function leadToFaxMachine(guide: Guide<FaxNeeds>, { email }: { email?: string }): Promise<Led> {
  const { call, leg, signal, media, clock } = guide;
  const { room } = guide.has;
  if (!room || !leg || (await room.whyNot()) !== undefined) {
    call.tell({ is: "no-fax", why: room ? "not-available" : "not-set-up" });
    return { failed: { cause: "FACILITY_NOT_IMPLEMENTED" } };
  }
  call.tell({ is: "to-fax-machine" });
  await guide.attendant().accept();
  const hear = (event: FaxEvent) => tellAbout(guide, event);
  const result = await room.receive(call, {
    email,
    run: (tiff) =>
      runFax(
        { leg, signal, media, clock, fax: room.engine },
        { role: "receive", pages: { tiff }, stationId: stationIdOf(call.facts.destinationNumber), hear },
      ),
  });
  call.tell(faxed("sent", result));
  return { failed: { cause: "NORMAL_CLEARING" } };
}

/** For the story of the call: who the other machine says it is, and each page. */
export function tellAbout({ call }: Guide, event: FaxEvent): void {
  if (event.is === "met") call.tell({ is: "fax-machine", name: event.remoteStationId ?? "" });
  if (event.is === "page") call.tell({ is: "fax-page", page: event.confirmed });
}

/** What the party on the line did with a fax in the end. */
export function faxed(role: "sent" | "took", { ok, pages, rate, t38, code }: FaxResult): StoryFact {
  return ok ? { is: "fax-done", role, pages, rate, t38 } : { is: "fax-failed", role, pages, code };
}
