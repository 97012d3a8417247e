// What a caller dials before a number to show or to withhold his own for this one call, and what his phone says of it.

import { fromOf } from "../../sip/headers/addresses.ts";
import { hidesIdentity, isAnonymous, showsIdentity } from "../../sip/headers/privacy.ts";
import { remotePartyOf } from "../../sip/headers/remote-party.ts";
import type { Request } from "../../sip/message/message.ts";

/** As fixed lines have it (*31#), as mobile phones do (#31#), and for phones that take # for "dial now". */
const presentationCodes = [
  { code: "*31#", withheld: true },
  { code: "#31#", withheld: true },
  { code: "*67", withheld: true },
  { code: "*30#", withheld: false },
] as const;

/** The number behind the code; `withheld` is undefined where nothing was said. */
export function readPresentation(dialled: string): { dialled: string; withheld: boolean | undefined } {
  const found = presentationCodes.find(({ code }) => dialled.startsWith(code) && dialled.length > code.length);
  return found
    ? { dialled: dialled.slice(found.code.length), withheld: found.withheld }
    : { dialled, withheld: undefined };
}

/** What the phone's own settings or keys make its INVITE say (RFC 3323, RFC 3325). */
export function presentationIn(request: Request): boolean | undefined {
  if (showsIdentity(request)) return false;
  const hides = hidesIdentity(request) || isAnonymous(fromOf(request).uri) || remotePartyOf(request)?.hidesNumber;
  return hides ? true : undefined;
}
