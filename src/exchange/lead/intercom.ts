// The intercom: a code and an extension behind it, whose phone answers by itself. Nobody is forwarded, and no mailbox speaks.

import { leadToExtension, type RingNeeds } from "./extension.ts";
import type { DialledCode } from "./scripts.ts";

export function intercom(needs: RingNeeds): DialledCode {
  return {
    code: "*54",
    follows: /^\d{1,8}$/,
    lead: (guide, number) => leadToExtension(guide.having(needs), number, { forwards: "nowhere", answersItself: true }),
  };
}
