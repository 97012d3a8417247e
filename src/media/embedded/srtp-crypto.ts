// AES counter mode, HMAC-SHA1 and AES-GCM for SRTP: libcrypto with reused contexts where it can be called, node:crypto elsewhere.
// A packet costs about 2 µs through libcrypto and 12 µs through node:crypto.

import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";
import { type Library, loadFirst, loadKoffi } from "../../libc.ts";

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

export type Aead = {
  /** Encrypts packet[from, to) in place and writes the tag behind it. */
  seal(packet: Uint8Array, from: number, to: number, beside: Beside): void;
  /** The reverse; false, and the packet is worth nothing any more, when the tag behind it says otherwise. */
  open(packet: Uint8Array, from: number, to: number, beside: Beside): boolean;
  close(): void;
};
export type Beside = { iv: Uint8Array; aad: Uint8Array };

export type CryptoLibrary = {
  openCipher(key: Uint8Array): Cipher;
  openSigner(key: Uint8Array): Signer;
  /** 16 or 32 octets of key. */
  openAead(key: Uint8Array): Aead;
};

const AEAD_TAG = 16;

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
  openAead: (key) => ({
    seal(packet, from, to, { iv, aad }) {
      const cipher = createCipheriv(gcmOf(key), key, iv).setAAD(aad);
      packet.set(cipher.update(packet.subarray(from, to)), from);
      cipher.final();
      packet.set(cipher.getAuthTag(), to);
    },
    open(packet, from, to, { iv, aad }) {
      const decipher = createDecipheriv(gcmOf(key), key, iv, { authTagLength: AEAD_TAG }).setAAD(aad);
      decipher.setAuthTag(packet.subarray(to, to + AEAD_TAG));
      const plain = decipher.update(packet.subarray(from, to));
      try {
        decipher.final();
      } catch {
        return false;
      }
      packet.set(plain, from);
      return true;
    },
    close() {},
  }),
};

const gcmOf = (key: Uint8Array) => (key.length === 32 ? "aes-256-gcm" : "aes-128-gcm");

let chosen: CryptoLibrary | undefined;

export function cryptoLibrary(): CryptoLibrary {
  chosen ??= loadLibcrypto() ?? nodeCrypto;
  return chosen;
}

/** Undefined where OpenSSL 3 is not installed as a shared library. */
export function loadLibcrypto(): CryptoLibrary | undefined {
  const koffi = loadKoffi();
  const library = koffi && loadFirst(koffi, ["libcrypto.so.3"], { own: true });
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
    openAead: loadAead(library),
  };
}

const SET_IV_LENGTH = 0x9;
const GET_TAG = 0x10;
const SET_TAG = 0x11;
const IV_BYTES = 12;

function loadAead(library: Library): CryptoLibrary["openAead"] {
  const newCipher = library.func("void *EVP_CIPHER_CTX_new()");
  const gcm = { 16: library.func("void *EVP_aes_128_gcm()"), 32: library.func("void *EVP_aes_256_gcm()") };
  const init = library.func("int EVP_CipherInit_ex(void*, void*, void*, void*, void*, int)");
  const update = library.func("int EVP_CipherUpdate(void*, void*, void*, void*, int)");
  const finish = library.func("int EVP_CipherFinal_ex(void*, void*, void*)");
  const control = library.func("int EVP_CIPHER_CTX_ctrl(void*, int, int, void*)");
  const free = library.func("void EVP_CIPHER_CTX_free(void*)");
  return (key) => {
    const context = newCipher();
    init(context, gcm[key.length === 32 ? 32 : 16](), null, null, null, 1);
    control(context, SET_IV_LENGTH, IV_BYTES, null);
    init(context, null, null, key, null, 1);
    const written = new Int32Array(1);
    const rest = new Uint8Array(AEAD_TAG);
    const tag = new Uint8Array(AEAD_TAG);
    // biome-ignore lint/complexity/useMaxParams: the hot path works on plain arguments
    const run = (packet: Uint8Array, from: number, to: number, { iv, aad }: Beside, encrypts: number) => {
      const part = tailOf(packet, from);
      init(context, null, null, null, iv, encrypts);
      update(context, null, written, aad, aad.length);
      if (to > from) update(context, part, written, part, to - from);
    };
    return {
      seal(packet, from, to, beside) {
        run(packet, from, to, beside, 1);
        finish(context, rest, written);
        control(context, GET_TAG, AEAD_TAG, tag);
        packet.set(tag, to);
      },
      open(packet, from, to, beside) {
        run(packet, from, to, beside, 0);
        tag.set(packet.subarray(to, to + AEAD_TAG));
        control(context, SET_TAG, AEAD_TAG, tag);
        return finish(context, rest, written) > 0;
      },
      close: () => void free(context),
    };
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
