// The RTP header (RFC 3550 section 5.1).

export const RTP_HEADER = 12;

/** Length of the header with its extras, or -1 when this is not RTP. */
export function headerLength(packet: Uint8Array, length: number): number {
  const first = packet[0]!;
  if (length < RTP_HEADER || (first & 0xc0) !== 0x80) return -1;
  let header = RTP_HEADER + 4 * (first & 0x0f);
  if (first & 0x10) {
    if (header + 4 > length) return -1;
    header += 4 + 4 * ((packet[header + 2]! << 8) | packet[header + 3]!);
  }
  return header <= length ? header : -1;
}

/** Where the payload ends once padding is taken away, or -1 when the padding cannot be. */
export function payloadEnd(packet: Uint8Array, header: number, length: number): number {
  if ((packet[0]! & 0x20) === 0) return length;
  const padding = packet[length - 1]!;
  return padding > 0 && header + padding <= length ? length - padding : -1;
}

/** RTCP shares the port when both sides agreed (RFC 5761 section 4). */
export function looksLikeRtcp(packet: Uint8Array): boolean {
  const type = packet[1]!;
  return type >= 192 && type <= 223;
}

export function timestampOf(packet: Uint8Array): number {
  return ((packet[4]! << 24) | (packet[5]! << 16) | (packet[6]! << 8) | packet[7]!) >>> 0;
}

export function ssrcOf(packet: Uint8Array): number {
  return ((packet[8]! << 24) | (packet[9]! << 16) | (packet[10]! << 8) | packet[11]!) >>> 0;
}

export function sequenceOf(packet: Uint8Array): number {
  return (packet[2]! << 8) | packet[3]!;
}

export function writeSequence(packet: Uint8Array, sequence: number): void {
  packet[2] = (sequence >> 8) & 255;
  packet[3] = sequence & 255;
}

export function writeUint32(packet: Uint8Array, at: number, value: number): void {
  packet[at] = value >>> 24;
  packet[at + 1] = (value >> 16) & 255;
  packet[at + 2] = (value >> 8) & 255;
  packet[at + 3] = value & 255;
}
