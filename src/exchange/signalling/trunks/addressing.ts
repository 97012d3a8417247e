// How a call over a trunk names its two ends: numbers in the form the carrier wants, identity asserted or withheld.

import { printNameAddress } from "../../../sip/headers/name-address.ts";
import { privacy } from "../../../sip/headers/privacy.ts";
import type { Header } from "../../../sip/message/message.ts";
import { escapeUser } from "../../../sip/message/uri.ts";
import type { TrunkSetup } from "../../../store/trunk-state.ts";
import { inForm, type PhoneNumber } from "../../plan/numbers.ts";

/** `caller` is what the called party sees; without one, or withheld, the call is anonymous. */
export type Ends = { called: PhoneNumber; caller: PhoneNumber | undefined; name: string; withheld?: boolean };

export type Addressed = { uri: string; to: string; from: string; headers: Header[] };

export function addressCall(trunk: TrunkSetup, { called, caller, name, withheld = false }: Ends): Addressed {
  const uri = sipUri(trunk, inForm(called, trunk.callerIdForm));
  const to = `<${uri}>`;
  const shown = caller && inForm(caller, trunk.callerIdForm);
  const isForHelp = called.is === "emergency";
  // Who calls for help is never nobody: the carrier knows at least our account.
  if (shown === undefined) return { uri, to, from: isForHelp ? `<${accountUri(trunk)}>` : ANONYMOUS, headers: [] };
  const address = printNameAddress({ display: name, uri: sipUri(trunk, shown), parameters: [] });
  const asserted: Header = { name: "P-Asserted-Identity", value: address };
  // The carrier must know who pays even when the called party must not know who calls (RFC 3325).
  if (withheld && !isForHelp) return { uri, to, from: ANONYMOUS, headers: [asserted, privacy("id")] };
  return { uri, to, from: address, headers: [asserted] };
}

/** What our account is called at the carrier. */
export function accountUri({ username, host }: TrunkSetup): string {
  return `sip:${escapeUser(username ?? "santral")}@${bracketed(host)}`;
}

/** The carrier's servers; the port goes unsaid where it is the usual one, so that DNS may name another (RFC 3263). */
export function serverUri({ host, port, transport }: TrunkSetup): string {
  const usual = transport === "tls" ? 5061 : 5060;
  return `sip:${bracketed(host)}${port === usual ? "" : `:${port}`};transport=${transport}`;
}

const ANONYMOUS = '"Anonymous" <sip:anonymous@anonymous.invalid>';

function sipUri({ host, port, transport }: TrunkSetup, user: string): string {
  const place = port === 5060 ? "" : `:${port}`;
  return `sip:${escapeUser(user)}@${bracketed(host)}${place}${transport === "udp" ? "" : `;transport=${transport}`}`;
}

const bracketed = (host: string) => (host.includes(":") && !host.startsWith("[") ? `[${host}]` : host);
