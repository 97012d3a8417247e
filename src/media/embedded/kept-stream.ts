// What is kept of a stream so that another process can go on with it: facts that change seldom, and counters that change
// with every packet. Sound that is being played or mixed is asked for anew. A fax by T.38 is no stream of the engine: its
// sockets are those of the fax process, and nothing of it is kept.

import type { SrtpKeys } from "../../sdp/agreed.ts";
import type { StreamId, StreamSettings } from "../engine.ts";
import { lostSoFar } from "./counting.ts";
import { MOST_SENDERS, type Session } from "./srtp.ts";
import type { Stream } from "./stream.ts";
import { printIp } from "./wire.ts";

/** Nobody listens for longer, and numbers further on than all that may have been sent would be too far for SRTP. */
export const LONGEST_AWAY_MS = 270_000;

export type KeptPlace = { address: string; port: number };

/** A recording that the stream is a side of. */
export type KeptRecording = { path: string; begunMs: number };

export type KeptFacts = {
  id: StreamId;
  /** Where it is bound to, and what the other side was told. */
  bound: string;
  told: string;
  port: number;
  /** The thread that carried it: streams of one call are best together again. */
  place: number;
  hint: string;
  settings: StreamSettings;
  signalled: KeptPlace;
  nat: string;
  source: KeptPlace;
  former: KeptPlace;
  locked: boolean;
  to: KeptPlace | undefined;
  toRtcp: KeptPlace | undefined;
  ssrc: number;
  keys: SrtpKeys | undefined;
  /** Of RTCP, where that has keys of its own. */
  reportKeys: SrtpKeys | undefined;
  saysMuted: boolean;
  hearsMuted: boolean;
  faxTones: boolean;
  recordings: KeptRecording[];
};

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

export const COUNTERS = names.length + 3 * MOST_SENDERS;

export function factsOf(stream: Stream, at: { bound: string; place: number }): KeptFacts | undefined {
  const { settings } = stream;
  // Nobody knows yet whom it will speak with.
  if (!settings) return undefined;
  return {
    ...at,
    id: stream.id,
    told: stream.told,
    port: stream.port,
    hint: printIp(stream.hintIp),
    settings,
    signalled: { address: printIp(stream.signalledIp), port: stream.signalledPort },
    nat: printIp(stream.natIp),
    source: { address: printIp(stream.sourceIp), port: stream.sourcePort },
    former: { address: printIp(stream.formerIp), port: stream.formerPort },
    locked: stream.locked,
    to: stream.to && { address: printIp(stream.to.ip), port: stream.to.port },
    toRtcp: stream.toRtcp && { address: printIp(stream.toRtcp.ip), port: stream.toRtcp.port },
    ssrc: stream.ssrcOut,
    keys: stream.srtp?.keys,
    reportKeys: stream.srtcp?.keys,
    saysMuted: stream.saysMuted,
    hearsMuted: stream.hearsMuted,
    faxTones: stream.faxTones,
    recordings: [...stream.recordings].map(({ path, begunMs }) => ({ path, begunMs })),
  };
}

/** Times are those of the machine: `zeroMs` is what the thread's own began at. */
export function writeCounters(
  into: Float64Array,
  stream: Stream,
  { nowMs, zeroMs }: { nowMs: number; zeroMs: number },
) {
  into[0] = nowMs + zeroMs;
  into[1] = stream.sentAtMs + zeroMs;
  into[2] = stream.nextSequence;
  into[3] = stream.lastTimestamp;
  into[4] = stream.packetsOut;
  into[5] = stream.octetsOut;
  into[6] = stream.packetsIn;
  into[7] = lostSoFar(stream);
  into[8] = stream.jitter;
  into[9] = stream.refused;
  into[10] = stream.concealedBefore + (stream.hearing?.concealed ?? 0);
  into[11] = stream.roundTripMs;
  writeSession(into, stream.srtp);
  const reports = stream.srtcp?.state().counters;
  into[16] = reports?.[2] ?? 0;
  into[17] = reports?.[3] ?? -1;
}

function writeSession(into: Float64Array, session: Session | undefined): void {
  const state = session?.state();
  into.set(state?.counters ?? [0, -1, 0, -1], 12);
  into[18] = state?.senders.length ?? 0;
  for (const [i, [ssrc, { rollover, highest }]] of (state?.senders ?? []).entries())
    into.set([ssrc, rollover, highest], names.length + 3 * i);
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
