// How many frames a packet of Speex holds, counted bit by bit: the library complains about each broken one on standard error,
// and a stranger would fill the disk with its complaints.

/** Bits of a frame by its mode, with the five that say it. */
const FRAME_BITS: readonly number[] = [5, 43, 119, 160, 220, 300, 364, 492, 79];
/** Bits of the layer that makes it wide, by its mode, with the four that say it. */
const LAYER_BITS: readonly number[] = [4, 36, 112, 192, 352];
/** Words between the two coders, by the bits of each kind. */
const MESSAGE = 14;
const MESSAGE_BITS: readonly number[] = [1, 1, 4, 4, 4, 4, 4, 4, 8, 8, 16, 16, 32, 32, 64, 64];
const TERMINATOR = 15;

/** 0 for a broken packet, and for what telephones never send. */
export function framesIn(packet: Uint8Array, [from, to]: readonly [number, number], isWide: boolean): number {
  const end = to * 8;
  const peek = (at: number, count: number) => {
    let value = 0;
    for (let i = at; i < at + count; i++) value = (value << 1) | ((packet[i >> 3]! >> (7 - (i & 7))) & 1);
    return value;
  };
  let frames = 0;
  let mayWiden = false;
  for (let at = from * 8; ; ) {
    if (at + 5 > end) return at === end || peek(at, 1) === 0 ? frames : 0;
    const isLayer = peek(at, 1) === 1;
    const mode = peek(at + 1, isLayer ? 3 : 4);
    if (!isLayer && mode === TERMINATOR) return frames;
    if (isLayer && !mayWiden) return 0;
    if (!isLayer && mode !== MESSAGE) frames += 1;
    mayWiden = isWide && !isLayer && mode !== MESSAGE;
    if (!isLayer && mode === MESSAGE && at + 9 > end) return 0;
    const bits = isLayer ? LAYER_BITS[mode] : mode === MESSAGE ? 9 + MESSAGE_BITS[peek(at + 5, 4)]! : FRAME_BITS[mode];
    if (bits === undefined || at + bits > end) return 0;
    at += bits;
  }
}
