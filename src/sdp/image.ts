// T.38 in a session description (ITU-T T.38 annex D): one m=image line over UDPTL, offered, answered and understood.

import { isFaxLine } from "./audio.ts";
import { type Attribute, addressOf, attribute, type MediaLine, type SessionDescription } from "./session.ts";

/** What the other side of a T.38 line wants. */
export type AgreedImage = {
  remote: { address: string; port: number };
  /** The largest packet it takes. */
  maxDatagram: number;
  /** Whether copies of earlier packets may ride along. */
  redundancy: boolean;
};

export type ImagePreference = {
  address: string;
  port: number;
  /** o= line, as for sound: the same id for the whole dialog. */
  session: { id: string; version: number };
};

/** As large as every gateway takes it; copies of earlier packets must fit in. */
const MAX_DATAGRAM = 400;
/** Some write the size of one fax packet here; nothing useful fits into less. */
const LEAST_DATAGRAM = 72;
const REDUNDANCY = "t38UDPRedundancy";

// Version 0 and the training signal carried through is what every T.38 machine knows.
const OUR_ATTRIBUTES: Attribute[] = [
  { name: "T38FaxVersion", value: "0" },
  { name: "T38MaxBitRate", value: "14400" },
  { name: "T38FaxRateManagement", value: "transferredTCF" },
  { name: "T38FaxMaxBuffer", value: "2000" },
  { name: "T38FaxMaxDatagram", value: String(MAX_DATAGRAM) },
  { name: "T38FaxUdpEC", value: REDUNDANCY },
];

export function offerImage(preference: ImagePreference): SessionDescription {
  return describe(preference, [imageLine(preference.port)]);
}

/** Undefined without a T.38 line in it. */
export function readImage(description: SessionDescription): AgreedImage | undefined {
  const line = description.media.find(isFaxLine);
  if (!line) return undefined;
  const maxDatagram = Number.parseInt(attribute(line, "T38FaxMaxDatagram") ?? "", 10) || MAX_DATAGRAM;
  return {
    remote: { address: addressOf(description, line), port: line.port },
    maxDatagram: Math.max(LEAST_DATAGRAM, maxDatagram),
    redundancy: (attribute(line, "T38FaxUdpEC") ?? REDUNDANCY) === REDUNDANCY,
  };
}

/** Whatever else was offered is refused in its place (RFC 3264 section 6). */
export function answerImage(offer: SessionDescription, preference: ImagePreference): SessionDescription {
  const chosen = offer.media.findIndex(isFaxLine);
  return describe(
    preference,
    offer.media.map((line, place) =>
      place === chosen ? { ...imageLine(preference.port), protocol: line.protocol } : refused(line),
    ),
  );
}

function imageLine(port: number): MediaLine {
  return { kind: "image", port, protocol: "udptl", formats: ["t38"], attributes: OUR_ATTRIBUTES };
}

function refused({ kind, protocol, formats }: MediaLine): MediaLine {
  return { kind, port: 0, protocol, formats: formats.slice(0, 1), attributes: [] };
}

function describe({ address, session }: ImagePreference, media: MediaLine[]): SessionDescription {
  const origin = { username: "-", id: session.id, version: String(session.version), address };
  return { origin, name: "-", connection: address, attributes: [], media };
}
