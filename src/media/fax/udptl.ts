// UDPTL (ITU-T T.38 section 9): numbered datagrams that carry one fax packet and copies of those before it.

/** Copies of earlier packets that ride along: three lost in a row are made good. */
const COPIES = 3;
const MOST_SECONDARIES = 16;

export class UdptlSender {
  readonly #maxDatagram: number;
  readonly #copies: number;
  #sequence = 0;
  /** The latest first. */
  #sent: Uint8Array[] = [];

  constructor({ maxDatagram, redundancy }: { maxDatagram: number; redundancy: boolean }) {
    this.#maxDatagram = maxDatagram;
    this.#copies = redundancy ? COPIES : 0;
  }

  wrap(ifp: Uint8Array): Uint8Array {
    const earlier: Uint8Array[] = [];
    let length = 2 + lengthOf(ifp) + 2;
    for (const copy of this.#sent) {
      if (length + lengthOf(copy) > this.#maxDatagram) break;
      length += lengthOf(copy);
      earlier.push(copy);
    }
    const datagram = new Uint8Array(length);
    datagram[0] = this.#sequence >> 8;
    datagram[1] = this.#sequence & 0xff;
    let at = write(datagram, 2, ifp);
    datagram[at++] = 0; // what follows are earlier packets, not parity
    datagram[at++] = earlier.length;
    for (const copy of earlier) at = write(datagram, at, copy);
    this.#sent = [ifp, ...this.#sent].slice(0, this.#copies);
    this.#sequence = (this.#sequence + 1) & 0xffff;
    return datagram;
  }
}

export type Ifp = { sequence: number; octets: Uint8Array };

export class UdptlReceiver {
  #next: number | undefined;
  lost = 0;
  recovered = 0;

  /** The fax packets that are new in it, oldest first; undefined when it is no UDPTL. */
  unwrap(datagram: Uint8Array): Ifp[] | undefined {
    const read = readDatagram(datagram);
    if (!read) return undefined;
    const { sequence, primary, secondaries } = read;
    this.#next ??= sequence;
    const missing = (sequence - this.#next) & 0xffff;
    if (missing & 0x8000) return []; // it has been here, or it was given up
    const copies = secondaries.slice(0, missing).reverse();
    this.recovered += copies.length;
    this.lost += missing - copies.length;
    this.#next = (sequence + 1) & 0xffff;
    const first = sequence - copies.length;
    return [...copies, primary].map((octets, place) => ({ sequence: (first + place) & 0xffff, octets }));
  }
}

type Datagram = { sequence: number; primary: Uint8Array; secondaries: Uint8Array[] };

function readDatagram(datagram: Uint8Array): Datagram | undefined {
  const [high, low] = datagram;
  const primary = readPacket(datagram, 2);
  if (high === undefined || low === undefined || !primary) return undefined;
  const secondaries: Uint8Array[] = [];
  // Parity packets, or nothing further: the primary one has all that we can use.
  const isCopies = datagram[primary.end] === 0;
  const count = isCopies ? (datagram[primary.end + 1] ?? 0) : 0;
  if (count > MOST_SECONDARIES) return undefined;
  for (let at = primary.end + 2; secondaries.length < count; ) {
    const packet = readPacket(datagram, at);
    if (!packet) return undefined;
    secondaries.push(packet.octets);
    at = packet.end;
  }
  return { sequence: high * 256 + low, primary: primary.octets, secondaries };
}

/** Octets with their length before them, as ASN.1's packed encoding has it: one octet below 128, two above. */
function readPacket(datagram: Uint8Array, at: number): { octets: Uint8Array; end: number } | undefined {
  const first = datagram[at];
  if (first === undefined || first >= 0xc0) return undefined;
  const second = datagram[at + 1] ?? 0;
  const [length, start] = first < 0x80 ? [first, at + 1] : [(first & 0x3f) * 256 + second, at + 2];
  const end = start + length;
  return end <= datagram.length ? { octets: datagram.subarray(start, end), end } : undefined;
}

function lengthOf(ifp: Uint8Array): number {
  return ifp.length + (ifp.length < 0x80 ? 1 : 2);
}

function write(datagram: Uint8Array, start: number, ifp: Uint8Array): number {
  let at = start;
  if (ifp.length < 0x80) datagram[at++] = ifp.length;
  else {
    datagram[at++] = 0x80 | (ifp.length >> 8);
    datagram[at++] = ifp.length & 0xff;
  }
  datagram.set(ifp, at);
  return at + ifp.length;
}
