// G.711's two laws as tables: every byte and every sample has its one answer, looked up.

export type Law = {
  /** 256 samples by byte. */
  toLinear: Int16Array;
  /** 65,536 bytes by sample + 32768. */
  toByte: Uint8Array;
};

export function expandALaw(byte: number): number {
  const bits = byte ^ 0x55;
  const segment = (bits >> 4) & 7;
  const step = ((bits & 0x0f) << 4) + 8;
  const magnitude = segment === 0 ? step : (step + 0x100) << (segment - 1);
  return bits & 0x80 ? magnitude : -magnitude;
}

export function expandMuLaw(byte: number): number {
  const bits = ~byte & 0xff;
  const magnitude = ((((bits & 0x0f) << 3) + 0x84) << ((bits >> 4) & 7)) - 0x84;
  return bits & 0x80 ? -magnitude : magnitude;
}

export const aLaw: Law = tabulate(expandALaw);
export const muLaw: Law = tabulate(expandMuLaw);

const aLawToMuLaw = Uint8Array.from(aLaw.toLinear, (sample) => muLaw.toByte[sample + 32768]!);
const muLawToALaw = Uint8Array.from(muLaw.toLinear, (sample) => aLaw.toByte[sample + 32768]!);

/** Re-coding one law as the other without passing through samples. */
export function tableBetween(from: Law, to: Law): Uint8Array | undefined {
  if (from === to) return undefined;
  return from === aLaw ? aLawToMuLaw : muLawToALaw;
}

/** The nearest level wins; between two equally near ones the smaller in size, as the standard's decision values have it. */
function tabulate(expand: (byte: number) => number): Law {
  const toLinear = Int16Array.from({ length: 256 }, (_, byte) => expand(byte));
  const levels = [...toLinear.keys()].sort((a, b) => toLinear[a]! - toLinear[b]!);
  const toByte = new Uint8Array(65_536);
  let near = 0;
  for (let sample = -32_768; sample < 32_768; sample++) {
    while (near < 255 && isCloser(toLinear[levels[near + 1]!]!, toLinear[levels[near]!]!, sample)) near += 1;
    toByte[sample + 32_768] = levels[near]!;
  }
  return { toLinear, toByte };
}

function isCloser(next: number, current: number, sample: number): boolean {
  // Mu-law has a zero of either sign.
  if (next === current) return true;
  const ahead = Math.abs(next - sample) - Math.abs(current - sample);
  return ahead < 0 || (ahead === 0 && Math.abs(next) < Math.abs(current));
}
