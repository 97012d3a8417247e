// What two sides would have and what they agree on: the words that offers and answers are made of.

import type { CodecName } from "../codecs/codec.ts";
import type { CryptoSuite, SuiteKeys } from "./crypto.ts";
import type { Fingerprint } from "./dtls.ts";
import type { Direction } from "./session.ts";

export type Preference = {
  /** In our order of preference; the first that both know is taken. */
  codecs: CodecName[];
  address: string;
  port: number;
  /** What we would like to do; the other side may allow less. Default sendrecv. */
  direction?: Direction;
  /** RFC 4733 digits. Default true. */
  telephoneEvent?: boolean;
  /** SRTP: "require" refuses plain calls, "never" refuses encrypted ones. Default "never". */
  srtp?: "never" | "allow" | "require";
  /** How our offer is written. Default "plain", or "secure" where SRTP is required. */
  form?: OfferForm;
  /** Our own keys for a=crypto; needed unless srtp is "never". */
  srtpKeys?: SuiteKeys;
  /** What our certificate is known by; without it DTLS is refused. */
  fingerprint?: Fingerprint;
  /** o= line: the same id for the whole dialog, the version one higher for each new description. */
  session: { id: string; version: number };
};

/** RTP/AVP; RTP/AVP with keys for whoever can use them (RFC 8643); RTP/SAVP with keys; keys agreed on by DTLS. */
export type OfferForm = "plain" | "opportunistic" | "secure" | "dtls";

/** Everything the media engine must know about one stream after offer and answer. */
export type Agreed = {
  codec: CodecName;
  /** What we send. */
  payloadType: number;
  /** What they send, when it differs (dynamic numbers are each side's own). */
  payloadTypeIn?: number;
  /** How its payload is written, for codecs that have several ways. */
  form?: string;
  /** Payload type of RFC 4733 events we send, when both sides know them. */
  telephoneEvent?: number;
  telephoneEventIn?: number;
  remote: { address: string; port: number };
  /** Where their RTCP goes; absent means the port above the RTP port. */
  remoteRtcpPort?: number;
  rtcpMux?: boolean;
  /** Seen from us: sendonly means we send and they only listen. */
  direction: Direction;
  srtp?: SrtpKeys;
  /** The keys are agreed on in the stream itself (RFC 5764). */
  dtls?: DtlsTerms;
  /** The other side finds its way to us by itself, whatever `remote` says (RFC 8445). */
  ice?: IceTerms;
};

export type SrtpKeys = { suite: CryptoSuite; localKey: string; remoteKey: string };

/** Whether we greet, and what their certificate is known by. */
export type DtlsTerms = { isClient: boolean; fingerprints: Fingerprint[] };

/** What a check of the other side has to know: both names, and our password. */
export type IceTerms = { localUfrag: string; localPassword: string; remoteUfrag: string };

export type NoAgreement =
  | { is: "refused"; why: "no-audio" }
  | { is: "refused"; why: "no-common-codec" }
  | { is: "refused"; why: "encryption-required" }
  | { is: "refused"; why: "encryption-not-possible" }
  /** ICE and DTLS: the web gateway answers these. DTLS alone where we cannot do it: nobody does. */
  | { is: "refused"; why: "webrtc" }
  /** Only a T.38 line. */
  | { is: "refused"; why: "fax-only" };

/** They asked us to stop sending: music may be played to whoever talks with them, never to them. */
export function isHeldByThem(agreed: Agreed): boolean {
  return agreed.direction === "recvonly" || agreed.direction === "inactive";
}
