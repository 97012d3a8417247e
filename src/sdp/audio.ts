// Reads what one m=audio line says: codecs by name, where to send, how it is secured.

import { isUnspecified } from "../addresses.ts";
import { type CodecName, codecs, fixedTypes } from "../codecs/codec.ts";
import { type Crypto, readCrypto } from "./crypto.ts";
import { type Fingerprint, readFingerprints, readSetup, type Setup } from "./dtls.ts";
import {
  addressOf,
  attribute,
  attributes,
  type Direction,
  directionOf,
  directionThat,
  hasAttribute,
  type MediaLine,
  type SessionDescription,
  sends,
} from "./session.ts";

export type OfferedCodec = { payloadType: number; name: string; clockRate: number; fmtp?: string };

export type AudioLine = {
  remote: { address: string; port: number };
  /** Seen from the side that wrote it; an address of nobody means "do not send to me" (RFC 2543's hold). */
  direction: Direction;
  codecs: OfferedCodec[];
  ptime?: number;
  rtcpPort?: number;
  rtcpMux: boolean;
  security: "none" | "sdes" | "dtls";
  /** Also on a plain line: whoever can may encrypt it (RFC 8643). */
  cryptos: Crypto[];
  /** What its certificate is known by, and who greets whom. */
  fingerprints: Fingerprint[];
  setup: Setup;
  ice: boolean;
};

const audioProtocols: Record<string, AudioLine["security"]> = {
  "RTP/AVP": "none",
  "RTP/AVPF": "none",
  "RTP/SAVP": "sdes",
  "RTP/SAVPF": "sdes",
  "UDP/TLS/RTP/SAVP": "dtls",
  "UDP/TLS/RTP/SAVPF": "dtls",
};

// Payload types whose meaning needs no a=rtpmap (RFC 3551 table 4).
const withoutMap: Readonly<Record<string, { name: string; clockRate: number }>> = {
  ...fixedTypes,
  13: { name: "CN", clockRate: 8000 },
};

/** Undefined for lines that are not RTP audio or that are switched off (port 0). */
export function readAudio(session: SessionDescription, line: MediaLine): AudioLine | undefined {
  const written = audioProtocols[line.protocol.toUpperCase()];
  if (line.kind !== "audio" || written === undefined || line.port === 0) return undefined;
  const address = addressOf(session, line);
  const said = directionOf(session, line);
  const fingerprint = hasAttribute(line, "fingerprint") || hasAttribute(session, "fingerprint");
  const ptime = Number(attribute(line, "ptime"));
  const rtcpPort = Number.parseInt(attribute(line, "rtcp") ?? "", 10);
  return {
    remote: { address, port: line.port },
    direction: isUnspecified(address) ? directionThat(sends(said), false) : said,
    codecs: line.formats.flatMap((format) => readCodec(line, format)),
    ...(ptime > 0 && ptime <= 200 ? { ptime } : {}),
    ...(rtcpPort > 0 && rtcpPort < 65_536 ? { rtcpPort } : {}),
    rtcpMux: hasAttribute(line, "rtcp-mux"),
    // Old browsers and some phones write RTP/SAVPF over a DTLS fingerprint; keys in the text decide.
    security: written === "sdes" && fingerprint && !hasAttribute(line, "crypto") ? "dtls" : written,
    cryptos: attributes(line, "crypto").flatMap(readCrypto),
    fingerprints: readFingerprints(session, line),
    setup: readSetup(session, line),
    ice: hasAttribute(line, "ice-ufrag") || hasAttribute(session, "ice-ufrag"),
  };
}

export function isFaxLine(line: MediaLine): boolean {
  return line.kind === "image" && line.protocol.toLowerCase() === "udptl" && line.port !== 0;
}

/** The first offered codec of that name, with the RTP clock that it must have, in a form that we can speak. */
export function findCodec(audio: AudioLine, name: CodecName): OfferedCodec | undefined {
  const { clockRate, rtpmap, agree } = codecs[name];
  const encoding = rtpmap.slice(0, rtpmap.indexOf("/")).toLowerCase();
  return audio.codecs.find(
    (one) =>
      one.name.toLowerCase() === encoding &&
      one.clockRate === clockRate &&
      (!agree || agree(one.fmtp ?? "") !== undefined),
  );
}

/** Browsers offer events on two clocks; only the one of the chosen codec shares its timestamps. */
export function findTelephoneEvent(audio: AudioLine, clockRate: number): OfferedCodec | undefined {
  return audio.codecs.find((one) => one.name.toLowerCase() === "telephone-event" && one.clockRate === clockRate);
}

function readCodec(line: MediaLine, format: string): OfferedCodec[] {
  if (!/^\d{1,3}$/.test(format) || Number(format) > 127) return [];
  const payloadType = Number(format);
  const described = attributes(line, "rtpmap").find((one) => one.startsWith(`${format} `));
  const fmtp = attributes(line, "fmtp").find((one) => one.startsWith(`${format} `));
  const [name = "", rate = ""] = (described ?? "").slice(format.length + 1).split("/");
  const known = described === undefined ? withoutMap[format] : { name: name.trim(), clockRate: Number(rate) };
  if (!known || !(known.clockRate > 0)) return [];
  return [{ payloadType, ...known, ...(fmtp === undefined ? {} : { fmtp: fmtp.slice(format.length + 1) }) }];
}
