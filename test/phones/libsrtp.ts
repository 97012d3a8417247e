// The SRTP that most telephones are built with, Cisco's libsrtp: for a telephone that does not encrypt by our own code.

import koffi from "koffi";
import type { SrtpKeys } from "../../src/sdp/agreed.ts";

export type PhoneCipher = {
  /** The new length; -1 when it is not what was sealed. */
  protect(packet: Buffer, length: number): number;
  unprotect(packet: Buffer, length: number): number;
  close(): void;
};

const FROM_ANYBODY = 2;
const TO_ANYBODY = 3;

/** Sets a policy for RTP and for RTCP. */
const policies: Partial<Record<SrtpKeys["suite"], string>> = {
  AES_CM_128_HMAC_SHA1_80: "srtp_crypto_policy_set_rtp_default",
  AEAD_AES_256_GCM: "srtp_crypto_policy_set_aes_gcm_256_16_auth",
};

const cryptoPolicy = koffi.struct({
  cipher: "uint32_t",
  cipherKeyLength: "int",
  auth: "uint32_t",
  authKeyLength: "int",
  tagLength: "int",
  services: "int",
});
const policy = koffi.struct({
  ssrcType: "int",
  ssrc: "unsigned int",
  rtp: cryptoPolicy,
  rtcp: cryptoPolicy,
  key: "uint8_t *",
  keys: "void *",
  keyCount: "unsigned long",
  ekt: "void *",
  window: "unsigned long",
  mayRepeat: "int",
  headers: "void *",
  headerCount: "int",
  next: "void *",
});

let loaded: ReturnType<typeof load> | undefined;

export function libsrtp({ suite, localKey, remoteKey }: SrtpKeys): PhoneCipher {
  loaded ??= load();
  const out = loaded.open(suite, localKey, TO_ANYBODY);
  const into = loaded.open(suite, remoteKey, FROM_ANYBODY);
  const { protect, unprotect, free } = loaded;
  const run = (act: typeof protect, session: unknown, packet: Buffer, length: number) => {
    const size = Int32Array.of(length);
    return act(session, packet, size) === 0 ? size[0]! : -1;
  };
  return {
    protect: (packet, length) => run(protect, out, packet, length),
    unprotect: (packet, length) => run(unprotect, into, packet, length),
    close() {
      free(out);
      free(into);
    },
  };
}

function load() {
  const library = koffi.load("libsrtp2.so.1");
  library.func("int srtp_init()")();
  const create = library.func("srtp_create", "int", [koffi.out(koffi.pointer("void *")), koffi.pointer(policy)]);
  return {
    protect: library.func("int srtp_protect(void *session, void *packet, int *length)"),
    unprotect: library.func("int srtp_unprotect(void *session, void *packet, int *length)"),
    free: library.func("int srtp_dealloc(void *session)"),
    open(suite: SrtpKeys["suite"], key: string, ssrcType: number): unknown {
      const name = policies[suite];
      if (name === undefined) throw new Error(`nobody said how libsrtp is told of ${suite}`);
      const setting = library.func(name, "void", [koffi.out(koffi.pointer(cryptoPolicy))]);
      const [rtp, rtcp] = [{}, {}];
      setting(rtp);
      setting(rtcp);
      const session = [null];
      const made = { ssrcType, ssrc: 0, rtp, rtcp, key: Buffer.from(key, "base64"), window: 1024, ...NOTHING_MORE };
      const status = create(session, made);
      if (status !== 0) throw new Error(`libsrtp refuses ${suite}: ${status}`);
      return session[0];
    },
  };
}

const NOTHING_MORE = { keys: null, keyCount: 0, ekt: null, mayRepeat: 0, headers: null, headerCount: 0, next: null };
