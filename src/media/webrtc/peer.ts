// One browser: WebRTC towards it, plain RTP on this machine towards the media engine.

import { createSocket, type Socket } from "node:dgram";
import { type RTCDtlsTransport, RTCPeerConnection, RTCRtpCodecParameters, RtpHeader, type RtpPacket } from "werift";
import { familyOf } from "../../addresses.ts";
import { type CodecName, codecs } from "../../codecs/codec.ts";
import { type Direction, narrower } from "../../sdp/session.ts";
import {
  type BrowserAudio,
  hasCandidate,
  readAnswer,
  readOffer,
  trim,
  withFewWays,
  withoutSilence,
} from "./description.ts";
import { type GatewayRefusal, type GatewaySettings, INSIDE_EVENT_TYPE, type Settled } from "./messages.ts";
import { ReplayWindow } from "./replay-window.ts";

export type PeerOptions = {
  settings: GatewaySettings;
  /** The first of the two ports that are this browser's; one of them is used. */
  port: number;
  enginePort: number;
  lost(why: string): void;
  quiet(on: boolean): void;
};

/** A browser sends fifty packets a second whether or not its owner speaks: after so many looks without one it is away. */
const MOST_EMPTY_LOOKS = 3;
const RTP_HEADER = 12;
const MARKER = 0x80;
const NO_COMMON_CODEC: GatewayRefusal = { refused: "no-common-codec" };

export class Peer {
  readonly #options: PeerOptions;
  readonly #inside: Socket;
  readonly #replays = new ReplayWindow();
  readonly #header = new RtpHeader();
  #connection: RTCPeerConnection | undefined;
  #transport: RTCDtlsTransport | undefined;
  #offered: readonly CodecName[] = [];
  #audio: BrowserAudio | undefined;
  #isInsideOpen = false;
  #isClosed = false;
  #heard = 0;
  #heardAtLook = 0;
  #emptyLooks = 0;
  #isQuiet = false;

  constructor(options: PeerOptions) {
    this.#options = options;
    this.#inside = createSocket({ type: familyOf(options.settings.inside) === 6 ? "udp6" : "udp4" });
    this.#inside.on("message", (packet) => this.#toBrowser(packet));
    // The engine closes its port a moment before ours: that is no news.
    this.#inside.on("error", () => undefined);
  }

