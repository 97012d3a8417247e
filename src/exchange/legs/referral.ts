// What a phone's REFER asks for: a number to be sent to, or a dialog to be put in the place of.

import { referToOf } from "../../sip/headers/addresses.ts";
import { parseReplaces } from "../../sip/headers/replaces.ts";
import { isMalformed } from "../../sip/malformed.ts";
import type { Request } from "../../sip/message.ts";
import { parseUri } from "../../sip/uri.ts";
import type { Referral } from "../calls/leg.ts";

export function readReferral(request: Request): Referral | undefined {
  const address = referToOf(request);
  if (address === undefined || isMalformed(address)) return undefined;
  const uri = parseUri(address.uri);
  if (isMalformed(uri)) return undefined;
  if (uri.scheme === "tel") return { to: uri.number };
  if (uri.scheme === "other" || uri.user === undefined) return undefined;
  const to = uri.user;
  const replaced = uri.headers.find(({ name }) => name.toLowerCase() === "replaces")?.value;
  if (replaced === undefined) return { to };
  const dialog = parseReplaces(replaced);
  // Seen from the phone: its remote tag is the one we gave it.
  return isMalformed(dialog)
    ? undefined
    : { to, replaces: { callId: dialog.callId, localTag: dialog.toTag, remoteTag: dialog.fromTag } };
}
