// How a call over a trunk names its ends: numbers in the form the carrier wants, identity asserted or withheld, and who sent it on.

import { type Diversion, printDiversions, printHistory } from "../../../sip/headers/diversion.ts";
import { type NameAddress, printNameAddress } from "../../../sip/headers/name-address.ts";
import { ANONYMOUS, privacy } from "../../../sip/headers/privacy.ts";
import { remoteParty } from "../../../sip/headers/remote-party.ts";
import type { Header } from "../../../sip/message/message.ts";
import { escapeUser } from "../../../sip/message/uri.ts";
import type { TrunkSetup } from "../../../store/trunk-state.ts";
import { inForm, type PhoneNumber } from "../../plan/numbers.ts";

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
  const { called, caller, name, original } = ends;
  const uri = sipUri(trunk, inForm(called, trunk.callerIdForm));
  const passesOn = original !== undefined && trunk.forwardedCaller === "original";
  const own = caller && addressOf(trunk, caller, name);
  const shown = passesOn ? original.number && addressOf(trunk, original.number, "") : own;
  const withheld = passesOn ? original.number === undefined : ends.withheld === true;
  const isHidden = withheld || shown === undefined;
  return {
    uri,
    to: `<${uri}>`,
    from: isHidden ? ANONYMOUS : printNameAddress(shown),
    headers: [
      ...(own && trunk.trusted ? identities[trunk.identity](own, withheld) : []),
      ...(withheld ? [privacy("id")] : []),
      ...diverted(trunk, ends.diversions ?? [], uri),
      // What was signed of the caller holds only as long as the call says that he calls.
      ...(passesOn && !isHidden && trunk.trusted ? original.signed.map((value) => ({ name: "Identity", value })) : []),
    ],
  };
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
    return { uri: sipUri(trunk, inForm(number, trunk.callerIdForm)), display: "", reason, hidden };
  });
  const { diversion: by } = trunk;
  return [
    ...(by === "diversion" || by === "both" ? printDiversions(diversions) : []),
    ...(by === "history-info" || by === "both" ? printHistory(diversions, target) : []),
  ];
}

function addressOf(trunk: TrunkSetup, number: PhoneNumber, display: string): NameAddress {
  return { display, uri: sipUri(trunk, inForm(number, trunk.callerIdForm)), parameters: [] };
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

function sipUri({ host, port, transport }: TrunkSetup, user: string): string {
  const place = port === 5060 ? "" : `:${port}`;
  return `sip:${escapeUser(user)}@${bracketed(host)}${place}${transport === "udp" ? "" : `;transport=${transport}`}`;
}

const bracketed = (host: string) => (host.includes(":") && !host.startsWith("[") ? `[${host}]` : host);
