// DTLS as SRTP needs it (RFC 5764): a handshake over datagrams that somebody else carries, and the keys that come of it.
// OpenSSL does the work; without it as a shared library there is no DTLS here.

import { type Koffi, type Library, loadFirst, loadKoffi } from "../../libc.ts";
import type { DtlsTerms, SrtpKeys } from "../../sdp/agreed.ts";
import type { CryptoSuite } from "../../sdp/crypto.ts";
import type { Fingerprint } from "../../sdp/dtls.ts";
import type { Certificate } from "./certificate.ts";
import { transforms } from "./srtp-keys.ts";
import type { Address } from "./wire.ts";

export type DtlsLibrary = {
  /** `send` gets each datagram that goes to the other side. */
  begin(terms: DtlsTerms, send: (datagram: Uint8Array) => void): Association;
};

export type Association = {
  /** A datagram of theirs. Keys once, when both sides have them; "failed" when they never will. */
  take(datagram: Uint8Array): SrtpKeys | "failed" | undefined;
  /** Now and then: what got no answer is said again. */
  tick(): void;
  close(): void;
};

/** The handshakes of one stream: `to` is who was last heard of in each. */
export type StreamDtls = { terms: DtlsTerms; rtp: Attempt; rtcp: Attempt };
export type Attempt = { association: Association | undefined; tries: number; to: Address | undefined };

// RFC 5764 section 4.1.2 and RFC 7714 section 14.2.
const profiles = new Map<number, CryptoSuite>([
  [1, "AES_CM_128_HMAC_SHA1_80"],
  [2, "AES_CM_128_HMAC_SHA1_32"],
  [7, "AEAD_AES_128_GCM"],
  [8, "AEAD_AES_256_GCM"],
]);
const PROFILES = "SRTP_AEAD_AES_256_GCM:SRTP_AEAD_AES_128_GCM:SRTP_AES128_CM_SHA1_80:SRTP_AES128_CM_SHA1_32";
const EXPORT_LABEL = "EXTRACTOR-dtls_srtp";

/** The names that OpenSSL has for what a fingerprint is made by. */
const digests: Record<Fingerprint["hash"], string> = {
  "sha-1": "SHA1",
  "sha-224": "SHA224",
  "sha-256": "SHA256",
  "sha-384": "SHA384",
  "sha-512": "SHA512",
};

// As OpenSSL's headers have them.
const EC_KEY = 408;
const WANT_READ = 2;
const VERIFY_PEER_OR_FAIL = 1 | 2;
const SET_MTU = 17;
const SET_SESSION_CACHE = 44;
const HANDLE_TIMEOUT = 74;
const SET_LEAST_VERSION = 123;
const DTLS_1_2 = 0xfefd;
const NO_QUERY_MTU = 0x1000;
const NO_TICKET = 0x4000;
const NO_RENEGOTIATION = 0x4000_0000;

/** What goes through every network in one piece. */
const MTU = 1200;
const RECORD_HEADER = 13;
const MOST_OCTETS = 16_384;

type OpenSsl = ReturnType<typeof bind>;

let bound: OpenSsl | undefined | "absent";

/** Whether there is DTLS on this machine. */
export const hasDtls = (): boolean => openSsl() !== undefined;

export function openDtls(certificate: Certificate): DtlsLibrary | undefined {
  const ssl = openSsl();
  if (!ssl) return undefined;
  const context = ssl.newContext(ssl.method());
  ssl.contextControl(context, SET_LEAST_VERSION, DTLS_1_2, null);
  ssl.contextControl(context, SET_SESSION_CACHE, 0, null);
  ssl.setOptions(context, NO_QUERY_MTU | NO_TICKET | NO_RENEGOTIATION);
  ssl.useCertificate(context, certificate.certificate.length, certificate.certificate);
  ssl.useKey(EC_KEY, context, certificate.key, certificate.key.length);
  ssl.useSrtp(context, PROFILES);
  ssl.setVerify(context, VERIFY_PEER_OR_FAIL, null);
  // Nobody vouches for these certificates but their fingerprints, which are compared once the handshake is over.
  ssl.setVerifier(context, ssl.believe, null);
  return { begin: (terms, send) => new Handshake(ssl, context, { terms, send }) };
}

