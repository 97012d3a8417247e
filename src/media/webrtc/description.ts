// Reads and trims the session descriptions that pass between a browser and the gateway.

import { familyOf } from "../../addresses.ts";
import { type CodecName, codecs as codecFacts, lawNames } from "../../codecs/codec.ts";
import { type AudioLine, findCodec, findTelephoneEvent, readAudio } from "../../sdp/audio.ts";
import { parseSdp } from "../../sdp/parse.ts";
import { printSdp } from "../../sdp/print.ts";
import {
  type Attribute,
  type Direction,
  directionOf,
  type MediaLine,
  type SessionDescription,
  seenFromOtherSide,
} from "../../sdp/session.ts";

/** What a browser's description comes to: one codec, its number for digits, and what it means to do. */
export type BrowserAudio = { codec: CodecName; eventType: number | undefined; direction: Direction };

/** Codecs that browsers and the telephone network share; all run on this clock, and so do their digits. */
const CLOCK_RATE = 8_000;
export const webCodecs: readonly CodecName[] = lawNames;

/** By our preference in an offer of theirs; undefined when there is nothing both know. */
export function readOffer(text: string, codecs: readonly CodecName[]): BrowserAudio | undefined {
  const audio = audioOf(text);
  const codec = audio && codecs.find((name) => findCodec(audio, name));
  return codec && summary(audio, codec);
}

/** By their order in an answer: the first is what they will send. */
export function readAnswer(text: string, codecs: readonly CodecName[]): BrowserAudio | undefined {
  const audio = audioOf(text);
  const first = audio?.codecs.find((one) => codecs.some((name) => name === one.name.toUpperCase()));
  const codec = codecs.find((name) => name === first?.name.toUpperCase());
  return audio && codec && summary(audio, codec);
}

/** The library takes a line on which nobody speaks for one that is switched off, and would close its transport. */
export function withoutSilence(offer: string): string {
  return offer.replace(/^a=inactive\r?$/gm, "a=sendonly\r");
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

function audioOf(text: string): AudioLine | undefined {
  const parsed = parseSdp(text);
  return parsed.is === "malformed" ? undefined : firstAudio(parsed.description);
}

function firstAudio(description: SessionDescription): AudioLine | undefined {
  for (const line of description.media) {
    const audio = readAudio(description, line);
    // Elsewhere an address of 0.0.0.0 means hold; a browser only means that candidates follow.
    if (audio?.security === "dtls") return { ...audio, direction: directionOf(description, line) };
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
