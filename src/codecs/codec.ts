// The list of all codecs, in our order of preference; everything else that names some of them asks this list.

import { g722 } from "./g722.ts";
import { opus } from "./opus.ts";
import { pcma } from "./pcma.ts";
import { pcmu } from "./pcmu.ts";
import type { Codec, LawCodec } from "./shape.ts";

const all = [pcma, pcmu, g722, opus] as const;

export type CodecName = (typeof all)[number]["name"];
/** Those of G.711, which every telephone, browser and fax machine has. */
export type LawName = Extract<(typeof all)[number], LawCodec>["name"];

export const codecs = Object.fromEntries(all.map((codec) => [codec.name, codec])) as Record<
  CodecName,
  Codec & { name: CodecName }
> &
  Record<LawName, LawCodec>; // by their own names

export const codecNames: readonly CodecName[] = all.map(({ name }) => name);
export const lawNames = codecNames.filter(isLawName);
/** Known by number (RFC 3551), without being described first. */
export const fixedNames = codecNames.filter((name) => codecs[name].payloadType < 96);

export function isCodecName(name: string): name is CodecName {
  return Object.hasOwn(codecs, name);
}

export function isLawName(name: CodecName): name is LawName {
  return "law" in codecs[name];
}
