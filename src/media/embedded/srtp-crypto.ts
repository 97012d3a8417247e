// AES counter mode and HMAC-SHA1 for SRTP: libcrypto with reused contexts where it can be called, node:crypto elsewhere.
// A packet costs about 2 µs through libcrypto and 12 µs through node:crypto.

import { createCipheriv, createHmac } from "node:crypto";
import { loadFirst, loadKoffi } from "../../libc.ts";

export type Cipher = {
  /** Encrypts or decrypts packet[from, to) in place. */
  apply(packet: Uint8Array, from: number, to: number, iv: Uint8Array): void;
  close(): void;
};
export type Signer = {
  /** Signs packet[0, length) and the trailer; the 20 bytes of the result are overwritten by the next call. */
  sign(packet: Uint8Array, length: number, trailer: Uint8Array): Uint8Array;
  close(): void;
};

export type CryptoLibrary = { openCipher(key: Uint8Array): Cipher; openSigner(key: Uint8Array): Signer };

export const nodeCrypto: CryptoLibrary = {
  openCipher: (key) => ({
    apply(packet, from, to, iv) {
      packet.set(createCipheriv("aes-128-ctr", key, iv).update(packet.subarray(from, to)), from);
    },
    close() {},
  }),
  openSigner: (key) => ({
    sign: (packet, length, trailer) =>
      createHmac("sha1", key).update(packet.subarray(0, length)).update(trailer).digest(),
    close() {},
  }),
};

let chosen: CryptoLibrary | undefined;

export function cryptoLibrary(): CryptoLibrary {
  chosen ??= loadLibcrypto() ?? nodeCrypto;
  return chosen;
}

/** Undefined where OpenSSL 3 is not installed as a shared library. */
export function loadLibcrypto(): CryptoLibrary | undefined {
  const koffi = loadKoffi();
  const library = koffi && loadFirst(koffi, ["libcrypto.so.3"]);
  if (!library) return undefined;
  const newCipher = library.func("void *EVP_CIPHER_CTX_new()");
  const aes = library.func("void *EVP_aes_128_ctr()");
  const initCipher = library.func("int EVP_EncryptInit_ex(void*, void*, void*, void*, void*)");
  const update = library.func("int EVP_EncryptUpdate(void*, void*, void*, void*, int)");
  const newMac = library.func("void *HMAC_CTX_new()");
  const sha1 = library.func("void *EVP_sha1()");
  const initMac = library.func("int HMAC_Init_ex(void*, void*, int, void*, void*)");
  const updateMac = library.func("int HMAC_Update(void*, void*, size_t)");
  const finalMac = library.func("int HMAC_Final(void*, void*, void*)");
  const freeCipher = library.func("void EVP_CIPHER_CTX_free(void*)");
  const freeMac = library.func("void HMAC_CTX_free(void*)");
  return {
    openCipher(key) {
      const context = newCipher();
      initCipher(context, aes(), null, key, null);
      const written = new Int32Array(1);
      return {
        apply(packet, from, to, iv) {
          const part = tailOf(packet, from);
          initCipher(context, null, null, null, iv);
          update(context, part, written, part, to - from);
        },
        close: () => void freeCipher(context),
      };
    },
    openSigner(key) {
      const context = newMac();
      initMac(context, key, key.length, sha1(), null);
      const signature = new Uint8Array(20);
      return {
        sign(packet, length, trailer) {
          initMac(context, null, 0, null, null);
          updateMac(context, packet, length);
          updateMac(context, trailer, trailer.length);
          finalMac(context, signature, null);
          return signature;
        },
        close: () => void freeMac(context),
      };
    },
  };
}

const USUAL_HEADER = 12;
const tails = new WeakMap<Uint8Array, Uint8Array>();

/** Nearly every packet has the plain header and lies in one of two buffers: their views are made once. */
function tailOf(packet: Uint8Array, from: number): Uint8Array {
  if (from !== USUAL_HEADER) return packet.subarray(from);
  const known = tails.get(packet);
  if (known) return known;
  const made = packet.subarray(from);
  tails.set(packet, made);
  return made;
}
