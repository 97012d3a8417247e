// What a browser is told that speaks with the media engine's threads: one line of audio, and how to find and know us.

import { familyOf } from "../../addresses.ts";
import { type CodecName, codecs } from "../../codecs/codec.ts";
import type { Agreed, IceTerms } from "../../sdp/agreed.ts";
import { type Fingerprint, fingerprintAttribute, type Setup } from "../../sdp/dtls.ts";
import { candidateAttributes } from "../../sdp/ice.ts";
import { printSdp } from "../../sdp/print.ts";
import { type Attribute, attribute, type Direction, type MediaLine } from "../../sdp/session.ts";
import type { BrowserSaid } from "./description.ts";
import type { GatewaySettings } from "./messages.ts";

export type OurSide = Pick<IceTerms, "localUfrag" | "localPassword"> & {
  session: { id: string; version: number };
  fingerprint: Fingerprint;
  /** Where it finds us, the likeliest first. */
  places: readonly [Place, ...Place[]];
};
type Place = { address: string; port: number };

/** The number that digits have in an offer of ours. */
export const OFFERED_EVENT_TYPE = 101;
const EVENT_CLOCK = 8_000;
const PROTOCOL = "UDP/TLS/RTP/SAVPF";
const OUR_MID = "0";

/** Of a pair of ports the second is the second family's, where there are two. */
export function candidatePlaces(
  { bind, reachableAt }: Pick<GatewaySettings, "bind" | "reachableAt">,
  port: number,
): OurSide["places"] {
  const places = reachableAt.map((address) => {
    const place = bind.findIndex((bound) => familyOf(bound) === familyOf(address));
    return { address, port: port + Math.max(0, place) };
  });
  return places as [Place, ...Place[]]; // one for each, and there is one at least
}

export function describeOffer(side: OurSide, offered: readonly CodecName[]): string {
  const formats = offered.map((name) => ({ codec: name, payloadType: codecs[name].payloadType }));
  const audio: Spoken = { formats, eventType: OFFERED_EVENT_TYPE, direction: "sendrecv" };
  return describe(side, OUR_MID, [audioLine(side, audio, { protocol: PROTOCOL, mid: OUR_MID, setup: "actpass" })]);
}

/** One line for each of theirs, in their order; all but the voice are switched off. */
export function describeAnswer(side: OurSide, { line, lines }: BrowserSaid, agreed: Agreed): string {
  const { codec, payloadType, telephoneEvent: eventType, direction, dtls } = agreed;
  const mid = attribute(line, "mid");
  const setup = dtls?.isClient ? "active" : "passive";
  const audio = { formats: [{ codec, payloadType }], eventType, direction };
  return describe(
    side,
    mid,
    lines.map((theirs) =>
      theirs === line ? audioLine(side, audio, { protocol: line.protocol, mid, setup }) : switchedOff(theirs),
    ),
  );
}

type Spoken = {
  formats: { codec: CodecName; payloadType: number }[];
  eventType: number | undefined;
  direction: Direction;
};
type Framed = { protocol: string; mid: string | undefined; setup: Setup };

function audioLine(
  side: OurSide,
  { formats, eventType, direction }: Spoken,
  { protocol, mid, setup }: Framed,
): MediaLine {
  const events = eventType === undefined ? [] : [eventType];
  const [{ address, port }] = side.places;
  return {
    kind: "audio",
    port,
    protocol,
    formats: [...formats.map(({ payloadType }) => payloadType), ...events].map(String),
    connection: address,
    attributes: [
      ...(mid === undefined ? [] : [{ name: "mid", value: mid }]),
      { name: "msid", value: "- santral" },
      ...formats.map(({ codec, payloadType }) => ({ name: "rtpmap", value: `${payloadType} ${codecs[codec].rtpmap}` })),
      ...events.flatMap((type) => [
        { name: "rtpmap", value: `${type} telephone-event/${EVENT_CLOCK}` },
        { name: "fmtp", value: `${type} 0-15` },
      ]),
      { name: "ptime", value: "20" },
      { name: "rtcp-mux" },
      { name: direction },
      { name: "ice-ufrag", value: side.localUfrag },
      { name: "ice-pwd", value: side.localPassword },
      fingerprintAttribute(side.fingerprint),
      { name: "setup", value: setup },
      ...candidateAttributes(side.places),
    ],
  };
}

function switchedOff({ kind, protocol, formats, attributes }: MediaLine): MediaLine {
  const mid = attributes.filter(({ name }) => name === "mid");
  return { kind, port: 0, protocol, formats: formats.slice(0, 1), attributes: [...mid, { name: "inactive" }] };
}

function describe({ session, places: [{ address }] }: OurSide, mid: string | undefined, media: MediaLine[]): string {
  const group: Attribute[] = mid === undefined ? [] : [{ name: "group", value: `BUNDLE ${mid}` }];
  return printSdp({
    origin: { username: "-", id: session.id, version: String(session.version), address },
    name: "-",
    attributes: [{ name: "ice-lite" }, ...group],
    media,
  });
}
