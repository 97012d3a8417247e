// Offer and answer (RFC 3264) for one audio stream: our preference and their text in, our text and the agreement out.

import { type CodecName, codecs as codecFacts, formsOf } from "../codecs/codec.ts";
import type { Codec, Form } from "../codecs/shape.ts";
import type { Agreed, NoAgreement, OfferForm, Preference } from "./agreed.ts";
import { type AudioLine, findCodec, findTelephoneEvent, isFaxLine, readAudio } from "./audio.ts";
import { type Crypto, printCrypto, type SuiteKeys, suiteNames } from "./crypto.ts";
import { fingerprintAttribute } from "./dtls.ts";
import { type Attribute, type MediaLine, narrower, type SessionDescription, seenFromOtherSide } from "./session.ts";

export type Answered = { is: "answered"; answer: SessionDescription; agreed: Agreed } | NoAgreement;
export type Understood = { is: "agreed"; agreed: Agreed } | NoAgreement;

const protocols: Record<OfferForm, string> = {
  plain: "RTP/AVP",
  opportunistic: "RTP/AVP",
  secure: "RTP/SAVP",
  dtls: "UDP/TLS/RTP/SAVP",
};

/** Dynamic numbers we offer. */
const EVENT_TYPE = 101;
const eventTypes: Readonly<Record<number, number>> = { 16000: 109, 48000: 110 };

export function makeOffer(preference: Preference): SessionDescription {
  const codecs = preference.codecs.map((name) => codecFacts[name]);
  const attributes = codecs.flatMap((codec) => formsOf(codec).flatMap((form) => describeCodec(codec, form)));
  const formats = codecs.flatMap(formsOf).map((form) => String(form.payloadType));
  if (preference.telephoneEvent !== false)
    for (const clockRate of new Set(codecs.map((codec) => codec.clockRate))) {
      const payloadType = eventTypeFor(clockRate);
      formats.push(String(payloadType));
      attributes.push(...describeEvents(payloadType, clockRate));
    }
  const form = formOf(preference);
  if (form === "opportunistic" || form === "secure") attributes.push(...offeredCryptos(keysOf(preference)));
  // Some phones that know only DTLS answer an RTP/SAVP line with it; whoever has keys in the text passes over it.
  if ((form === "dtls" || form === "secure") && preference.fingerprint)
    attributes.push(fingerprintAttribute(preference.fingerprint), { name: "setup", value: "actpass" });
  return describe(preference, [
    {
      kind: "audio",
      port: preference.port,
      protocol: protocols[form],
      formats,
      attributes: [...attributes, ...tail(preference, preference.direction ?? "sendrecv")],
    },
  ]);
}

export function answerOffer(offer: SessionDescription, preference: Preference): Answered {
  const candidates = offer.media.map((line) => readAudio(offer, line));
  const chosen = chooseLine(candidates, preference);
  if (typeof chosen !== "number") return chosen ?? nothingToAnswer(offer);
  const audio = candidates[chosen]!; // chooseLine returns the place of a line that was read
  const codec = preference.codecs.find((name) => findCodec(audio, name));
  if (!codec) return { is: "refused", why: "no-common-codec" };
  const agreed = agree(audio, codec, preference);
  const media = offer.media.map((line, place) =>
    place === chosen ? answerLine(line, audio, agreed, preference) : switchedOff(line),
  );
  return { is: "answered", answer: describe(preference, media), agreed };
}

/** It is a browser's, or of a phone that speaks like one: nothing in it could be answered without ICE. */
export function needsIce(offer: SessionDescription, taking: Pick<Preference, "srtp" | "fingerprint">): boolean {
  const lines = offer.media.map((line) => readAudio(offer, line));
  const chosen = chooseLine(lines, taking);
  return typeof chosen === "object" && chosen.why === "webrtc";
}

