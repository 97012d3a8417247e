// A text on its way to one phone, with the time it was written at: it may have waited.

import { date } from "../../../sip/headers/date.ts";
import { printNameAddress } from "../../../sip/headers/name-address.ts";
import { newCallId, newTag, type Random } from "../../../sip/headers/random.ts";
import type { Request } from "../../../sip/message/message.ts";
import { octetsOf } from "../../../sip/message/text.ts";
import { escapeUser } from "../../../sip/message/uri.ts";
import type { PhoneText } from "../../../store/phone-texts.ts";
import type { Binding } from "../registrar/binding.ts";

export function messageTo(
  random: Random,
  { uri, route }: Binding,
  { to, text, domain }: { to: { number: string }; text: PhoneText; domain: string },
): Request {
  const sender = `sip:${escapeUser(octetsOf(text.fromNumber))}@${domain}`;
  const from = printNameAddress({ display: octetsOf(text.fromName), uri: sender, parameters: [] });
  return {
    is: "request",
    method: "MESSAGE",
    uri,
    headers: [
      ...route.map((value) => ({ name: "Route", value })),
      { name: "From", value: `${from};tag=${newTag(random)}` },
      { name: "To", value: `<sip:${to.number}@${domain}>` },
      { name: "Call-ID", value: newCallId(random) },
      { name: "CSeq", value: "1 MESSAGE" },
      date(text.sentAt.getTime()),
      { name: "Content-Type", value: "text/plain;charset=UTF-8" },
    ],
    body: octetsOf(text.body),
  };
}
