// Call-Info and Alert-Info: the two dialects that ask a phone to answer by itself.

import type { Header } from "../message/message.ts";

/** Said in both dialects, since each make of phone knows one. */
export function answerAfter(domain: string, seconds: number): Header[] {
  return [
    { name: "Call-Info", value: `<sip:${domain}>;answer-after=${seconds}` },
    { name: "Alert-Info", value: `<http://${domain}>;info=alert-autoanswer;delay=${seconds}` },
  ];
}