/** Their answer to what `makeOffer(wants)` said. */
export function readAnswer(answer: SessionDescription, preference: Preference): Understood {
  const candidates = answer.media.map((line) => readAudio(answer, line));
  const { fingerprint: _, ...others } = preference;
  const offered = formOf(preference);
  const chosen = chooseLine(candidates, offered === "dtls" || offered === "secure" ? preference : others);
  if (typeof chosen !== "number") return chosen ?? nothingToAnswer(answer);
  const audio = candidates[chosen]!; // as above
  // An answer lists codecs in the answerer's order: the first is what it will send.
  const codec = firstOf(audio, preference.codecs);
  if (!codec) return { is: "refused", why: "no-common-codec" };
  const agreed = agree(audio, codec, preference);
  const { clockRate, ...first } = codecFacts[codec];
  const ours = formsOf(codecFacts[codec]).find(({ payloadType }) => payloadType === agreed.payloadType) ?? first;
  const form = formAnswered(audio, codec, ours);
  const eventType = eventTypeFor(clockRate);
  return {
    is: "agreed",
    agreed: {
      ...agreed,
      ...(form === undefined ? {} : { form }),
      ...(agreed.payloadType === ours.payloadType ? {} : { payloadTypeIn: ours.payloadType }),
      ...(agreed.telephoneEvent === undefined || agreed.telephoneEvent === eventType
        ? {}
        : { telephoneEventIn: eventType }),
    },
  };
}

/** Place of the audio line to use, a reason why none may be used, or undefined when there is none. */
function chooseLine(
  lines: (AudioLine | undefined)[],
  { srtp = "never", fingerprint }: Pick<Preference, "srtp" | "fingerprint">,
): number | NoAgreement | undefined {
  const place = (fits: (line: AudioLine) => boolean) => lines.findIndex((line) => line !== undefined && fits(line));
  const isPlain = ({ security }: AudioLine) => security === "none";
  const isDtls = ({ security, ice, fingerprints }: AudioLine) =>
    security === "dtls" && !ice && fingerprints.length > 0 && fingerprint !== undefined;
  if (srtp !== "never") {
    // Phones that leave encryption open offer the same call twice: take the safer line.
    const safer = [place((line) => line.security === "sdes" && line.cryptos.length > 0), place(isDtls)];
    const safest = safer.find((found) => found >= 0) ?? place((line) => isPlain(line) && line.cryptos.length > 0);
    if (safest >= 0) return safest;
  }
  const plain = place(isPlain);
  if (srtp !== "require" && plain >= 0) return plain;
  if (plain >= 0) return { is: "refused", why: "encryption-required" };
  if (place(({ security }) => security === "sdes") >= 0) return { is: "refused", why: "encryption-not-possible" };
  if (place(({ security, ice }) => security === "dtls" && ice) >= 0) return { is: "refused", why: "webrtc" };
  if (place(({ security }) => security === "dtls") >= 0) return { is: "refused", why: "encryption-not-possible" };
  return undefined;
}

function nothingToAnswer(offer: SessionDescription): NoAgreement {
  return { is: "refused", why: offer.media.some(isFaxLine) ? "fax-only" : "no-audio" };
}

function agree(audio: AudioLine, name: CodecName, preference: Preference): Agreed {
  const codec = findCodec(audio, name)!; // the caller found it
  const events = preference.telephoneEvent === false ? undefined : findTelephoneEvent(audio, codec.clockRate);
  const form = codecFacts[name].agree?.(codec.fmtp ?? "");
  const crypto = cryptoFor(audio, preference);
  return {
    codec: name,
    payloadType: codec.payloadType,
    ...(form === undefined ? {} : { form }),
    ...(events ? { telephoneEvent: events.payloadType } : {}),
    remote: audio.remote,
    ...(audio.rtcpPort === undefined ? {} : { remoteRtcpPort: audio.rtcpPort }),
    ...(audio.rtcpMux ? { rtcpMux: true } : {}),
    direction: narrower(preference.direction ?? "sendrecv", seenFromOtherSide[audio.direction]),
    ...(crypto && {
      srtp: { suite: crypto.suite, localKey: keysOf(preference)[crypto.suite], remoteKey: crypto.key },
    }),
    // Whoever leaves it open greets us: so a phone behind a translator of addresses opens its own way in.
    ...(audio.security === "dtls" && {
      dtls: { isClient: audio.setup === "passive", fingerprints: audio.fingerprints },
    }),
  };
}