function openSsl(): OpenSsl | undefined {
  if (bound === undefined) {
    const koffi = loadKoffi();
    const ssl = koffi && loadFirst(koffi, ["libssl.so.3"], { own: true });
    const crypto = koffi && loadFirst(koffi, ["libcrypto.so.3"], { own: true });
    bound = koffi && ssl && crypto ? bind(koffi, ssl, crypto) : "absent";
  }
  return bound === "absent" ? undefined : bound;
}

function bind(koffi: Koffi, ssl: Library, crypto: Library) {
  return {
    believe: koffi.register(() => 1, koffi.pointer(koffi.proto("int believe(void*, void*)"))),
    /** The number of an SRTP_PROTECTION_PROFILE, which stands behind its name. */
    profileNumber: (profile: number) => Number(koffi.decode(profile, 8, "ulong")),
    method: ssl.func("void *DTLS_method()"),
    newContext: ssl.func("void *SSL_CTX_new(void*)"),
    contextControl: ssl.func("long SSL_CTX_ctrl(void*, int, long, void*)"),
    setOptions: ssl.func("uint64_t SSL_CTX_set_options(void*, uint64_t)"),
    useCertificate: ssl.func("int SSL_CTX_use_certificate_ASN1(void*, int, void*)"),
    useKey: ssl.func("int SSL_CTX_use_PrivateKey_ASN1(int, void*, void*, long)"),
    useSrtp: ssl.func("int SSL_CTX_set_tlsext_use_srtp(void*, const char*)"),
    setVerify: ssl.func("void SSL_CTX_set_verify(void*, int, void*)"),
    setVerifier: ssl.func("void SSL_CTX_set_cert_verify_callback(void*, void*, void*)"),
    open: ssl.func("void *SSL_new(void*)"),
    free: ssl.func("void SSL_free(void*)"),
    control: ssl.func("long SSL_ctrl(void*, int, long, void*)"),
    accept: ssl.func("void SSL_set_accept_state(void*)"),
    connect: ssl.func("void SSL_set_connect_state(void*)"),
    setBio: ssl.func("void SSL_set_bio(void*, void*, void*)"),
    shake: ssl.func("int SSL_do_handshake(void*)"),
    read: ssl.func("int SSL_read(void*, void*, int)"),
    errorOf: ssl.func("int SSL_get_error(void*, int)"),
    profile: ssl.func("void *SSL_get_selected_srtp_profile(void*)"),
    exportKeys: ssl.func(
      "int SSL_export_keying_material(void*, void*, size_t, const char*, size_t, void*, size_t, int)",
    ),
    peer: ssl.func("void *SSL_get1_peer_certificate(void*)"),
    memory: crypto.func("void *BIO_s_mem()"),
    newBio: crypto.func("void *BIO_new(void*)"),
    bioWrite: crypto.func("int BIO_write(void*, void*, int)"),
    bioRead: crypto.func("int BIO_read(void*, void*, int)"),
    digestNamed: crypto.func("void *EVP_get_digestbyname(const char*)"),
    digest: crypto.func("int X509_digest(void*, void*, void*, void*)"),
    freeCertificate: crypto.func("void X509_free(void*)"),
    clearErrors: crypto.func("void ERR_clear_error()"),
  };
}

class Handshake implements Association {
  readonly #ssl: OpenSsl;
  readonly #terms: DtlsTerms;
  readonly #send: (datagram: Uint8Array) => void;
  readonly #session: number;
  readonly #in: number;
  readonly #out: number;
  #state: "shaking" | "done" | "failed" | "closed" = "shaking";

