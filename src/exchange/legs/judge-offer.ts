// Whether an offer can be answered at all, told before anybody rings; and how a refusal is explained to the other side.

import type { CodecName } from "../../media/engine.ts";
import type { NoAgreement, Preference } from "../../sdp/agreed.ts";
import { cryptoSuites, type SuiteKeys } from "../../sdp/crypto.ts";
import { answerOffer } from "../../sdp/negotiate.ts";
import { parseSdp } from "../../sdp/parse.ts";
import { warning } from "../../sip/headers/warning.ts";
import type { Header } from "../../sip/message/message.ts";

/** `other-family`: their media are at an IPv6 address and ours at an IPv4 one, or the other way round. */
export type OfferFault = NoAgreement["why"] | "malformed" | "other-family";

export type OfferTerms = Pick<Preference, "srtp" | "fingerprint"> & {
  codecs: readonly CodecName[];
  /** Browsers are answered through the gateway. */
  takesBrowsers: boolean;
  /** Somebody may turn out to be a fax machine. */
  takesFaxes: boolean;
};

// Only whether there would be an answer counts: what stands in it is not said to anybody.
const NO_KEYS = Object.fromEntries(Object.keys(cryptoSuites).map((suite) => [suite, ""])) as SuiteKeys; // each of them
const NOWHERE = { address: "0.0.0.0", port: 9, session: { id: "0", version: 0 }, srtpKeys: NO_KEYS };

/** Undefined when nothing is wrong with it. */
export function offerFault(offer: string, terms: OfferTerms): OfferFault | undefined {
  const { codecs, takesBrowsers, takesFaxes, ...security } = terms;
  const parsed = parseSdp(offer);
  if (parsed.is === "malformed") return "malformed";
  const answered = answerOffer(parsed.description, { ...NOWHERE, ...security, codecs: [...codecs] });
  if (answered.is === "answered") return undefined;
  const { why } = answered;
  return (why === "webrtc" && takesBrowsers) || (why === "fax-only" && takesFaxes) ? undefined : why;
}

const AGENT = "santral";

// RFC 3261 section 20.43.
const warnings: Record<OfferFault, { code: number; text: string }> = {
  malformed: { code: 307, text: "Session description not understood" },
  "other-family": { code: 301, text: "Incompatible network address formats" },
  "no-audio": { code: 304, text: "Media type not available: no audio" },
  "no-common-codec": { code: 305, text: "Incompatible media format: no common codec" },
  "encryption-required": { code: 302, text: "Incompatible transport protocol: SRTP is required" },
  "encryption-not-possible": { code: 302, text: "Incompatible transport protocol: no usable keys for SRTP" },
  webrtc: { code: 302, text: "Incompatible transport protocol: no ICE here" },
  "fax-only": { code: 304, text: "Media type not available: no fax as data" },
};

export function warningOf(fault: OfferFault): Header {
  return warning({ ...warnings[fault], agent: AGENT });
}
