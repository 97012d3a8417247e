// The NOTIFY that tells a phone how the transfer it asked for went (RFC 3515 2.4.4): a status line in a fragment.

import type { RequestOptions } from "../../sip/dialog.ts";
import { reasonOf } from "../../sip/status.ts";
import type { Ending } from "../calls/call-machine.ts";
import { statusFor } from "../causes.ts";

export function transferNotice(ending: Ending | undefined): RequestOptions {
  const status = ending ? (ending.sip?.status ?? statusFor(ending.cause)) : 200;
  return {
    headers: [
      { name: "Event", value: "refer" },
      { name: "Subscription-State", value: "terminated;reason=noresource" },
      { name: "Content-Type", value: "message/sipfrag;version=2.0" },
    ],
    body: `SIP/2.0 ${status} ${reasonOf(status)}\r\n`,
  };
}
