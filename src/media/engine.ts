// What the exchange asks of a media engine: messages in, promises out, events by stream id. Behind it stands `embedded/`,
// worker threads in this process; tests have one without sound.

import type { CodecName } from "../codecs/codec.ts";
import type { Agreed } from "../sdp/agreed.ts";
import type { Fingerprint } from "../sdp/dtls.ts";

export type { CodecName };

/** One side of one call: a pair of RTP/RTCP ports and the codec agreed on it. */
export type StreamId = string;

export type OpenOptions = {
  /** Source address of the SIP message: where media may come from when the SDP names an address behind NAT. */
  peerHint?: string;
  /** The peer whose way decides from which of our addresses media go, when that is not `peerHint`. */
  towards?: string;
  /** Any stream of the same call: legs that will be joined are best opened in the same thread. */
  near?: StreamId;
  /** The other side finds its way to it by ICE: at the ports and addresses that are for browsers. */
  forBrowser?: boolean;
};

/** A stream that an earlier process has opened and told of, and that nobody has answered yet: no packet has gone. */
export type OpenedBefore = { stream: StreamId; address: string; port: number; peerHint: string };

/**
 * Whose packets are taken for the other side's: only of the very place that its SDP names; of another port there; as a
 * rule also of where its signalling comes from, when what the SDP names is private; or of whoever speaks first.
 */
export type Latching = "never" | "beside" | "near" | "any";

/** Who named the address in SDP that voice goes to: a trunk, or whoever signals from an address; and whose that is. */
export type VoiceSource = { is: "trunk" | "address"; name: string; exchange: number };

/** `negotiate` gives the most of it; the rest the line knows. */
export type StreamSettings = Agreed & {
  /**
   * Voice goes freely to an address of its naming only once something has come from there, or where it signals from. Unset:
   * whoever settles it knows where it goes.
   */
  source?: VoiceSource;
  /** The address that its SDP names is known to be its own, though nothing has come from there yet. */
  isVouched?: boolean;
  /** Whom we call has not answered yet, and may have nothing to say before. */
  isEarly?: boolean;
  /** Keys go to this party by signalling: those of the other one are told, and not pressed here. */
  keysAside?: boolean;
  /** Keys are listened for as sound although telephone-event was agreed on. */
  hearsInband?: boolean;
  latching?: Latching;
  /** Where its signalling comes from now, when that is elsewhere than at the opening. */
  peerHint?: string;
};

export type Sound =
  | { is: "file"; path: string } // 16-bit, A-law or mu-law WAV of any rate, mono or stereo
  | { is: "tone"; spec: string } // "450/2000,0/4000": Hz/ms, played once through; "350+440/1000" for two at once
  | { is: "silence"; ms: number };

export type PlayRequest = {
  sounds: Sound[];
  /** Times the whole list is played. Default 1. */
  repeat?: number | "forever";
  /** Digits stop it. */
  interruptible?: boolean;
};
/** A newer play ends the older one as "stopped". A sound that cannot be read ends it as "unreadable". */
export type PlayEnd = {
  ended: "finished" | "digit" | "stopped" | "stream-closed" | "unreadable";
  /** The digit that ended it. */
  digit?: string;
};

export type RecordRequest = { path: string; maxMs: number; silenceMs?: number; stopKeys?: string };
export type RecordEnd = {
  durationMs: number;
  ended: "max" | "silence" | "key" | "stopped" | "stream-closed" | "unwritable";
  key?: string;
  fault?: RecordingFault;
};

export const recordingSteps = ["open", "write", "sync", "close", "thread", "keep"] as const;

/** Why a recording is not on disk as it should be; what was written before may still be there. */
export type RecordingFault = {
  path: string;
  /** `thread`: whoever wrote it died, or did not come to an end. `keep`: it lies where it was written, out of reach. */
  step: (typeof recordingSteps)[number];
  /** The system's own word (ENOSPC, EIO), or ours. */
  code: string;
};

export type RecordedCall = { durationMs: number; fault?: RecordingFault };

export type CallToRecord = {
  left: StreamId;
  right?: StreamId;
  path: string;
  /** An earlier process recorded this call there: it goes on in that file, after silence for as long as nobody wrote. */
  goesOn?: boolean;
};

export type CallRecording = {
  /** After a transfer: whose words go to which channel from now on. */
  change(sides: { left?: StreamId; right?: StreamId }): Promise<void>;
  stop(): Promise<RecordedCall>;
  /** Resolves once the file is complete, whoever ended it, or is given up. */
  ended: Promise<RecordedCall>;
};

