// How a call over a trunk names its ends: numbers in the form the carrier wants, identity asserted or withheld, and who sent it on.

import { type Diversion, printDiversions, printHistory } from "../../../sip/headers/diversion.ts";
import { type NameAddress, printNameAddress } from "../../../sip/headers/name-address.ts";
import { ANONYMOUS, privacy } from "../../../sip/headers/privacy.ts";
import { remoteParty } from "../../../sip/headers/remote-party.ts";
import type { Header } from "../../../sip/message/message.ts";
import { escapeUser } from "../../../sip/message/uri.ts";
import type { TrunkSetup } from "../../../store/trunk-state.ts";
import { inForm, type PhoneNumber } from "../../plan/numbers.ts";
import { rewritten } from "./rewriting.ts";

/** A number that has sent the call on. */
export type DivertedNumber = Pick<Diversion, "reason" | "hidden"> & { number: PhoneNumber };

export type Ends = {
  called: PhoneNumber;
  /** The number of ours that calls and pays; without one the call is anonymous. */
  caller: PhoneNumber | undefined;
  name: string;
  /** The called party may not see who calls. */
  withheld?: boolean;
  /** Who called us, when one of ours sends the call on; `number` is undefined where he withholds it. */
  original?: { number: PhoneNumber | undefined; signed: readonly string[] } | undefined;
  /** The last first. */
  diversions?: readonly DivertedNumber[];
};

export type Addressed = { uri: string; to: string; from: string; headers: Header[] };

export function addressCall(trunk: TrunkSetup, ends: Ends): Addressed {
  const { called, caller } = ends;
  const isForHelp = called.is === "emergency";
  const uri = sipUri(trunk, dialledOver(trunk, called));
  // Who calls for help speaks for himself, hides from nobody, and is never nobody: the carrier knows at least our account.
  const original = isForHelp ? undefined : ends.original;
  const passesOn = original !== undefined && trunk.forwardedCaller === "original";
  const display = trunk.sendsName ? ends.name : "";
  const own = caller
    ? ourName(trunk, inForm(caller, trunk.callerIdForm), display)
    : isForHelp
      ? ourName(trunk, trunk.username ?? "santral", display)
      : undefined;
  const shown = passesOn ? original.number && ourName(trunk, inForm(original.number, trunk.callerIdForm), "") : own;
  const withheld = passesOn ? original.number === undefined : ends.withheld === true && !isForHelp;
  // Where From has to name our account, the other header is left to say who calls.
  const from = trunk.fromUser === null ? shown : ourName(trunk, trunk.fromUser, display);
  const identity = trunk.fromUser === null ? own : (shown ?? own);
  const isSigned = passesOn && shown !== undefined && trunk.trusted;
  return {
    uri,
    to: `<${uri}>`,
    from: withheld || from === undefined ? ANONYMOUS : printNameAddress(from),
    headers: [
      ...routeTo(trunk),
      ...(identity && trunk.trusted ? identities[trunk.identity](identity, withheld) : []),
      ...(withheld ? [privacy("id")] : []),
      ...diverted(trunk, ends.diversions ?? [], uri),
      // What was signed of the caller holds only as long as the call says that he calls.
      ...(isSigned ? original.signed.map((value) => ({ name: "Identity", value })) : []),
    ],
  };
}

/** One of ours who is on the line now: as the carrier tells who calls, in the header it wants. */
export function connectedOver(trunk: TrunkSetup, { number, name, withheld }: ConnectedParty): Connected | undefined {
  if (!trunk.tellsConnected || !trunk.trusted || trunk.identity === "none") return undefined;
  const own = ourName(trunk, inForm(number, trunk.callerIdForm), trunk.sendsName ? name : "");
  const headers = [...identities[trunk.identity](own, withheld), ...(withheld ? [privacy("id")] : [])];
  return { address: printNameAddress(own), headers };
}

/** `number` is the one of ours by which he is known outside. */
export type ConnectedParty = { number: PhoneNumber; name: string; withheld: boolean };

export type Connected = { address: string; headers: Header[] };

/** What calls for help is dialled as it stands. */
function dialledOver(trunk: TrunkSetup, called: PhoneNumber): string {
  if (called.is === "emergency") return called.number;
  return rewritten(inForm(called, trunk.callerIdForm), trunk.outward, !("e164" in called));
}

/** The carrier must know who pays even when the called party must not know who calls (RFC 3325). */
const identities: Record<TrunkSetup["identity"], (own: NameAddress, withheld: boolean) => Header[]> = {
  pai: (own) => [{ name: "P-Asserted-Identity", value: printNameAddress(own) }],
  ppi: (own) => [{ name: "P-Preferred-Identity", value: printNameAddress(own) }],
  rpid: (own, withheld) => [remoteParty(own, withheld)],
  none: () => [],
};

function diverted(trunk: TrunkSetup, numbers: readonly DivertedNumber[], target: string): Header[] {
  if (!trunk.trusted) return [];
  const diversions = numbers.map(({ number, reason, hidden }) => {
    return { ...ourName(trunk, inForm(number, trunk.callerIdForm), ""), reason, hidden };
  });
  const { diversion: by } = trunk;
  return [
    ...(by === "diversion" || by === "both" ? printDiversions(diversions) : []),
    ...(by === "history-info" || by === "both" ? printHistory(diversions, target) : []),
  ];
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
function ourName(trunk: TrunkSetup, user: string, display: string): NameAddress {
  const { fromDomain } = trunk;
  const uri = fromDomain === null ? sipUri(trunk, user) : `sip:${escapeUser(user)}@${bracketed(fromDomain)}`;
  return { display, uri, parameters: [] };
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
