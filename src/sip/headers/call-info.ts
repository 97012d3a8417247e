// What asks a phone to answer by itself: Call-Info and Alert-Info in the dialects of their makers, and the standard's own word.

import type { Header } from "../message/message.ts";

/** Makers whose phones want another Alert-Info than all the rest, who ignore what they do not know. */
const RINGS: { maker: RegExp; alert: string }[] = [
  // Its ringing class "Ring Answer" is what its own configuration calls it.
  { maker: /^(polycom|poly|polyedge|soundpoint|vvx)/i, alert: "Ring Answer" },
];

/** Said in every dialect at once, since each make of phone knows one of them. */
export function answerAfter(domain: string, seconds: number, userAgent = ""): Header[] {
  const usual = `<http://${domain}>;info=alert-autoanswer;delay=${seconds}`;
  return [
    { name: "Call-Info", value: `<sip:${domain}>;answer-after=${seconds}` },
    { name: "Alert-Info", value: RINGS.find(({ maker }) => maker.test(userAgent))?.alert ?? usual },
    // RFC 5373; one that knows it and does not trust us may still say no to the second.
    { name: "Answer-Mode", value: "Auto" },
    { name: "Priv-Answer-Mode", value: "Auto" },
  ];
}
