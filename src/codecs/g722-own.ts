// G.722 in our own words, for machines without spandsp, and to hold spandsp's against: two sub-bands of ADPCM behind a
// quadrature mirror filter (ITU-T G.722).

import { Band, saturate } from "./g722-band.ts";
import type { Decode, Encode } from "./shape.ts";

const LOW = { det: 32, mostNb: 18_432, shift: 8 };
const HIGH = { det: 8, mostNb: 22_528, shift: 10 };
const TAPS = 24;

export function openOwnEncoder(): Encode {
  const low = new Band(LOW.det);
  const high = new Band(HIGH.det);
  const history = new Int32Array(TAPS);
  return (pcm, into, at) => {
    const bytes = pcm.length >> 1;
    for (let i = 0; i < bytes; i++) {
      history.copyWithin(0, 2);
      history[22] = pcm[2 * i]!;
      history[23] = pcm[2 * i + 1]!;
      let odd = 0;
      let even = 0;
      for (let tap = 0; tap < 12; tap++) {
        odd += history[2 * tap]! * mirrorFilter[tap]!;
        even += history[2 * tap + 1]! * mirrorFilter[11 - tap]!;
      }
      into[at + i] = (encodeHigh(high, (even - odd) >> 14) << 6) | encodeLow(low, (even + odd) >> 14);
    }
    return bytes;
  };
}

export function openOwnDecoder(): Decode {
  const low = new Band(LOW.det);
  const high = new Band(HIGH.det);
  const history = new Int32Array(TAPS);
  return (packet, from, to, into) => {
    const bytes = Math.min(to - from, into.length >> 1);
    for (let i = 0; i < bytes; i++) {
      const code = packet[from + i]!;
      const below = decodeLow(low, code & 0x3f);
      const above = decodeHigh(high, code >> 6);
      history.copyWithin(0, 2);
      history[22] = below + above;
      history[23] = below - above;
      let first = 0;
      let second = 0;
      for (let tap = 0; tap < 12; tap++) {
        second += history[2 * tap]! * mirrorFilter[tap]!;
        first += history[2 * tap + 1]! * mirrorFilter[11 - tap]!;
      }
      into[2 * i] = saturate(first >> 11);
      into[2 * i + 1] = saturate(second >> 11);
    }
    return bytes * 2;
  };
}

/** QUANTL: six bits. */
function encodeLow(band: Band, sample: number): number {
  const error = saturate(sample - band.s);
  const size = error >= 0 ? error : -(error + 1);
  let level = 1;
  while (level < 30 && size >= (lowDecision[level]! * band.det) >> 12) level += 1;
  const code = error < 0 ? lowNegative[level]! : lowPositive[level]!;
  adaptLow(band, code >> 2);
  return code;
}

/** QUANTH: two bits. */
function encodeHigh(band: Band, sample: number): number {
  const error = saturate(sample - band.s);
  const size = error >= 0 ? error : -(error + 1);
  const large = size >= (564 * band.det) >> 12;
  const code = error < 0 ? (large ? 0 : 1) : large ? 2 : 3;
  adaptHigh(band, code);
  return code;
}

function decodeLow(band: Band, code: number): number {
  const sample = limit(band.s + ((band.det * sixBitLevel[code]!) >> 15));
  adaptLow(band, code >> 2);
  return sample;
}

function decodeHigh(band: Band, code: number): number {
  const sample = limit(band.s + ((band.det * twoBitLevel[code]!) >> 15));
  adaptHigh(band, code);
  return sample;
}

/** The predictor always runs on four bits, so that the two lowest may be stolen on the way. */
function adaptLow(band: Band, code: number): void {
  const difference = (band.det * fourBitLevel[code]!) >> 15;
  band.scale(lowWeight[code]!, LOW.mostNb, LOW.shift);
  band.adapt(difference);
}

function adaptHigh(band: Band, code: number): void {
  const difference = (band.det * twoBitLevel[code]!) >> 15;
  band.scale(highWeight[code]!, HIGH.mostNb, HIGH.shift);
  band.adapt(difference);
}

function limit(sample: number): number {
  return sample > 16_383 ? 16_383 : Math.max(sample, -16_384);
}

export const mirrorFilter = Int32Array.of(3, -11, 12, 32, -210, 951, 3876, -805, 362, -156, 53, -11);

/** Q6: decision levels of the six-bit quantiser. */
const lowDecision = Int32Array.of(
  0,
  35,
  72,
  110,
  150,
  190,
  233,
  276,
  323,
  370,
  422,
  473,
  530,
  587,
  650,
  714,
  786,
  858,
  940,
  1023,
  1121,
  1219,
  1339,
  1458,
  1612,
  1765,
  1980,
  2195,
  2557,
  2919,
);

/** ILN and ILP: codes by level, for errors below and above zero. */
const lowNegative = Uint8Array.from({ length: 31 }, (_, level) =>
  level === 0 ? 0 : level < 3 ? 64 - level : 34 - level,
);
const lowPositive = Uint8Array.from({ length: 31 }, (_, level) => (level === 0 ? 0 : 62 - level));

const fourBitLevel = Int32Array.of(
  0,
  -20_456,
  -12_896,
  -8968,
  -6288,
  -4240,
  -2584,
  -1200,
  20_456,
  12_896,
  8968,
  6288,
  4240,
  2584,
  1200,
  0,
);

const twoBitLevel = Int32Array.of(-7408, -1616, 7408, 1616);

const sixBitLevel = Int32Array.of(
  -136,
  -136,
  -136,
  -136,
  -24_808,
  -21_904,
  -19_008,
  -16_704,
  -14_984,
  -13_512,
  -12_280,
  -11_192,
  -10_232,
  -9360,
  -8576,
  -7856,
  -7192,
  -6576,
  -6000,
  -5456,
  -4944,
  -4464,
  -4008,
  -3576,
  -3168,
  -2776,
  -2400,
  -2032,
  -1688,
  -1360,
  -1040,
  -728,
  24_808,
  21_904,
  19_008,
  16_704,
  14_984,
  13_512,
  12_280,
  11_192,
  10_232,
  9360,
  8576,
  7856,
  7192,
  6576,
  6000,
  5456,
  4944,
  4464,
  4008,
  3576,
  3168,
  2776,
  2400,
  2032,
  1688,
  1360,
  1040,
  728,
  432,
  136,
  -432,
  -136,
);

/** WL by way of RL42, and WH by way of RH2: how far a code moves the scale. */
const lowWeight = Int32Array.of(-60, 3042, 1198, 538, 334, 172, 58, -30, 3042, 1198, 538, 334, 172, 58, -30, -60);
const highWeight = Int32Array.of(798, -214, 798, -214);
