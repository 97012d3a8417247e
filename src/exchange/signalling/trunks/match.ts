// Which trunk a call comes in by, and which number of ours it is for.

import { toOf } from "../../../sip/headers/addresses.ts";
import type { Request } from "../../../sip/message/message.ts";
import { userIn } from "../../../sip/message/uri.ts";
import type { TrunkNumber, TrunkSetup } from "../../../store/trunk-state.ts";
import { readFromTrunk, written } from "../../plan/numbers.ts";
import { rewritten } from "./rewriting.ts";

export type Inbound = {
  trunk: TrunkSetup;
  exchangeId: number;
  /** What was dialled, as far as it can be read, in the stored form. */
  dialled: string;
  /** The number of ours that is meant; undefined when this trunk's exchange has no such number. */
  number: string | undefined;
};

/** `isWide`: by a network so wide that others have addresses in it as well. */
export type Candidate = { trunk: TrunkSetup; isWide: boolean };

export type InboundQuestion = {
  request: Request;
  /** The trunks that such a request may come from. */
  candidates: readonly Candidate[];
  numberOf(number: string): TrunkNumber | undefined;
};

/**
 * Several exchanges may share a carrier and so an address: the number then decides. A number of an exchange that has
 * no trunk at that address stays out of reach, whoever asks for it; and one that none of them has is no business of
 * any of them.
 */
export function matchInbound({
  request,
  candidates,
  numberOf,
}: InboundQuestion): Inbound | "unknown-number" | undefined {
  if (candidates.length === 0) return undefined;
  const spellings = dialledIn(request);
  const trunks = candidates.map(({ trunk }) => trunk);
  for (const text of spellings)
    for (const trunk of trunks) {
      const own = numberOf(storedForm(text, trunk));
      if (own && own.exchangeId === trunk.exchangeId)
        return {
          trunk: preferred(own, trunk, trunks),
          exchangeId: own.exchangeId,
          dialled: own.number,
          number: own.number,
        };
    }
  const only = onlyOneMeant(candidates);
  if (!only) return "unknown-number";
  return { trunk: only, exchangeId: only.exchangeId, dialled: storedForm(spellings[0] ?? "", only), number: undefined };
}

/** Whose own the address is comes before those who only have a wide network around it. */
function onlyOneMeant(candidates: readonly Candidate[]): TrunkSetup | undefined {
  const near = candidates.filter(({ isWide }) => !isWide);
  const [first, ...others] = near.length > 0 ? near : candidates;
  return others.every(({ trunk }) => trunk.exchangeId === first?.trunk.exchangeId) ? first?.trunk : undefined;
}

/** The Request-URI says whom the carrier calls; some put our account there and the number into To. */
function dialledIn(request: Request): string[] {
  return [request.uri, toOf(request).uri].flatMap((text) => userIn(text)?.split(";")[0] ?? []);
}

function storedForm(text: string, { callerIdForm, inward }: TrunkSetup): string {
  const called = rewritten(text, inward);
  const number = readFromTrunk(called, callerIdForm);
  return number.is === "invalid" || number.is === "service" ? called.slice(0, 64) : written(number);
}

function preferred(own: TrunkNumber, found: TrunkSetup, candidates: readonly TrunkSetup[]): TrunkSetup {
  return candidates.find(({ id }) => id === own.trunkId) ?? found;
}