  /** Also for later offers of the same browser, which change only the direction. */
  async answer(offer: string, codecs: readonly CodecName[]): Promise<(Settled & { sdp: string }) | GatewayRefusal> {
    const audio = readOffer(offer, this.#audio ? [this.#audio.codec] : codecs);
    if (!audio) return NO_COMMON_CODEC;
    const said = withFewWays(withoutSilence(offer));
    const connection = this.#connect([audio.codec], !hasCandidate(said));
    await connection.setRemoteDescription({ type: "offer", sdp: said });
    this.#speak(connection);
    await connection.setLocalDescription(await connection.createAnswer());
    const settled = await this.#settle(audio);
    return { ...settled, sdp: this.#said(connection, settled.direction) };
  }

  async offer(codecs: readonly CodecName[]): Promise<{ sdp: string }> {
    this.#offered = this.#audio ? [this.#audio.codec] : codecs;
    const connection = this.#connect(this.#offered);
    if (connection.getTransceivers().length === 0) connection.addTransceiver("audio", { direction: "sendrecv" });
    await connection.setLocalDescription(await connection.createOffer());
    this.#speak(connection);
    return { sdp: this.#said(connection, "sendrecv") };
  }

  async understand(answer: string): Promise<Settled | GatewayRefusal> {
    const audio = readAnswer(answer, this.#offered);
    if (!audio || !this.#connection) return NO_COMMON_CODEC;
    await this.#connection.setRemoteDescription({ type: "answer", sdp: withFewWays(answer) });
    this.#speak(this.#connection);
    return this.#settle(audio);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#inside.close();
    await this.#connection?.close();
  }

  /** Now and then: has anything come since the last time? Nothing is expected before the first packet, or on hold. */
  look(): void {
    const expects = this.#audio?.direction === "sendrecv" || this.#audio?.direction === "recvonly";
    this.#emptyLooks = this.#heard === this.#heardAtLook && this.#heard > 0 && expects ? this.#emptyLooks + 1 : 0;
    this.#heardAtLook = this.#heard;
    if (this.#emptyLooks >= MOST_EMPTY_LOOKS) this.#tellQuiet(true);
  }

  #tellQuiet(on: boolean): void {
    if (this.#isClosed || this.#isQuiet === on) return;
    this.#isQuiet = on;
    this.#options.quiet(on);
  }

  #connect(codecs: readonly CodecName[], iceLite = false): RTCPeerConnection {
    if (this.#connection) return this.#connection;
    const { settings, port, lost } = this.#options;
    const firstOf = (family: 4 | 6, addresses: readonly string[]) => addresses.find((it) => familyOf(it) === family);
    const [four, six] = [firstOf(4, settings.bind), firstOf(6, settings.bind)];
    const connection = new RTCPeerConnection({
      codecs: { audio: [...codecs.map(codecParameters), digitParameters()], video: [] },
      headerExtensions: { audio: [], video: [] },
      bundlePolicy: "max-bundle",
      iceServers: [],
      // With nothing to check we are the side that only answers checks.
      iceLite,
      // Neither kind is gathered by itself: what we can be reached at is for the operator to say.
      iceUseIpv4: false,
      iceUseIpv6: false,
      iceAdditionalHostAddresses: settings.bind.flatMap((it) => firstOf(familyOf(it), settings.reachableAt) ?? []),
      iceInterfaceAddresses: { ...(four && { udp4: four }), ...(six && { udp6: six }) },
      // The library takes the first that no other program has.
      icePortRange: [port, port + 1],
    });
    connection.connectionStateChange.subscribe((state) => {
      if (state === "failed" && !this.#isClosed) lost("the browser cannot be reached");
    });
    this.#connection = connection;
    return connection;
  }

  #said(connection: RTCPeerConnection, direction: Direction): string {
    const sdp = connection.localDescription?.sdp ?? "";
    if (!hasCandidate(sdp)) throw new Error(`port ${this.#options.port} and the next are taken`);
    return trim(sdp, { reachableAt: this.#options.settings.reachableAt, direction });
  }

  /** Once: the library tells of the same track again with every new offer, but there is one transport. */
  #speak(connection: RTCPeerConnection): void {
    const [transceiver] = connection.getTransceivers();
    const [transport] = connection.dtlsTransports;
    if (transceiver) {
      transceiver.setDirection("sendrecv");
      this.#header.ssrc = transceiver.sender.ssrc;
    }
    if (!transport || transport === this.#transport) return;
    this.#transport = transport;
    transport.onRtp.subscribe((packet) => this.#toEngine(packet));
  }

  async #settle(audio: BrowserAudio): Promise<Settled> {
    this.#audio = audio;
    const insidePort = await this.#openInside();
    const direction = narrower("sendrecv", audio.direction);
    return { codec: audio.codec, digits: audio.eventType !== undefined, direction, insidePort };
  }

  /** Connected to the engine's port, so that the system lets nobody else speak to it. */
  async #openInside(): Promise<number> {
    if (!this.#isInsideOpen) {
      this.#isInsideOpen = true;
      const { settings, enginePort } = this.#options;
      await new Promise<void>((resolve) => this.#inside.bind({ address: settings.inside, port: 0 }, resolve));
      await new Promise<void>((resolve) => this.#inside.connect(enginePort, settings.inside, () => resolve()));
    }
    return this.#inside.address().port;
  }

  #toEngine({ header, payload }: RtpPacket): void {
    this.#heard += 1;
    if (this.#isQuiet) this.#tellQuiet(false);
    const type = this.#insideType(header.payloadType);
    if (type === undefined || this.#isClosed || !this.#replays.isNew(header.ssrc, header.sequenceNumber)) return;
    const packet = Buffer.allocUnsafe(RTP_HEADER + payload.length);
    packet[0] = 0x80;
    packet[1] = (header.marker ? MARKER : 0) | type;
    packet.writeUInt16BE(header.sequenceNumber, 2);
    packet.writeUInt32BE(header.timestamp >>> 0, 4);
    packet.writeUInt32BE(header.ssrc >>> 0, 8);
    packet.set(payload, RTP_HEADER);
    this.#inside.send(packet);
  }

  #insideType(type: number): number | undefined {
    if (!this.#audio) return undefined;
    if (type === this.#audio.eventType) return INSIDE_EVENT_TYPE;
    return type === codecs[this.#audio.codec].payloadType ? type : undefined;
  }

  /** The engine's headers are twelve octets long; its RTCP stays here, because the library reports for itself. */
  #toBrowser(packet: Buffer): void {
    const transport = this.#transport;
    if (transport?.state !== "connected" || packet.length <= RTP_HEADER || !this.#audio) return;
    const second = packet[1] ?? 0;
    const type = second & 0x7f;
    const outside = type === INSIDE_EVENT_TYPE ? this.#audio.eventType : type;
    if (outside === undefined || (type >= 64 && type <= 95)) return;
    const header = this.#header;
    header.payloadType = outside;
    header.marker = (second & MARKER) !== 0;
    header.sequenceNumber = packet.readUInt16BE(2);
    header.timestamp = packet.readUInt32BE(4);
    void transport.sendRtp(packet.subarray(RTP_HEADER), header);
  }
}

function codecParameters(name: CodecName): RTCRtpCodecParameters {
  const { clockRate, payloadType } = codecs[name];
  return new RTCRtpCodecParameters({ mimeType: `audio/${name}`, clockRate, channels: 1, payloadType });
}

function digitParameters(): RTCRtpCodecParameters {
  const payloadType = INSIDE_EVENT_TYPE;
  return new RTCRtpCodecParameters({
    mimeType: "audio/telephone-event",
    clockRate: 8_000,
    channels: 1,
    payloadType,
    parameters: "0-15",
  });
}