function firstOf(audio: AudioLine, names: CodecName[]): CodecName | undefined {
  const places = names.flatMap((name) => {
    const found = findCodec(audio, name);
    return found ? [{ name, place: audio.codecs.indexOf(found) }] : [];
  });
  return places.sort((a, b) => a.place - b.place)[0]?.name;
}

function answerLine(line: MediaLine, audio: AudioLine, agreed: Agreed, preference: Preference): MediaLine {
  const { payloadType, telephoneEvent } = agreed;
  const codec: Codec = codecFacts[agreed.codec];
  const fmtp = codec.agree ? agreed.form : codec.fmtp;
  const attributes = describeCodec(codec, { payloadType, ...(fmtp && { fmtp }) });
  if (telephoneEvent !== undefined) attributes.push(...describeEvents(telephoneEvent, codec.clockRate));
  const crypto = cryptoFor(audio, preference);
  if (crypto) attributes.push(cryptoAttribute({ ...crypto, key: keysOf(preference)[crypto.suite] }));
  if (agreed.dtls && preference.fingerprint)
    attributes.push(fingerprintAttribute(preference.fingerprint), {
      name: "setup",
      value: agreed.dtls.isClient ? "active" : "passive",
    });
  return {
    kind: "audio",
    port: preference.port,
    protocol: line.protocol,
    formats: [payloadType, telephoneEvent].filter((type) => type !== undefined).map(String),
    attributes: [...attributes, ...tail(preference, agreed.direction, agreed.rtcpMux)],
  };
}

/** RFC 3264 section 6: a refused line is answered in its place, with port zero. */
function switchedOff({ kind, protocol, formats }: MediaLine): MediaLine {
  return { kind, port: 0, protocol, formats: formats.slice(0, 1), attributes: [] };
}

function describe({ address, session }: Preference, media: MediaLine[]): SessionDescription {
  const origin = { username: "-", id: session.id, version: String(session.version), address };
  return { origin, name: "-", connection: address, attributes: [], media };
}

/** Who answers without parameters has taken those that we offered under that number. */
function formAnswered(audio: AudioLine, name: CodecName, ours: Form): string | undefined {
  return codecFacts[name].agree?.(findCodec(audio, name)?.fmtp ?? ours.fmtp ?? "");
}

function describeCodec({ rtpmap }: Codec, { payloadType, fmtp }: Form): Attribute[] {
  const map = { name: "rtpmap", value: `${payloadType} ${rtpmap}` };
  return fmtp === undefined ? [map] : [map, { name: "fmtp", value: `${payloadType} ${fmtp}` }];
}

function describeEvents(payloadType: number, clockRate: number): Attribute[] {
  return [
    { name: "rtpmap", value: `${payloadType} telephone-event/${clockRate}` },
    { name: "fmtp", value: `${payloadType} 0-15` },
  ];
}

function tail({ port }: Preference, direction: string, rtcpMux = false): Attribute[] {
  const rtcp = rtcpMux ? { name: "rtcp-mux" } : { name: "rtcp", value: String(port + 1) };
  return [{ name: "ptime", value: "20" }, rtcp, { name: direction }];
}

function eventTypeFor(clockRate: number): number {
  return eventTypes[clockRate] ?? EVENT_TYPE;
}

function formOf({ form, srtp }: Preference): OfferForm {
  return form ?? (srtp === "require" ? "secure" : "plain");
}

/** The first of theirs that we know, unless what we want is a plain stream. */
function cryptoFor({ security, cryptos }: AudioLine, { srtp = "never" }: Preference): Crypto | undefined {
  return security === "dtls" || srtp === "never" ? undefined : cryptos[0];
}

function offeredCryptos(keys: SuiteKeys): Attribute[] {
  return suiteNames.map((suite, place) => cryptoAttribute({ tag: String(place + 1), suite, key: keys[suite] }));
}

function cryptoAttribute(crypto: Crypto): Attribute {
  return { name: "crypto", value: printCrypto(crypto) };
}

function keysOf({ srtpKeys }: Preference): SuiteKeys {
  if (srtpKeys === undefined) throw new Error("an encrypted stream needs keys of ours");
  return srtpKeys;
}
