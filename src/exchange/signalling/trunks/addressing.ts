// How a call over a trunk names its two ends: numbers in the form the carrier wants, identity asserted or withheld.

import { printNameAddress } from "../../../sip/headers/name-address.ts";
import { ANONYMOUS, privacy } from "../../../sip/headers/privacy.ts";
import type { Header } from "../../../sip/message/message.ts";
import { escapeUser } from "../../../sip/message/uri.ts";
import type { TrunkSetup } from "../../../store/trunk-state.ts";
import { inForm, type PhoneNumber } from "../../plan/numbers.ts";
import { rewritten } from "./rewriting.ts";

/** `caller` is what the called party sees; without one, or withheld, the call is anonymous. */
export type Ends = { called: PhoneNumber; caller: PhoneNumber | undefined; name: string; withheld?: boolean };

export type Addressed = { uri: string; to: string; from: string; headers: Header[] };

export function addressCall(trunk: TrunkSetup, { called, caller, name, withheld = false }: Ends): Addressed {
  const isForHelp = called.is === "emergency";
  const isShort = !("e164" in called);
  // What calls for help is dialled as it stands.
  const user = isForHelp ? called.number : rewritten(inForm(called, trunk.callerIdForm), trunk.outward, isShort);
  const uri = sipUri(trunk, user);
  const ends = { uri, to: `<${uri}>` };
  const shown = caller && inForm(caller, trunk.callerIdForm);
  // Who calls for help is never nobody: the carrier knows at least our account. And he hides from nobody.
  const from = trunk.fromUser ?? shown ?? (isForHelp ? (trunk.username ?? "santral") : undefined);
  const display = trunk.sendsName ? name : "";
  if (from === undefined || shown === undefined)
    return { ...ends, from: from === undefined ? ANONYMOUS : ourName(trunk, from, display), headers: routeTo(trunk) };
  const asserted: Header = { name: "P-Asserted-Identity", value: ourName(trunk, shown, display) };
  // The carrier must know who pays even when the called party must not know who calls (RFC 3325).
  if (withheld && !isForHelp)
    return { ...ends, from: ANONYMOUS, headers: [...routeTo(trunk), asserted, privacy("id")] };
  return { ...ends, from: ourName(trunk, from, display), headers: [...routeTo(trunk), asserted] };
}

/** What our account is called at the carrier. */
export function accountUri(trunk: TrunkSetup): string {
  const { username, fromUser, fromDomain, host } = trunk;
  return `sip:${escapeUser(fromUser ?? username ?? "santral")}@${bracketed(fromDomain ?? host)}`;
}

/** The carrier's servers; the port goes unsaid where it is the usual one, so that DNS may name another (RFC 3263). */
export function serverUri(trunk: TrunkSetup): string {
  return `sip:${placeOf(trunk)}${saidTransport(trunk)}`;
}

/** Where its requests go first: to the proxy, where the carrier wants one between. */
export function firstHopUri(trunk: TrunkSetup): string {
  const proxy = proxyOf(trunk);
  return proxy === undefined ? serverUri(trunk) : `sip:${proxy}${saidTransport(trunk)}`;
}

/** The proxy routes loosely: it passes on what is meant for the server (RFC 3261 §16.4). */
export function routeTo(trunk: TrunkSetup): Header[] {
  const proxy = proxyOf(trunk);
  const transport = trunk.transport === "udp" ? "" : saidTransport(trunk);
  return proxy === undefined ? [] : [{ name: "Route", value: `<sip:${proxy}${transport};lr>` }];
}

/** A number or name of ours, in the domain that the carrier knows us by. */
function ourName(trunk: TrunkSetup, user: string, display: string): string {
  const { fromDomain } = trunk;
  const uri = fromDomain === null ? sipUri(trunk, user) : `sip:${escapeUser(user)}@${bracketed(fromDomain)}`;
  return printNameAddress({ display, uri, parameters: [] });
}

function sipUri(trunk: TrunkSetup, user: string): string {
  return `sip:${escapeUser(user)}@${placeOf(trunk)}${trunk.transport === "udp" ? "" : saidTransport(trunk)}`;
}

/** Nobody serves TLS at 5060: who has only chosen TLS means its own port. */
function placeOf({ host, port, transport }: TrunkSetup): string {
  const isUsual = port === 5060 || (port === 5061 && transport === "tls");
  return `${bracketed(host)}${isUsual ? "" : `:${port}`}`;
}

const saidTransport = ({ transport }: TrunkSetup) => (transport === "auto" ? "" : `;transport=${transport}`);

function proxyOf({ outboundProxy }: TrunkSetup): string | undefined {
  if (outboundProxy === null || outboundProxy === "") return undefined;
  return outboundProxy.split(":").length > 2 ? bracketed(outboundProxy) : outboundProxy;
}

const bracketed = (host: string) => (host.includes(":") && !host.startsWith("[") ? `[${host}]` : host);
