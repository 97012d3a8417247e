// How one leg keeps to its terms: in which form it offers, by which keys it encrypts, and which way pressed keys go.

import type { StreamSettings } from "../../media/engine.ts";
import type { Agreed, OfferForm, Preference } from "../../sdp/agreed.ts";
import { cryptoSuites, type SuiteKeys } from "../../sdp/crypto.ts";
import type { Fingerprint } from "../../sdp/dtls.ts";
import type { SessionDescription } from "../../sdp/session.ts";
import type { Random } from "../../sip/headers/random.ts";
import type { KeptMedia } from "../calls/kept-leg.ts";
import { type LineTerms, offerForms, takenSecurity } from "./line-terms.ts";
import type { WhoseVoice } from "./whose-voice.ts";

export type LineAgreementParts = {
  random: Random;
  /** What our certificate is known by, where there is DTLS. */
  fingerprint: Fingerprint | undefined;
  /** It is a phone of the exchange, and not a carrier. */
  isPhone: boolean;
  whose: WhoseVoice | undefined;
  /** Where its SIP comes from at first. */
  signalsFrom: string;
  /** Whether keys may be told to it by INFO, as far as it has said. */
  knowsInfo(): boolean;
};

type KeptLine = Pick<KeptMedia, "terms" | "form" | "srtpKeys" | "infoFailed">;

export class LineAgreement {
  readonly #parts: LineAgreementParts;
  #terms: LineTerms = {};
  #srtpKeys: SuiteKeys | undefined;
  #form: OfferForm = "plain";
  /** Those that are left when what we offered is refused. */
  #formsLeft: readonly OfferForm[] = [];
  #infoFailed = false;
  /** Where it is now, when that is elsewhere than at first. */
  #isNowAt: string | undefined;

  constructor(parts: LineAgreementParts, terms: LineTerms, kept?: KeptLine) {
    this.#parts = parts;
    this.meet({ ...terms, ...kept?.terms });
    if (!kept) return;
    this.#form = kept.form;
    this.#formsLeft = [];
    this.#srtpKeys = kept.srtpKeys;
    this.#infoFailed = kept.infoFailed;
  }

  keep(): KeptLine {
    const { srtp, keys, hearsInband, latching } = this.#terms;
    const terms = { srtp, keys, hearsInband, latching };
    return { terms, form: this.#form, srtpKeys: this.#srtpKeys, infoFailed: this.#infoFailed };
  }

  /** Who calls has turned out to be somebody with terms of his own. */
  meet(terms: LineTerms): void {
    const forms = offerForms(terms, this.#parts.isPhone);
    const possible = this.#parts.fingerprint ? forms : forms.filter((form) => form !== "dtls");
    this.#terms = terms;
    [this.#form = "plain", ...this.#formsLeft] = possible;
  }

  /** Nothing goes in clear, faxes included. */
  isStrict(): boolean {
    return this.#terms.srtp === "required";
  }

  /** Whether there is another way to write an offer that was refused; it is then the one that is used. */
  offerOtherwise(): boolean {
    const [next, ...left] = this.#formsLeft;
    if (next === undefined) return false;
    this.#form = next;
    this.#formsLeft = left;
    return true;
  }

  /** What they offer may be. */
  taking(): Pick<Preference, "srtp" | "fingerprint"> {
    const { fingerprint } = this.#parts;
    return { srtp: takenSecurity[this.#terms.srtp ?? "answered"], ...(fingerprint && { fingerprint }) };
  }

  /** The same with our keys, for an answer. */
  answering(): Pick<Preference, "srtp" | "fingerprint" | "srtpKeys" | "telephoneEvent"> {
    this.#srtpKeys ??= newKeys(this.#parts.random);
    const asTones = this.#terms.keys === "inband";
    return { ...this.taking(), srtpKeys: this.#srtpKeys, ...(asTones && { telephoneEvent: false }) };
  }

  /** And what an offer of ours says. */
  offering(): Pick<Preference, "form" | "srtp"> {
    return { form: this.#form, ...(this.#form === "plain" && { srtp: "never" }) };
  }

  /** What we say next is written as what they understood. */
  follow({ srtp, dtls }: Agreed, { media }: SessionDescription): void {
    const isSecure = media.some(({ port, protocol }) => port !== 0 && protocol.startsWith("RTP/S"));
    const keyed = isSecure ? "secure" : "opportunistic";
    this.#form = dtls ? "dtls" : srtp ? keyed : "plain";
  }

  /** Keys are told to it by signalling, beside its voice. */
  keysGoAside({ telephoneEvent }: Agreed): boolean {
    const { keys = "auto" } = this.#terms;
    if (keys !== "auto") return keys === "info";
    return telephoneEvent === undefined && !this.#infoFailed && this.#parts.knowsInfo();
  }

  /** INFO did not work: whether keys may go with the voice instead. */
  giveUpInfo(): boolean {
    this.#infoFailed = true;
    return this.#terms.keys !== "info";
  }

  isAt(address: string): void {
    this.#isNowAt = address;
  }

  settled(agreed: Agreed): StreamSettings {
    const { hearsInband, latching } = this.#terms;
    const keysAside = this.keysGoAside(agreed);
    const { whose, signalsFrom } = this.#parts;
    return {
      ...agreed,
      ...(whose && { source: whose.source(this.#isNowAt ?? signalsFrom) }),
      ...(whose?.vouches(agreed.remote.address) && { isVouched: true }),
      ...(keysAside && { keysAside }),
      ...(hearsInband && { hearsInband }),
      ...(latching && { latching }),
      ...(this.#isNowAt !== undefined && { peerHint: this.#isNowAt }),
    };
  }
}

function newKeys(random: Random): SuiteKeys {
  const keys = Object.entries(cryptoSuites).map(([suite, octets]) => [suite, base64(random(octets))]);
  return Object.fromEntries(keys) as SuiteKeys; // one for each
}

function base64(octets: Uint8Array): string {
  return btoa(String.fromCharCode(...octets));
}
