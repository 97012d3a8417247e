// One stream inside a media thread: plain fields that the hot loops read, created once with their final shape.

import { codecIn, codecNames, codecs } from "../../codecs/codec.ts";
import type { Codec, Encode, PcmRate } from "../../codecs/shape.ts";
import { EventReader } from "../../codecs/telephone-event.ts";
import type { Direction } from "../../sdp/session.ts";
import type { CodecName, StreamId, StreamSettings } from "../engine.ts";
import { newAdvance } from "./advance.ts";
import type { StreamDtls } from "./dtls.ts";
import type { KeyListener } from "./dtmf.ts";
import type { EventSender } from "./event-sender.ts";
import type { FaxListener } from "./fax-tone.ts";
import type { Hearing } from "./hearing.ts";
import type { Player } from "./player.ts";
import type { CallRecorder, PartyRecorder } from "./recorder.ts";
import type { Room } from "./room.ts";
import type { Session } from "./srtp.ts";
import type { StreamIce } from "./stun.ts";
import type { Address, Ip, SocketHandle } from "./wire.ts";

export class Stream {
  readonly id: StreamId;
  readonly rtp: SocketHandle;
  readonly rtcp: SocketHandle;
  /** The one that voice goes out by: where the other side finds its own way, whichever leads there. */
  out: SocketHandle;
  readonly port: number;
  /** Which of our addresses it is bound to, by its place among them. */
  readonly at: number;
  /** The address that the other side was told. */
  readonly told: string;
  /** Source of the signalling, 0 when unknown. */
  hintIp: Ip;

  settings: StreamSettings | undefined;
  codec: Codec = codecs.PCMA;
  payloadIn = -1;
  eventIn = -1;
  payloadOut = 0;
  eventOut = -1;
  /** Keys go to it by signalling, and not from here. */
  keysAside = false;
  sends = false;
  receives = false;
  srtp: Session | undefined;
  /** RTCP has keys of its own where it has a handshake of its own. */
  srtcp: Session | undefined;
  dtls: StreamDtls | undefined;
  ice: StreamIce | undefined;
  /** Nothing is said or believed until the handshake is over. */
  awaitsKeys = false;

  // Whose packets are believed.
  signalledIp: Ip = 0;
  signalledPort = 0;
  /** A second address that may speak for the first, 0 for none. */
  natIp: Ip = 0;
  sourceIp: Ip = 0;
  sourcePort = 0;
  locked = false;
  formerIp: Ip = 0;
  formerPort = 0;
  to: Address | undefined;
  toRtcp: Address | undefined;

  // Whether anything shows that somebody is there.
  isProved = false;
  /** From where something has come in this call. */
  provedIps: Ip[] = [];
  advance = newAdvance();
  /** Datagrams of a handshake that went where nothing had come from. */
  greetings = 0;

  // What has come in (RFC 3550 appendix A).
  ssrcIn = -1;
  /** Grows whenever the sender starts its numbers anew. */
  epoch = 0;
  /** Sequence number of the packet at hand, counted on past 65535. */
  extended = 0;
  highest = 0;
  firstExtended = 0;
  received = 0;
  packetsIn = 0;
  lostBefore = 0;
  jitter = 0;
  transit = 0;
  refused = 0;
  heardAtMs = 0;
  saidSilent = false;
  saidAway = false;

  // What has gone out.
  ssrcOut: number;
  nextSequence: number;
  lastTimestamp: number;
  sentAtMs = 0;
  packetsOut = 0;
  octetsOut = 0;
  wantsMarker = true;
  encode: Encode | undefined;
  encodeCodec: Codec | undefined;
  /** Samples a second of the frames made for it; and those that the encoder at hand takes. */
  rateSent: PcmRate = 8000;
  encodeRate: PcmRate = 8000;

  // How the other side's packets become ours.
  relayFrom: Stream | undefined;
  relayEpoch = -1;
  relayFirst = 0;
  sequenceShift = 0;
  timestampShift = 0;
  /** Re-codes one G.711 law as the other on the way to us. */
  relayTable: Uint8Array | undefined;

  // RTCP.
  rtcpAtMs = 0;
  lastReportNtp = 0;
  lastReportAtMs = 0;
  expectedBefore = 0;
  receivedBefore = 0;
  roundTripMs = -1;
  concealedBefore = 0;

  // What it is joined to and what is done with it.
  peer: Stream | undefined;
  room: Room<Stream> | undefined;
  /** Straight to this stream, undecoded. */
  relayTo: Stream | undefined;
  player: Player | undefined;
  keyTones: Player | undefined;
  saysMuted = false;
  hearsMuted = false;
  faxTones = false;
  keyListener: KeyListener | undefined;
  faxListener: FaxListener | undefined;
  /** What it says is wanted as PCM: its hearing begins with the first packet, and many never send one. */
  isHeard = false;
  hearing: Hearing | undefined;
  recorder: PartyRecorder | undefined;
  readonly recordings = new Set<CallRecorder<Stream>>();
  readonly events = new EventReader();
  eventAtMs = Number.NEGATIVE_INFINITY;
  eventSender: EventSender | undefined;

  /** How many packets there had been when the ledger last heard of it. */
  keptPackets = 0;

  constructor(made: {
    id: StreamId;
    rtp: SocketHandle;
    rtcp: SocketHandle;
    port: number;
    at: number;
    told: string;
    hintIp: Ip;
    random(): number;
    nowMs: number;
  }) {
    this.id = made.id;
    this.rtp = made.rtp;
    this.rtcp = made.rtcp;
    this.out = made.rtp;
    this.port = made.port;
    this.at = made.at;
    this.told = made.told;
    this.hintIp = made.hintIp;
    this.ssrcOut = made.random();
    // The top bit stays clear so that SRTP's rollover counter starts unambiguously (RFC 3711 section 3.3.1).
    this.nextSequence = made.random() & 0x7fff;
    this.lastTimestamp = made.random();
    this.heardAtMs = made.nowMs;
    this.sentAtMs = made.nowMs;
  }

  /** All of it that concerns one stream alone. */
  useSettings(settings: StreamSettings): void {
    this.settings = settings;
    this.useCodec(settings.codec, settings.form);
    this.payloadOut = settings.payloadType;
    this.payloadIn = settings.payloadTypeIn ?? settings.payloadType;
    this.eventIn = settings.telephoneEventIn ?? settings.telephoneEvent ?? -1;
    this.eventOut = settings.keysAside ? -1 : (settings.telephoneEvent ?? -1);
    this.keysAside = settings.keysAside === true;
    this.sends = maySend(settings.direction);
    this.receives = mayReceive(settings.direction);
  }

  /** The other side is at that address: it has shown itself there. */
  believeIn(ip: Ip): void {
    this.isProved = true;
    if (!this.provedIps.includes(ip)) this.provedIps = [...this.provedIps.slice(1 - MOST_PROVED), ip];
  }

  useCodec(name: CodecName = codecNames[0]!, form?: string): void {
    this.codec = codecIn(name, form);
    this.rateSent = this.codec.pcmRate;
  }
}

/** A call whose voice moves to and fro has two or three. */
const MOST_PROVED = 4;

const mayReceive = (direction: Direction): boolean => direction === "sendrecv" || direction === "recvonly";
export const maySend = (direction: Direction): boolean => direction === "sendrecv" || direction === "sendonly";
