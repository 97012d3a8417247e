// Reads and trims the session descriptions that pass between a browser and the gateway.

import { canonical, familyOf } from "../../addresses.ts";
import { type CodecName, codecs as codecFacts, lawNames } from "../../codecs/codec.ts";
import { type AudioLine, findCodec, findTelephoneEvent, readAudio } from "../../sdp/audio.ts";
import { readUfrag } from "../../sdp/ice.ts";
import { parseSdp } from "../../sdp/parse.ts";
import { printSdp } from "../../sdp/print.ts";
import { type Attribute, type Direction, directionOf, type MediaLine, seenFromOtherSide } from "../../sdp/session.ts";

/** What a browser's description comes to: one codec, its number for digits, and what it means to do, seen from us. */
export type BrowserAudio = { codec: CodecName; eventType: number | undefined; direction: Direction };

/** The same with all that its connection is made of. */
export type BrowserSaid = Pick<AudioLine, "fingerprints" | "setup" | "remote"> & {
  audio: BrowserAudio;
  /** The codec's number. */
  payloadType: number;
  ufrag: string | undefined;
  /** The line of the voice, among all lines. */
  line: MediaLine;
  lines: readonly MediaLine[];
};

/** Codecs that browsers and the telephone network share; all run on this clock, and so do their digits. */
const CLOCK_RATE = 8_000;
const webCodecs: readonly CodecName[] = lawNames;

/** Without a common codec the browser still speaks G.711, and the engine translates. */
export function suitable(codecs: readonly CodecName[]): CodecName[] {
  const wanted = codecs.filter((codec) => webCodecs.includes(codec));
  return [...wanted, ...webCodecs.filter((codec) => !wanted.includes(codec))];
}

/** By our preference in an offer of theirs; undefined when there is nothing both know. */
export function hearOffer(text: string, codecs: readonly CodecName[]): BrowserSaid | undefined {
  return hear(text, (audio) => codecs.find((name) => findCodec(audio, name)));
}

/** By their order in an answer: the first is what they will send. */
export function hearAnswer(text: string, codecs: readonly CodecName[]): BrowserSaid | undefined {
  return hear(text, (audio) => {
    const first = audio.codecs.find((one) => codecs.some((name) => name === one.name.toUpperCase()));
    return codecs.find((name) => name === first?.name.toUpperCase());
  });
}

/** What of it the library does not read by itself. */
export function readOffer(text: string, codecs: readonly CodecName[]): BrowserAudio | undefined {
  return hearOffer(text, codecs)?.audio;
}

export function readAnswer(text: string, codecs: readonly CodecName[]): BrowserAudio | undefined {
  return hearAnswer(text, codecs)?.audio;
}

/** The library takes a line on which nobody speaks for one that is switched off, and would close its transport. */
export function withoutSilence(offer: string): string {
  return offer.replace(/^a=inactive\r?$/gm, "a=sendonly\r");
}

/** A browser has a handful: more are somebody else's. */
const MOST_WAYS = 16;

/**
 * Each way that a browser names is checked with a few small packets, whoever is there: so they are few, by UDP, and addresses.
 * A name would be looked up; browsers that hide their addresses so check the ways to us all the same.
 */
export function withFewWays(said: string): string {
  let left = MOST_WAYS;
  return said.replace(/^a=candidate:(.*)\r?\n/gim, (line, words: string) => {
    const [, , transport = "", , address = ""] = words.trim().split(/\s+/);
    const isWay = /^udp$/i.test(transport) && canonical(address) !== undefined;
    return isWay && left-- > 0 ? line : "";
  });
}

export type Trimming = { reachableAt: readonly string[]; direction: Direction };

/**
 * The library answers digits on every clock that was offered, where only the codec's own makes sense,
 * and knows of one address, where browsers inside and outside may need different ones.
 */
export function trim(text: string, trimming: Trimming): string {
  const parsed = parseSdp(text);
  if (parsed.is === "malformed") throw new Error(`the gateway made a description that is ${parsed.why}`);
  const { description } = parsed;
  return printSdp({ ...description, media: description.media.map((line) => trimLine(line, trimming)) });
}

export function hasCandidate(text: string): boolean {
  return /^a=candidate:/m.test(text);
}

function hear(text: string, choose: (audio: AudioLine) => CodecName | undefined): BrowserSaid | undefined {
  const parsed = parseSdp(text);
  if (parsed.is === "malformed") return undefined;
  const { description } = parsed;
  const { media: lines } = description;
  for (const line of lines) {
    const audio = readAudio(description, line);
    if (audio?.security !== "dtls") continue;
    const codec = choose(audio);
    if (codec === undefined) return undefined;
    const { fingerprints, setup, remote } = audio;
    // Elsewhere an address of 0.0.0.0 means hold; a browser only means that candidates follow.
    const summed = summary({ ...audio, direction: directionOf(description, line) }, codec);
    const payloadType = findCodec(audio, codec)?.payloadType ?? codecFacts[codec].payloadType;
    const ufrag = readUfrag(description, line);
    return { audio: summed, payloadType, ufrag, fingerprints, setup, remote, line, lines };
  }
  return undefined;
}

function summary(audio: AudioLine, codec: CodecName): BrowserAudio {
  const eventType = findTelephoneEvent(audio, codecFacts[codec].clockRate)?.payloadType;
  return { codec, eventType, direction: seenFromOtherSide[audio.direction] };
}

function trimLine(line: MediaLine, { reachableAt, direction }: Trimming): MediaLine {
  const foreign = new Set(
    line.attributes.flatMap(({ name, value = "" }) => {
      const [, format, rate] = (name === "rtpmap" && /^(\d+) telephone-event\/(\d+)/i.exec(value)) || [];
      return format !== undefined && Number(rate) !== CLOCK_RATE ? [format] : [];
    }),
  );
  const isForeign = ({ name, value = "" }: Attribute) =>
    ["rtpmap", "fmtp", "rtcp-fb"].includes(name) && foreign.has(value.split(" ", 1)[0] ?? "");
  return {
    ...line,
    formats: line.formats.filter((format) => !foreign.has(format)),
    attributes: line.attributes
      .filter((one) => !isForeign(one))
      .map((one) => (one.name in seenFromOtherSide ? { name: direction } : one))
      .flatMap((one) => everywhere(one, reachableAt)),
  };
}

/** The same port can be reached at each of our addresses of its family; each later one is a little less preferred. */
function everywhere(attribute: Attribute, reachableAt: readonly string[]): Attribute[] {
  const words = attribute.name === "candidate" ? (attribute.value ?? "").split(" ") : [];
  const [foundation, component, transport, priority, named = "", ...rest] = words;
  if (rest.length === 0) return [attribute];
  const further = reachableAt.filter((address) => address !== named && familyOf(address) === familyOf(named));
  const others = further.map((address, place) => ({
    name: "candidate",
    value: [
      `${foundation}${place + 1}`,
      component,
      transport,
      Number(priority) - (place + 1) * 256,
      address,
      ...rest,
    ].join(" "),
  }));
  return [attribute, ...others];
}
