// The NOTIFY that tells a phone how the transfer it asked for went, and that there is no more to tell (RFC 3515 2.4.4).

import type { RequestOptions } from "../../sip/dialog.ts";
import { transferNews } from "../../sip/refer.ts";
import type { Ending } from "../calls/call-machine.ts";
import { statusFor } from "../calls/causes.ts";

export function transferNotice(ending: Ending | undefined): RequestOptions {
  const { headers, body } = transferNews(ending ? (ending.sip?.status ?? statusFor(ending.cause)) : 200);
  return {
    headers: [
      { name: "Event", value: "refer" },
      { name: "Subscription-State", value: "terminated;reason=noresource" },
      ...headers,
    ],
    body,
  };
}
