// A party that an earlier process left unanswered: whoever called goes on waiting, and whoever rings goes on ringing.

import { requestIn } from "../../sip/kept-invite.ts";
import type { KeptRinging } from "../calls/kept-leg.ts";
import type { Leg } from "../calls/leg.ts";
import { callerAgain } from "./incoming-leg.ts";
import type { LegParts } from "./leg-parts.ts";
import { outgoingLeg } from "./outgoing-leg.ts";
import type { ResumedLine } from "./resumed-leg.ts";

export function resumedRinging(parts: LegParts, { invite, ...kept }: KeptRinging, line: ResumedLine): Leg {
  const { id, party, codecs, t38, endsWithUs } = kept;
  const terms = { ...kept.terms, connected: line.connected };
  const who = { id, party, of: line.of, codecs, t38, endsWithUs, terms, account: line.account };
  if ("taken" in invite) return callerAgain(parts, who, { kept: { ...kept, invite }, line });
  const { asked, keepsFlow, takesTalk } = invite;
  const { uri } = requestIn(asked.invite);
  // Whom it shows, and what else was said to it, stands in the INVITE that it has.
  const there = {
    uri,
    destinations: [asked.destination] as const,
    keepsFlow,
    takesTalk,
    from: "",
    to: "",
    headers: [],
  };
  return outgoingLeg(parts, { ...who, ...there }, { kept: { ...kept, invite }, line });
}
