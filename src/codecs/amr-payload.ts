// What an RTP packet of AMR holds (RFC 4867): a request, a table of contents and frames, in whole octets or bit by bit.

import { numbersIn, parametersIn } from "./form.ts";

/** What differs between AMR and AMR-WB. */
export type AmrBand = {
  /** Bits of each frame type: the speech modes, and last the description of silence. */
  bits: readonly number[];
  samples: number;
  /** The mode we send in unless told otherwise. */
  mode: number;
};

/** Nothing was said, or it did not come through. */
export const NO_DATA = 15;
export const ASKS_NOTHING = 15;
const SPEECH_LOST = 14;
const MOST_FRAMES = 12;
/** A frame with its header, in the octets a library takes. */
export const FRAME_BYTES = 64;

export type AmrForm = { aligned: boolean; modes: readonly number[] };

/** Undefined for what no telephone asks for: checksums, sorting, interleaving, several channels. */
export function agreeOnForm(band: AmrBand, theirs: string): string | undefined {
  const said = parametersIn(theirs);
  const isOn = (name: string) => said.get(name) === "1";
  if (isOn("crc") || isOn("robust-sorting") || said.has("interleaving") || (said.get("channels") ?? "1") !== "1")
    return undefined;
  const set = said.get("mode-set");
  const modes = set === undefined ? undefined : modesIn(band, set);
  if (modes?.length === 0) return undefined;
  const parts = [isOn("octet-align") ? "octet-align=1" : "", modes ? `mode-set=${modes.join(",")}` : ""];
  return parts.filter((part) => part !== "").join(";");
}

/** Of a form that was agreed. */
export function readForm(band: AmrBand, form: string): AmrForm {
  const said = parametersIn(form);
  const set = said.get("mode-set");
  const modes = set === undefined ? allModes(band) : modesIn(band, set);
  return { aligned: said.get("octet-align") === "1", modes };
}

const allModes = ({ bits }: AmrBand) => bits.slice(0, -1).map((_, mode) => mode);

function modesIn(band: AmrBand, set: string): number[] {
  const known = allModes(band);
  return [...new Set(numbersIn(set))].filter((mode) => known.includes(mode)).sort((a, b) => a - b);
}

/** Reads packets one at a time into memory of its own, and believes no length it has not counted itself. */
export class AmrReader {
  /** The frame that was read last, as libraries take it: type and quality, then its bits in whole octets. */
  readonly frame = new Uint8Array(FRAME_BYTES);
  /** The mode they would like us to send in; ASKS_NOTHING when they have none. */
  asked = ASKS_NOTHING;
  readonly #bits: readonly number[];
  readonly #aligned: boolean;
  readonly #types = new Uint8Array(MOST_FRAMES);
  readonly #isGood = new Uint8Array(MOST_FRAMES);
  #packet: Uint8Array = this.frame;
  #at = 0;
  #end = 0;

  constructor({ bits }: AmrBand, aligned: boolean) {
    this.#bits = bits;
    this.#aligned = aligned;
  }

  /** How many frames the packet holds; 0 when it is broken. */
  open(packet: Uint8Array, from: number, to: number): number {
    this.#packet = packet;
    this.#at = from * 8;
    this.#end = to * 8;
    if (to - from < 2) return 0;
    const asked = this.#take(this.#aligned ? 8 : 4) >> (this.#aligned ? 4 : 0);
    const frames = this.#readContents();
    if (frames === 0) return 0;
    this.asked = asked;
    let needed = 0;
    for (let i = 0; i < frames; i++) needed += this.#sizeOf(this.#types[i]!);
    return this.#at + needed <= this.#end ? frames : 0;
  }

  /** Puts the next frame of those `open` counted into `frame`; false when nothing can be heard from it. */
  read(place: number): boolean {
    const type = this.#types[place]!;
    const bits = this.#bits[type] ?? 0;
    this.frame.fill(0);
    this.frame[0] = (type << 3) | 4;
    for (let i = 0, left = bits; left > 0; i++, left -= 8) {
      const taken = Math.min(8, left);
      this.frame[1 + i] = this.#take(taken) << (8 - taken);
    }
    if (this.#aligned) this.#at += this.#sizeOf(type) - bits;
    return bits > 0 && this.#isGood[place] === 1;
  }

  /** The table of contents: a type and whether the frame is whole, for each. */
  #readContents(): number {
    for (let frames = 0; frames < MOST_FRAMES; frames++) {
      if (this.#at + 6 > this.#end) return 0;
      const entry = this.#aligned ? this.#take(8) >> 2 : this.#take(6);
      const type = (entry >> 1) & 15;
      if (type !== NO_DATA && type !== SPEECH_LOST && this.#bits[type] === undefined) return 0;
      this.#types[frames] = type;
      this.#isGood[frames] = entry & 1;
      if (entry >> 5 === 0) return frames + 1;
    }
    return 0;
  }

  #sizeOf(type: number): number {
    const bits = this.#bits[type] ?? 0;
    return this.#aligned ? (bits + 7) & ~7 : bits;
  }

  /** At most eight bits; those behind the end are zeros. */
  #take(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++, this.#at++) {
      const octet = this.#at < this.#end ? this.#packet[this.#at >> 3]! : 0;
      value = (value << 1) | ((octet >> (7 - (this.#at & 7))) & 1);
    }
    return value;
  }
}

/** One frame as a library gives it (type, then whole octets) into a packet without a request of ours; returns its length. */
// biome-ignore lint/complexity/useMaxParams: the hot loop works on plain arguments
export function writeFrame(
  { bits }: AmrBand,
  aligned: boolean,
  frame: Uint8Array,
  into: Uint8Array,
  at: number,
): number {
  const type = (frame[0]! >> 3) & 15;
  const size = bits[type] ?? 0;
  const octets = (size + 7) >> 3;
  if (aligned) {
    into[at] = ASKS_NOTHING << 4;
    into.set(frame.subarray(0, 1 + octets), at + 1);
    return 2 + octets;
  }
  // Four bits of request and six of contents: everything after them sits ten bits later.
  const contents = (ASKS_NOTHING << 6) | (type << 1) | 1;
  const total = (10 + size + 7) >> 3;
  into[at] = contents >> 2;
  into[at + 1] = ((contents & 3) << 6) | (frame[1]! >> 2);
  for (let i = 2; i < total; i++) into[at + i] = ((frame[i - 1]! << 6) & 0xff) | ((frame[i] ?? 0) >> 2);
  return total;
}
