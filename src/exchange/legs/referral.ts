// What a phone's REFER asks for, in the exchange's words: a number to be sent to, or a dialog to take the place of.

import { isMalformed } from "../../sip/message/malformed.ts";
import type { Request } from "../../sip/message/message.ts";
import { userIn } from "../../sip/message/uri.ts";
import { transferIn } from "../../sip/refer.ts";
import type { Referral } from "../calls/leg.ts";

export function readReferral(request: Request): Referral | undefined {
  const transfer = transferIn(request);
  if (isMalformed(transfer)) return undefined;
  const to = userIn(transfer.target);
  if (to === undefined) return undefined;
  if (!transfer.replaces) return { to };
  // Seen from the phone: its remote tag is the one we gave it.
  const { callId, toTag, fromTag } = transfer.replaces;
  return { to, replaces: { callId, localTag: toTag, remoteTag: fromTag } };
}