export type StreamEvent =
  | { is: "digit"; stream: StreamId; digit: string; durationMs: number } // once per key, when it is released
  | { is: "silent"; stream: StreamId; forMs: number } // no RTP at all: the peer has vanished
  | { is: "fax-tone"; stream: StreamId; tone: "cng" | "ced" }
  /** Nothing has come from the address that its SDP names, or too many such streams are up: nothing more goes there. */
  | { is: "held-back"; stream: StreamId; address: string; why: "silent" | "many" }
  | { is: "away"; stream: StreamId; on: boolean } // a browser: nothing is heard of it any more, or again
  | { is: "unreachable"; stream: StreamId } // a browser: there is no way to it any more, or not yet; told again while it is so
  | { is: "lost"; stream: StreamId; why: string }; // the thread that carried it died

export type StreamStatistics = {
  packetsIn: number;
  packetsOut: number;
  lost: number;
  jitterMs: number;
  /** Dropped: strangers, malformed packets, wrong keys, replays. */
  refused: number;
  /** Frames invented because none came in time; only counted where audio is decoded. */
  concealed: number;
  /** Measured by RTCP; undefined until the peer has reported. */
  roundTripMs?: number;
};

/**
 * Asking something of a stream that is closed or lost is not an error, because a thread may die at any moment:
 * it does nothing, and promises that wait for an end say "stream-closed".
 */
export type MediaEngine = {
  /** What its certificate is known by; absent where it cannot agree on keys by DTLS. */
  readonly fingerprint?: Fingerprint | undefined;
  /**
   * Streams that an earlier process of this data folder left behind and that can be gone on with; their ports are held
   * until `resume` or `forgetLeftBehind`.
   */
  leftBehind(): StreamId[];
  /** Opens the same ports and goes on with the same SSRC, keys, codec and peer; undefined when that cannot be. */
  resume(stream: StreamId): Promise<{ address: string; port: number } | undefined>;
  /** Frees what was not resumed. */
  forgetLeftBehind(): Promise<void>;
  /**
   * Reserves ports; the local address goes into the SDP. Throws when no port is free. No two streams ever have the same
   * id, in whatever process they are opened.
   */
  open(options?: OpenOptions): Promise<{ stream: StreamId; address: string; port: number }>;
  /** After offer/answer: what to send and where. May be called again for a re-INVITE. */
  settle(stream: StreamId, settings: StreamSettings): Promise<void>;
  /** Two streams hear each other (and nobody else any more); the same codec on both is relayed without decoding. */
  join(a: StreamId, b: StreamId): Promise<void>;
  /** Leaves its join or room; hears nothing until joined again. */
  part(stream: StreamId): Promise<void>;
  /** The room's whole membership: each party hears exactly the streams named. No parties ends the room. */
  mix(room: string, parties: { stream: StreamId; hears: StreamId[] }[]): Promise<void>;
  /** Plays over whatever the stream would hear; when it ends the stream hears its join or room again. */
  play(stream: StreamId, request: PlayRequest): Promise<PlayEnd>;
  stopPlaying(stream: StreamId): Promise<void>;
  /** RFC 4733 when agreed, tones otherwise; resolves when the last digit has been sent. */
  sendDigits(stream: StreamId, digits: string): Promise<void>;
  /** A key that this party pressed and that came beside its voice: ends what keys end here. */
  pressed(stream: StreamId, digit: string): Promise<void>;
  /** `says`: what this party says is no longer heard or recorded. `hears`: what it would hear is silence. */
  mute(stream: StreamId, what: { says?: boolean; hears?: boolean }): Promise<void>;
  /** Fax tones only when asked; in-band digits are listened for whenever no telephone-event was agreed. */
  listenFor(stream: StreamId, what: { faxTones: boolean }): Promise<void>;
  /** Stereo, one channel a side, crash-safe; runs until stopped or all its streams are closed.
   *  Without a right stream the right channel holds what is played to the left one. */
  recordCall(options: CallToRecord): Promise<CallRecording>;
  /** One party's words: voicemail, a prompt's answer. */
  record(stream: StreamId, request: RecordRequest): Promise<RecordEnd>;
  stopRecording(stream: StreamId): Promise<void>;
  statistics(stream: StreamId): Promise<StreamStatistics>;
  close(stream: StreamId): Promise<void>;
  /** Kept once everything that was asked before has been taken up: how late that is tells how busy the engine is. */
  pulse(): Promise<void>;
  onEvent(listen: (event: StreamEvent) => void): void;
  /** `handOver`: nobody hears a goodbye, and the next process of this data folder can go on with the streams. */
  stop(how?: { handOver?: boolean }): Promise<void>;
};
