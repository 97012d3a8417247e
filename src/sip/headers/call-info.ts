// What asks a phone to answer by itself: Call-Info and Alert-Info in the dialects of their makers, and the standard's own word.

import type { Header } from "../message/message.ts";

/**
 * Makers whose phones want another Alert-Info than the usual, or none. Yealink, Snom and Gigaset document the
 * usual one; Grandstream goes by Call-Info.
 */
const ALERTS: { maker: RegExp; alert: string | undefined }[] = [
  // Its ringing class "Ring Answer" is what its own configuration calls it.
  { maker: /^(polycom|poly|polyedge|soundpoint|vvx)/i, alert: "Ring Answer" },
  { maker: /^panasonic/i, alert: "Intercom" },
  { maker: /^(digium|sangoma p)/i, alert: "ring-answer" },
  // They go by Call-Info; an address in Alert-Info could be taken for that of a ringing tone.
  { maker: /^(cisco|linksys|sipura)/i, alert: undefined },
];

/** Said in every dialect at once, since each make of phone knows one of them. */
export function answerAfter(domain: string, seconds: number, userAgent = ""): Header[] {
  const usual = { alert: `<http://${domain}>;info=alert-autoanswer;delay=${seconds}` };
  const { alert } = ALERTS.find(({ maker }) => maker.test(userAgent)) ?? usual;
  return [
    { name: "Call-Info", value: `<sip:${domain}>;answer-after=${seconds}` },
    ...(alert === undefined ? [] : [{ name: "Alert-Info", value: alert }]),
    // RFC 5373; one that knows it and does not trust us may still say no to the second.
    { name: "Answer-Mode", value: "Auto" },
    { name: "Priv-Answer-Mode", value: "Auto" },
  ];
}
