// A phone's account as one SIP address, for softphones that read one from a QR code.

import type { SipDoor } from "../../../src/store/phone-tickets.ts";

type Account = { number: string; password?: string | undefined; sipDomain: string; door: SipDoor };

/** What a phone takes where no port is named. */
const USUAL_PORT = { udp: 5060, tcp: 5060, tls: 5061 } satisfies Record<SipDoor["transport"], number>;

/**
 * The domain is the account's, the server may be elsewhere: then `maddr` says where, as RFC 3261 (19.1.1) has it. Phones
 * that do not read that one find the server by the domain's own name.
 */
export function sipAddress({ number, password, sipDomain, door: { host, port, transport } }: Account): string {
  const secret = password === undefined ? "" : `:${encodeURIComponent(password)}`;
  const at = port === USUAL_PORT[transport] ? bracketed(sipDomain) : `${bracketed(sipDomain)}:${port}`;
  const elsewhere = host.toLowerCase() === sipDomain.toLowerCase() ? "" : `;maddr=${bracketed(host)}`;
  return `sip:${number}${secret}@${at};transport=${transport}${elsewhere}`;
}

function bracketed(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}
