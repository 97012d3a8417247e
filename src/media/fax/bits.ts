// Bits in a row, the first in the highest place of the first octet.

export class BitWriter {
  #octets = new Uint8Array(16_384);
  #length = 0;
  #held = 0;
  #heldBits = 0;

  /** At most 16 bits at a time. */
  put(value: number, bits: number): void {
    this.#held = (this.#held << bits) | value;
    this.#heldBits += bits;
    while (this.#heldBits >= 8) {
      this.#heldBits -= 8;
      this.#push((this.#held >>> this.#heldBits) & 0xff);
    }
    this.#held &= (1 << this.#heldBits) - 1;
  }

  /** All bits of these octets from the given one on. */
  append(octets: Uint8Array, fromBit: number): void {
    const first = fromBit >> 3;
    const skipped = fromBit & 7;
    if (first >= octets.length) return;
    this.put(octets[first]! & (0xff >> skipped), 8 - skipped); // just seen to be inside
    for (const octet of octets.subarray(first + 1)) this.put(octet, 8);
  }

  /** Filled up with zeros to whole octets. */
  finish(): Uint8Array {
    if (this.#heldBits > 0) this.put(0, 8 - this.#heldBits);
    return this.#octets.slice(0, this.#length);
  }

  #push(octet: number): void {
    if (this.#length === this.#octets.length) {
      const larger = new Uint8Array(this.#length * 2);
      larger.set(this.#octets);
      this.#octets = larger;
    }
    this.#octets[this.#length++] = octet;
  }
}

/** Fax machines send the lowest bit first, and some files keep it so. */
export function mirrorOctets(octets: Uint8Array): Uint8Array {
  return octets.map((octet) => mirrored[octet]!); // the table has every octet
}

const mirrored = Uint8Array.from({ length: 256 }, (_, octet) => {
  let turned = 0;
  for (let bit = 0; bit < 8; bit++) if (octet & (1 << bit)) turned |= 0x80 >> bit;
  return turned;
});