  constructor(ssl: OpenSsl, context: number, options: { terms: DtlsTerms; send(datagram: Uint8Array): void }) {
    this.#ssl = ssl;
    this.#terms = options.terms;
    this.#send = options.send;
    this.#session = ssl.open(context);
    this.#in = ssl.newBio(ssl.memory());
    this.#out = ssl.newBio(ssl.memory());
    ssl.setBio(this.#session, this.#in, this.#out); // it frees them
    ssl.control(this.#session, SET_MTU, MTU, null);
    if (this.#terms.isClient) {
      ssl.connect(this.#session);
      this.#shake();
    } else ssl.accept(this.#session);
  }

  take(datagram: Uint8Array): SrtpKeys | "failed" | undefined {
    if (this.#state === "closed" || this.#state === "failed" || datagram.length > MOST_OCTETS) return undefined;
    this.#ssl.bioWrite(this.#in, datagram, datagram.length);
    if (this.#state === "shaking") return this.#shake();
    // What still comes is a last flight said again, which is answered again, or a goodbye.
    this.#ssl.clearErrors();
    this.#ssl.read(this.#session, read, read.length);
    this.#flush();
    this.#forgetUnread();
    return undefined;
  }

  /** After a goodbye, and behind what it gave us, OpenSSL leaves unread what we bring it, for as long as there is a call. */
  #forgetUnread(): void {
    while (this.#ssl.bioRead(this.#in, read, read.length) > 0);
  }

  tick(): void {
    if (this.#state !== "shaking") return;
    this.#ssl.control(this.#session, HANDLE_TIMEOUT, 0, null);
    this.#flush();
  }

  close(): void {
    if (this.#state !== "closed") this.#ssl.free(this.#session);
    this.#state = "closed";
  }

  #shake(): SrtpKeys | "failed" | undefined {
    const ssl = this.#ssl;
    ssl.clearErrors();
    const shaken = ssl.shake(this.#session);
    this.#flush();
    if (shaken !== 1) {
      if (ssl.errorOf(this.#session, shaken) === WANT_READ) return undefined;
      this.#state = "failed";
      return "failed";
    }
    const keys = this.#isWhoWasAnnounced() ? this.#keys() : undefined;
    this.#state = keys ? "done" : "failed";
    return keys ?? "failed";
  }

  #keys(): SrtpKeys | undefined {
    const profile = this.#ssl.profile(this.#session);
    const suite = profile ? profiles.get(this.#ssl.profileNumber(profile)) : undefined;
    if (!suite) return undefined;
    const { keyBytes, saltBytes } = transforms[suite];
    const material = new Uint8Array(2 * (keyBytes + saltBytes));
    const label = [EXPORT_LABEL, EXPORT_LABEL.length] as const;
    if (this.#ssl.exportKeys(this.#session, material, material.length, ...label, null, 0, 0) !== 1) return undefined;
    // RFC 5764 section 4.2: the client's key, the server's, the client's salt, the server's.
    const part = (from: number, bytes: number) => material.subarray(from, from + bytes);
    const ofSide = (side: 0 | 1) =>
      Buffer.concat([part(side * keyBytes, keyBytes), part(2 * keyBytes + side * saltBytes, saltBytes)]).toString(
        "base64",
      );
    const [client, server] = [ofSide(0), ofSide(1)];
    return this.#terms.isClient
      ? { suite, localKey: client, remoteKey: server }
      : { suite, localKey: server, remoteKey: client };
  }

  #isWhoWasAnnounced(): boolean {
    const ssl = this.#ssl;
    const certificate = ssl.peer(this.#session);
    if (!certificate) return false;
    const isKnown = this.#terms.fingerprints.some(({ hash, value }) => {
      const size = new Int32Array(1);
      ssl.digest(certificate, ssl.digestNamed(digests[hash]), read, size);
      return Buffer.from(read.subarray(0, size[0])).toString("hex") === value;
    });
    ssl.freeCertificate(certificate);
    return isKnown;
  }

  /** OpenSSL writes one record after another; as many go into a datagram as fit. */
  #flush(): void {
    const length = this.#ssl.bioRead(this.#out, written, written.length);
    let start = 0;
    for (let at = 0; at + RECORD_HEADER <= length; ) {
      const end = at + RECORD_HEADER + (written[at + 11]! << 8) + written[at + 12]!;
      if (end - start > MTU && at > start) {
        this.#send(written.subarray(start, at));
        start = at;
      }
      at = end;
    }
    if (length > start) this.#send(written.subarray(start, length));
  }
}

/** One handshake is worked on at a time, so one place each is enough. */
const read = new Uint8Array(MOST_OCTETS);
const written = new Uint8Array(MOST_OCTETS);
