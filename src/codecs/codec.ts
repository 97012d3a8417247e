// The list of all codecs, in our order of preference; everything else that names some of them asks this list.

import { amr } from "./amr.ts";
import { amrWb } from "./amr-wb.ts";
import { g722 } from "./g722.ts";
import { g729 } from "./g729.ts";
import { gsm } from "./gsm.ts";
import { isInstalled } from "./native.ts";
import { opus } from "./opus.ts";
import { pcma } from "./pcma.ts";
import { pcmu } from "./pcmu.ts";
import type { Codec, Form, LawCodec } from "./shape.ts";
import { speex } from "./speex.ts";
import { speex16 } from "./speex16.ts";

/** From here on a number means what the description says. */
const FIRST_DYNAMIC = 96;

const all = [pcma, pcmu, g722, opus, amrWb, speex16, amr, g729, gsm, speex] as const;

export type CodecName = (typeof all)[number]["name"];
/** Those of G.711, which every telephone, browser and fax machine has. */
export type LawName = Extract<(typeof all)[number], LawCodec>["name"];

export const codecs = Object.fromEntries(all.map((codec) => [codec.name, codec])) as Record<
  CodecName,
  Codec & { name: CodecName }
> &
  Record<LawName, LawCodec>; // by their own names

export const codecNames: readonly CodecName[] = all.map(({ name }) => name);
/** Ours alone, so that they are spoken everywhere, and by every phone that is not told otherwise. */
export const ownNames = codecNames.filter((name) => codecs[name].needs === undefined);
export const lawNames = codecNames.filter(isLawName);
/** Of ours those known by number (RFC 3551), without being described first. */
export const fixedNames = ownNames.filter((name) => codecs[name].payloadType < FIRST_DYNAMIC);
/** What such a number means, whether we speak it or not. */
export const fixedTypes: Readonly<Record<number, { name: CodecName; clockRate: number }>> = Object.fromEntries(
  all.flatMap(({ name, payloadType, clockRate }) =>
    payloadType < FIRST_DYNAMIC ? [[payloadType, { name, clockRate }]] : [],
  ),
);

/** Those of a stored list that can be spoken on this machine, in its order; where none can, G.711, which everybody can. */
export function spokenOf(names: readonly string[]): readonly CodecName[] {
  const spoken = names.filter(isCodecName).filter(isSpoken);
  return spoken.length > 0 ? spoken : lawNames;
}

export function isSpoken(name: CodecName): boolean {
  return codecs[name].needs?.every(isInstalled) ?? true;
}

/** The ways we offer a codec in, the preferred first. */
export function formsOf(codec: Codec): Form[] {
  return codec.otherForm ? [codec, codec.otherForm] : [codec];
}

/** The codec in the form that was agreed: one object for each, so that streams of the same form are known to be alike. */
export function codecIn(name: CodecName, form: string | undefined): Codec {
  const codec: Codec = codecs[name];
  if (form === undefined) return codec;
  const known = inForms.get(`${name} ${form}`) ?? {
    ...codec,
    openDecoder: (_, rate) => codec.openDecoder(form, rate),
    openEncoder: (_, rate) => codec.openEncoder(form, rate),
  };
  inForms.set(`${name} ${form}`, known); // forms are our own words, so they are few
  return known;
}

const inForms = new Map<string, Codec>();

function isCodecName(name: string): name is CodecName {
  return Object.hasOwn(codecs, name);
}

export function isLawName(name: CodecName): name is LawName {
  return "law" in codecs[name];
}
