// What is kept of a stream so that another process can go on with it: facts that change seldom, and counters that change
// with every packet. Sound that is being played or mixed is asked for anew, and one party's words are not recorded on.
// A fax by T.38 is no stream of the engine: its sockets are those of the fax process, and nothing of it is kept. Nor is a
// browser's connection where that ends with the web gateway: of its call the engine's half goes on, and waits for its return.

import type { SrtpKeys } from "../../sdp/agreed.ts";
import type { StreamId, StreamSettings } from "../engine.ts";
import { lostSoFar } from "./counting.ts";
import type { Session } from "./srtp.ts";
import type { Stream } from "./stream.ts";
import type { Ip } from "./wire.ts";

/** Nobody listens for longer, and numbers further on than all that may have been sent would be too far for SRTP. */
export const LONGEST_AWAY_MS = 270_000;

/** A recording that the stream is a side of. */
export type KeptRecording = { path: string; begunMs: number };

type Learned =
  | "signalledIp"
  | "signalledPort"
  | "natIp"
  | "sourceIp"
  | "sourcePort"
  | "locked"
  | "formerIp"
  | "formerPort"
  | "isProved"
  | "provedIps"
  | "saysMuted"
  | "hearsMuted"
  | "faxTones"
  | "ssrcOut";

export type KeptFacts = {
  id: StreamId;
  /** Where it is bound to, and what the other side was told. */
  bound: string;
  told: string;
  port: number;
  /** The thread that carried it: streams of one call are best together again. */
  place: number;
  hintIp: Ip;
  settings: StreamSettings;
  fields: Pick<Stream, Learned>;
  to: KeptPlace | undefined;
  toRtcp: KeptPlace | undefined;
  keys: SrtpKeys | undefined;
  /** Of RTCP, where that has keys of its own. */
  reportKeys: SrtpKeys | undefined;
  recordings: KeptRecording[];
};

type KeptPlace = { ip: Ip; port: number };

/** All in one row of numbers, in this order; behind them the senders of SRTP, three numbers each. */
const names = [
  "stampMs",
  "sentAtMs",
  "nextSequence",
  "lastTimestamp",
  "packetsOut",
  "octetsOut",
  "packetsIn",
  "lost",
  "jitter",
  "refused",
  "concealed",
  "roundTripMs",
  "rollover",
  "lastSent",
  "rtcpSent",
  "rtcpHighest",
  "reportsSent",
  "reportsHighest",
  "senders",
] as const;

export type KeptSender = { ssrc: number; rollover: number; highest: number };
export type KeptCounters = Record<Exclude<(typeof names)[number], "senders">, number> & { senders: KeptSender[] };

export type KeptStream = { facts: KeptFacts; counters: KeptCounters };

/** The last ones of those that were heard: a call seldom has a second. */
const MOST_SENDERS = 4;
export const COUNTERS = names.length + 3 * MOST_SENDERS;

/** Undefined while nobody knows whom it will speak with. */
export function factsOf(stream: Stream, { bound, place }: { bound: string; place: number }): KeptFacts | undefined {
  const { id, told, port, hintIp, settings, to, toRtcp } = stream;
  if (!settings) return undefined;
  return {
    id,
    bound,
    told,
    port,
    place,
    hintIp,
    settings,
    fields: learnedBy(stream),
    to: to && { ip: to.ip, port: to.port },
    toRtcp: toRtcp && { ip: toRtcp.ip, port: toRtcp.port },
    keys: stream.srtp?.keys,
    reportKeys: stream.srtcp?.keys,
    recordings: stream.recordings.size > 0 ? recordingsOf(stream) : [],
  };
}

function learnedBy(stream: Stream): KeptFacts["fields"] {
  return {
    signalledIp: stream.signalledIp,
    signalledPort: stream.signalledPort,
    natIp: stream.natIp,
    sourceIp: stream.sourceIp,
    sourcePort: stream.sourcePort,
    locked: stream.locked,
    formerIp: stream.formerIp,
    formerPort: stream.formerPort,
    isProved: stream.isProved,
    provedIps: stream.provedIps,
    saysMuted: stream.saysMuted,
    hearsMuted: stream.hearsMuted,
    faxTones: stream.faxTones,
    ssrcOut: stream.ssrcOut,
  };
}

const recordingsOf = ({ recordings }: Stream): KeptRecording[] =>
  [...recordings].map(({ path, begunMs }) => ({ path, begunMs }));

/** From there on in the row. Times are those of the machine: `zeroMs` is what the thread's own began at. */
export function writeCounters(
  row: Float64Array,
  from: number,
  stream: Stream,
  { nowMs, zeroMs }: { nowMs: number; zeroMs: number },
): void {
  row[from] = nowMs + zeroMs;
  row[from + 1] = stream.sentAtMs + zeroMs;
  row[from + 2] = stream.nextSequence;
  row[from + 3] = stream.lastTimestamp;
  row[from + 4] = stream.packetsOut;
  row[from + 5] = stream.octetsOut;
  row[from + 6] = stream.packetsIn;
  row[from + 7] = lostSoFar(stream);
  row[from + 8] = stream.jitter;
  row[from + 9] = stream.refused;
  row[from + 10] = stream.concealedBefore + (stream.hearing?.concealed ?? 0);
  row[from + 11] = stream.roundTripMs;
  if (stream.srtp) writeSession(row, from, stream.srtp);
  if (stream.srtcp) row.set(stream.srtcp.state().counters.slice(2), from + 16);
}

function writeSession(row: Float64Array, from: number, session: Session): void {
  const { counters, senders } = session.state();
  const last = senders.slice(-MOST_SENDERS);
  row.set(counters, from + 12);
  row[from + 18] = last.length;
  for (const [i, [ssrc, { rollover, highest }]] of last.entries())
    row.set([ssrc, rollover, highest], from + names.length + 3 * i);
}

export function readCounters(row: Float64Array): KeptCounters {
  const named = Object.fromEntries(names.map((name, i) => [name, row[i]]));
  const count = Math.min(MOST_SENDERS, row[names.length - 1]!); // the last of the names
  const senders = Array.from({ length: count }, (_, i): KeptSender => {
    const [ssrc = 0, rollover = 0, highest = 0] = row.subarray(names.length + 3 * i);
    return { ssrc, rollover, highest };
  });
  return { ...named, senders } as KeptCounters; // made of exactly these names
}
