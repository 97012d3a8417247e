// One direction of SRTP with one set of session keys: counter mode beside a signature (RFC 3711), or both in one (RFC 7714).

import { timingSafeEqual } from "node:crypto";
import { writeUint32 } from "./rtp.ts";
import type { Aead, Cipher, CryptoLibrary, Signer } from "./srtp-crypto.ts";
import type { Keys } from "./srtp-keys.ts";

/** Which packet it is: up to 48 bits in two parts, and whose. */
export type PacketIndex = { ssrc: number; high: number; low: number };

export type Side = {
  /** Encrypts from `header` on and adds the tag behind; the buffer must have room for it. Returns the new length. */
  seal(packet: Uint8Array, header: number, length: number, index: PacketIndex): number;
  /** The length without the tag, or -1 when it is not what was sealed. */
  open(packet: Uint8Array, header: number, length: number, index: PacketIndex): number;
  /** The same for RTCP, whose index travels in the packet: the word with it, and with the bit that says "encrypted". */
  sealReport(packet: Uint8Array, length: number, index: PacketIndex, word: number): number;
  openReport(packet: Uint8Array, length: number, index: PacketIndex, word: number): number;
  /** Where the word stands in a packet of this length. */
  wordAt(length: number): number;
  close(): void;
};

export const RTCP_HEADER = 8;
export const WORD_BYTES = 4;
export const ENCRYPTED_BIT = 0x8000_0000;

export function openSide(keys: Keys, tagBytes: number, library: CryptoLibrary): Side {
  return keys.auth.length > 0 ? new SignedSide(keys, tagBytes, library) : new AeadSide(keys, tagBytes, library);
}

class SignedSide implements Side {
  readonly #cipher: Cipher;
  readonly #signer: Signer;
  readonly #salt: Buffer;
  readonly #tagBytes: number;
  readonly #iv = new Uint8Array(16);
  readonly #trailer = new Uint8Array(WORD_BYTES);

  constructor({ cipher, auth, salt }: Keys, tagBytes: number, library: CryptoLibrary) {
    this.#cipher = library.openCipher(cipher);
    this.#signer = library.openSigner(auth);
    this.#salt = salt;
    this.#tagBytes = tagBytes;
  }

  seal(packet: Uint8Array, header: number, length: number, index: PacketIndex): number {
    this.#crypt(packet, header, length, index);
    packet.set(this.#tag(packet, length, index.high), length);
    return length + this.#tagBytes;
  }

  open(packet: Uint8Array, header: number, length: number, index: PacketIndex): number {
    const end = length - this.#tagBytes;
    if (end < header || !this.#matches(packet, end, index.high)) return -1;
    this.#crypt(packet, header, end, index);
    return end;
  }

  sealReport(packet: Uint8Array, length: number, index: PacketIndex, word: number): number {
    this.#crypt(packet, RTCP_HEADER, length, index);
    packet.set(this.#tag(packet, length, word), length + WORD_BYTES);
    writeUint32(packet, length, word);
    return length + WORD_BYTES + this.#tagBytes;
  }

  openReport(packet: Uint8Array, length: number, index: PacketIndex, word: number): number {
    const end = this.wordAt(length);
    // The tag stands behind the word, which it covers.
    packet.copyWithin(end, end + WORD_BYTES, length);
    if (!this.#matches(packet, end, word)) return -1;
    if (word & ENCRYPTED_BIT) this.#crypt(packet, RTCP_HEADER, end, index);
    return end;
  }

  wordAt(length: number): number {
    return length - this.#tagBytes - WORD_BYTES;
  }

  close(): void {
    this.#cipher.close();
    this.#signer.close();
  }

  #crypt(packet: Uint8Array, from: number, to: number, { ssrc, high, low }: PacketIndex): void {
    const iv = this.#iv;
    iv.set(this.#salt);
    iv[14] = 0;
    iv[15] = 0;
    xorUint32(iv, 4, ssrc);
    xorUint32(iv, 8, high);
    iv[12]! ^= low >> 8;
    iv[13]! ^= low & 255;
    this.#cipher.apply(packet, from, to, iv);
  }

  #tag(packet: Uint8Array, length: number, trailer: number): Uint8Array {
    writeUint32(this.#trailer, 0, trailer);
    return this.#signer.sign(packet, length, this.#trailer).subarray(0, this.#tagBytes);
  }

  #matches(packet: Uint8Array, length: number, trailer: number): boolean {
    return timingSafeEqual(this.#tag(packet, length, trailer), packet.subarray(length, length + this.#tagBytes));
  }
}

class AeadSide implements Side {
  readonly #aead: Aead;
  readonly #salt: Buffer;
  readonly #tagBytes: number;
  readonly #iv = new Uint8Array(12);
  /** What is vouched for but not hidden: a header, and for RTCP the word. */
  readonly #open = new Uint8Array(2048);

  constructor({ cipher, salt }: Keys, tagBytes: number, library: CryptoLibrary) {
    this.#aead = library.openAead(cipher);
    this.#salt = salt;
    this.#tagBytes = tagBytes;
  }

  seal(packet: Uint8Array, header: number, length: number, index: PacketIndex): number {
    this.#place(index);
    this.#aead.seal(packet, header, length, { iv: this.#iv, aad: packet.subarray(0, header) });
    return length + this.#tagBytes;
  }

  open(packet: Uint8Array, header: number, length: number, index: PacketIndex): number {
    const end = length - this.#tagBytes;
    if (end < header) return -1;
    this.#place(index);
    return this.#aead.open(packet, header, end, { iv: this.#iv, aad: packet.subarray(0, header) }) ? end : -1;
  }

  sealReport(packet: Uint8Array, length: number, index: PacketIndex, word: number): number {
    this.#place(index);
    this.#aead.seal(packet, RTCP_HEADER, length, { iv: this.#iv, aad: this.#withWord(packet, RTCP_HEADER, word) });
    writeUint32(packet, length + this.#tagBytes, word);
    return length + this.#tagBytes + WORD_BYTES;
  }

  openReport(packet: Uint8Array, length: number, index: PacketIndex, word: number): number {
    const end = this.wordAt(length) - this.#tagBytes;
    if (end < RTCP_HEADER || end + WORD_BYTES > this.#open.length) return -1;
    this.#place(index);
    const from = word & ENCRYPTED_BIT ? RTCP_HEADER : end;
    return this.#aead.open(packet, from, end, { iv: this.#iv, aad: this.#withWord(packet, from, word) }) ? end : -1;
  }

  wordAt(length: number): number {
    return length - WORD_BYTES;
  }

  close(): void {
    this.#aead.close();
  }

  #withWord(packet: Uint8Array, length: number, word: number): Uint8Array {
    this.#open.set(packet.subarray(0, length));
    writeUint32(this.#open, length, word);
    return this.#open.subarray(0, length + WORD_BYTES);
  }

  #place({ ssrc, high, low }: PacketIndex): void {
    const iv = this.#iv;
    iv.set(this.#salt);
    xorUint32(iv, 2, ssrc);
    xorUint32(iv, 6, high);
    iv[10]! ^= low >> 8;
    iv[11]! ^= low & 255;
  }
}

function xorUint32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at]! ^= value >>> 24;
  bytes[at + 1]! ^= (value >> 16) & 255;
  bytes[at + 2]! ^= (value >> 8) & 255;
  bytes[at + 3]! ^= value & 255;
}
