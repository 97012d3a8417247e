// A call that came by a trunk: the number of ours it is for, and what the network says of the caller.

import type { Latching } from "../../../media/engine.ts";
import type { KeyForm, SrtpUse } from "../../../nouns/choices.ts";
import type { ClientAccount } from "../../../sip/digest-answer.ts";
import type { Incoming } from "../../../sip/incoming.ts";
import { headersOf, type Request } from "../../../sip/message/message.ts";
import type { TrunkSetup } from "../../../store/trunk-state.ts";
import type { PhoneNumber } from "../../plan/numbers.ts";
import type { SentOnBy } from "../../plan/sent-on.ts";
import { type Connected, type ConnectedParty, connectedOver } from "./addressing.ts";
import type { Attest, Attestation } from "./attestation.ts";
import { callerFromTrunk, sentOnBy, whoSigned } from "./caller.ts";
import type { Trunks } from "./trunks.ts";

export type FromTrunk = {
  exchangeId: number;
  dialled: string;
  /** Its name; none is the network in the box. */
  trunk?: string;
  caller: { number: string; name: string };
  /** Who had sent it on, the last first; what networks have signed of the caller. */
  sentOnBy?: SentOnBy[];
  signed?: string[];
  /** Whether what was signed holds, where somebody wants to know; refused: nobody is rung unless it does. */
  attestation?: Attestation | undefined;
  refused?: boolean;
  /** As the trunk's list has them. */
  codecs?: readonly string[];
  /** Faxes may go as data, unless it says no. */
  t38?: boolean;
  /** Answers the carrier when it asks who hangs up or changes the call. */
  account?: ClientAccount | undefined;
  /** How voice is encrypted on it, and in which form keys come and go. */
  terms?: TrunkTerms;
  /** Takes a channel of the trunk until what is returned is called; undefined when all are taken. */
  seize?(): (() => void) | undefined;
};

type TrunkTerms = {
  srtp: SrtpUse;
  keys: KeyForm;
  hearsInband: boolean;
  latching: Latching;
  /** How it is told who of ours is on the line; undefined where it is told nothing. */
  connected(party: ConnectedParty): Connected | undefined;
};

/** `known` is the number of ours that the other side sees on this way, whoever calls. */
export function termsOf(trunk: TrunkSetup, known?: PhoneNumber): TrunkTerms {
  const { srtp, dtmf, hearsInband, comedia, outboundProxy } = trunk;
  // Where a proxy stands between, its address says nothing of where voice comes from.
  const latching = comedia === "near" && outboundProxy ? "beside" : comedia;
  const connected = (party: ConnectedParty) => connectedOver(trunk, { ...party, number: known ?? party.number });
  return { srtp, keys: dtmf, hearsInband, latching, connected };
}

/** One of who attests, and those of whoever sent it on. */
const MOST_SIGNED = 5;

/** Undefined: it did not come by a trunk of ours. */
export type CameByTrunk = FromTrunk | "unknown-number" | undefined;

export function fromTrunk(
  trunks: Pick<Trunks, "inbound" | "seizeInbound" | "accountOf">,
  attest: Attest,
  incoming: Incoming,
): CameByTrunk {
  const inbound = trunks.inbound(incoming);
  if (inbound === undefined || inbound === "unknown-number") return inbound;
  const { exchangeId, dialled, trunk } = inbound;
  const { request } = incoming;
  const signed = trunk.trusted ? headersOf(request, "Identity").slice(0, MOST_SIGNED) : [];
  const attestation =
    trunk.attestation === "ignored" ? undefined : attested(attest, { request, dialled, trunk, signed });
  return {
    exchangeId,
    dialled,
    trunk: trunk.name,
    caller: callerFromTrunk(request, trunk),
    sentOnBy: sentOnBy(request, trunk),
    signed,
    attestation,
    refused: trunk.attestation === "required" && attestation?.is !== "verified",
    codecs: trunk.codecs,
    t38: trunk.t38,
    account: trunks.accountOf(trunk.id),
    terms: termsOf(trunk),
    seize: () => trunks.seizeInbound(trunk.id),
  };
}

type AttestedCall = { request: Request; dialled: string; trunk: TrunkSetup; signed: readonly string[] };

function attested(attest: Attest, { request, dialled, trunk, signed }: AttestedCall): Attestation {
  const caller = e164Of(whoSigned(request, trunk));
  return attest({ values: signed, certificates: trunk.attestationCertificates, caller, called: e164Of(dialled) });
}

/** Out of the stored form. */
const e164Of = (number: string) => number.replace(/^00/, "").replace(/\D/g, "");
