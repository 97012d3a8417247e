// PORT: what the exchange asks of a media engine. Messages in, promises out, events by stream id.
// Two engines stand behind it: `embedded/` (worker threads in this process) and `rtpengine/`.

/** One side of one call: a pair of RTP/RTCP ports and the codec agreed on it. */
export type StreamId = string;

export type CodecName = "PCMA" | "PCMU" | "G722" | "opus";

export type Transport =
  | { is: "rtp" }
  | { is: "srtp"; localKey: string; remoteKey: string } // RFC 4568 inline keys, AES_CM_128_HMAC_SHA1_80
  | { is: "webrtc"; offer: string }; // the gateway answers with its own SDP

export type RemoteEnd = { address: string; port: number };

export type StreamSettings = {
  codec: CodecName;
  payloadType: number;
  /** Payload type of RFC 4733 events, when negotiated. */
  telephoneEvent?: number;
  remote: RemoteEnd;
  direction: "sendrecv" | "sendonly" | "recvonly" | "inactive";
  srtp?: { localKey: string; remoteKey: string };
};

export type Sound =
  | { is: "file"; path: string } // 8 or 16 kHz mono 16-bit WAV
  | { is: "tone"; spec: string } // "450/2000,0/4000": Hz/ms, repeated
  | { is: "silence"; ms: number };

export type PlayRequest = {
  sounds: Sound[];
  repeat?: number | "forever" /** Digits stop it. */;
  interruptible?: boolean;
};
export type PlayEnd = { ended: "finished" | "digit" | "stopped" | "stream-closed" };

export type RecordRequest = { path: string; maxMs: number; silenceMs?: number; stopKeys?: string };
export type RecordEnd = { durationMs: number; ended: "max" | "silence" | "key" | "stopped" | "stream-closed" };

export type StreamEvent =
  | { is: "digit"; stream: StreamId; digit: string; durationMs: number }
  | { is: "silent"; stream: StreamId; forMs: number } // no RTP at all: the peer has vanished
  | { is: "fax-tone"; stream: StreamId; tone: "cng" | "ced" }
  | { is: "lost"; stream: StreamId; why: string }; // the thread that carried it died

export type StreamStatistics = {
  packetsIn: number;
  packetsOut: number;
  lost: number;
  jitterMs: number;
  refused: number;
};

export type MediaEngine = {
  /** Reserves ports; the local address goes into the SDP. */
  open(options: { peerHint?: string; srtp?: boolean }): Promise<{ stream: StreamId; address: string; port: number }>;
  /** After offer/answer: what to send and where. May be called again for a re-INVITE. */
  settle(stream: StreamId, settings: StreamSettings): Promise<void>;
  /** Two streams hear each other; the same codec on both is relayed without decoding. */
  join(a: StreamId, b: StreamId): Promise<void>;
  part(stream: StreamId): Promise<void>;
  /** Several streams in one room; each hears the others. `hears`/`heard` narrow it for listening and whispering. */
  mix(room: string, parties: { stream: StreamId; hears: StreamId[] }[]): Promise<void>;
  play(stream: StreamId, request: PlayRequest): Promise<PlayEnd>;
  stopPlaying(stream: StreamId): Promise<void>;
  sendDigits(stream: StreamId, digits: string): Promise<void>;
  /** What this party says is no longer heard / what it would hear is silence. */
  mute(stream: StreamId, what: { says?: boolean; hears?: boolean }): Promise<void>;
  /** Stereo, one channel a side, crash-safe; runs until stopped or a stream closes. */
  recordCall(options: {
    left: StreamId;
    right?: StreamId;
    path: string;
  }): Promise<{ stop(): Promise<{ durationMs: number }> }>;
  /** One party's words: voicemail, a prompt's answer. */
  record(stream: StreamId, request: RecordRequest): Promise<RecordEnd>;
  statistics(stream: StreamId): Promise<StreamStatistics>;
  close(stream: StreamId): Promise<void>;
  onEvent(listen: (event: StreamEvent) => void): void;
  stop(): Promise<void>;
};
