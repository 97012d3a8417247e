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
  /** The trunks that such a request may come from; those of one exchange in the order in which they are tried. */
  candidates: readonly Candidate[];
  numberOf(number: string): TrunkNumber | undefined;
  /** Whether it has the address by the operator's word. */
  isApproved(trunk: TrunkSetup): boolean;
};

/** A number that is told, and whose it is. */
type Meant = { exchangeId: number; told?: TrunkNumber };

/**
 * Several exchanges may share a carrier and so an address: the number then decides, as the carrier tells it. What a
 * tenant sets up of his trunk says how his own calls are read, and makes no neighbour's call his. A number of an exchange
 * that has no trunk at that address stays out of reach, whoever asks for it; and one that none of them has is no business
 * of any of them.
 */
export function matchInbound(question: InboundQuestion): Inbound | "unknown-number" | undefined {
  const { candidates } = question;
  if (candidates.length === 0) return undefined;
  const spellings = dialledIn(question.request);
  const stranger = numberOfNone(spellings[0], question);
  const owner = stranger || severalIn(candidates) ? ownerMeant(spellings, question) : undefined;
  const meant = owner ?? (stranger ? undefined : readAsTheirs(spellings, question));
  if (meant) return matchWithin(spellings, question, meant);
  const only = onlyOneMeant(candidates);
  if (!only) return "unknown-number";
  const dialled = stranger?.number ?? storedForm(spellings[0] ?? "", only);
  return { trunk: only, exchangeId: only.exchangeId, dialled, number: undefined };
}

/** The Request-URI says whom the carrier calls; some put our account there and the number into To. */
function dialledIn(request: Request): string[] {
  return [request.uri, toOf(request).uri].flatMap((text) => userIn(text)?.split(";")[0] ?? []);
}

/** Whose number it is without anybody's settings. A few digits may mean anything, so that only whole numbers count. */
function toldNumber(text: string | undefined, { numberOf }: InboundQuestion): TrunkNumber | undefined {
  const number = readFromTrunk(text ?? "", "e164");
  return "e164" in number ? numberOf(written(number)) : undefined;
}

/** Of an exchange of which no trunk is there. */
function numberOfNone(text: string | undefined, question: InboundQuestion): TrunkNumber | undefined {
  const told = toldNumber(text, question);
  return told && !isHere(told, question) ? told : undefined;
}

function isHere({ exchangeId }: TrunkNumber, { candidates }: InboundQuestion): boolean {
  return candidates.some(({ trunk }) => trunk.exchangeId === exchangeId);
}

function ownerMeant(spellings: readonly string[], question: InboundQuestion): Meant | undefined {
  const [called, to] = spellings.map((text) => {
    const told = toldNumber(text, question);
    return told && isHere(told, question) ? told : undefined;
  });
  const told = to && isAccountOf(to.exchangeId, spellings[0], question) ? to : (called ?? to);
  return told && { exchangeId: told.exchangeId, told };
}

/** An account may look like a number, and a neighbour write it down as his. */
function isAccountOf(exchangeId: number, text: string | undefined, { candidates }: InboundQuestion): boolean {
  return candidates.some(({ trunk }) => trunk.exchangeId === exchangeId && trunk.username === text);
}

/** Each reads by his own settings what nobody has as it is told; where several find a number of theirs, no setting decides. */
function readAsTheirs(spellings: readonly string[], question: InboundQuestion): Meant | undefined {
  const finding = question.candidates.filter(({ trunk }) =>
    spellings.some((text) => ownNumber(text, trunk, question) !== undefined),
  );
  const [first] = severalIn(finding) ? finding.toSorted(byStanding(question)) : finding;
  return first && { exchangeId: first.trunk.exchangeId };
}

function byStanding({ isApproved }: InboundQuestion): (one: Candidate, other: Candidate) => number {
  const unapproved = ({ trunk }: Candidate) => Number(!isApproved(trunk));
  return (one, other) =>
    Number(one.isWide) - Number(other.isWide) || unapproved(one) - unapproved(other) || one.trunk.id - other.trunk.id;
}

/** As if that exchange were alone there. */
function matchWithin(spellings: readonly string[], question: InboundQuestion, { exchangeId, told }: Meant): Inbound {
  const trunks = question.candidates.flatMap(({ trunk }) => (trunk.exchangeId === exchangeId ? trunk : []));
  for (const text of spellings)
    for (const trunk of trunks) {
      const own = ownNumber(text, trunk, question);
      if (own) return inboundBy(own, trunk, trunks);
    }
  return inboundBy(told!, trunks[0]!, trunks); // it was told, or read as theirs
}

function inboundBy(own: TrunkNumber, found: TrunkSetup, trunks: readonly TrunkSetup[]): Inbound {
  const trunk = trunks.find(({ id }) => id === own.trunkId) ?? found;
  return { trunk, exchangeId: own.exchangeId, dialled: own.number, number: own.number };
}

function ownNumber(text: string, trunk: TrunkSetup, { numberOf }: InboundQuestion): TrunkNumber | undefined {
  const own = numberOf(storedForm(text, trunk));
  return own?.exchangeId === trunk.exchangeId ? own : undefined;
}

/** Whose own the address is comes before those who only have a wide network around it. */
function onlyOneMeant(candidates: readonly Candidate[]): TrunkSetup | undefined {
  const near = candidates.filter(({ isWide }) => !isWide);
  const all = near.length > 0 ? near : candidates;
  return severalIn(all) ? undefined : all[0]?.trunk;
}

function severalIn([first, ...others]: readonly Candidate[]): boolean {
  return others.some(({ trunk }) => trunk.exchangeId !== first?.trunk.exchangeId);
}

function storedForm(text: string, { callerIdForm, inward }: TrunkSetup): string {
  const called = rewritten(text, inward);
  const number = readFromTrunk(called, callerIdForm);
  return number.is === "invalid" || number.is === "service" ? called.slice(0, 64) : written(number);
}
