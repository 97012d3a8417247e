// A fax as sound: G.711 in RTP between the machine and the media engine, which passes it on undecoded.

import type { Socket } from "node:dgram";
import type { AddressInfo } from "node:net";
import { codecs } from "../../codecs/codec.ts";
import type { Law } from "../../codecs/g711.ts";
import { FaxListener } from "../embedded/fax-tone.ts";
import { headerLength, payloadEnd, RTP_HEADER, sequenceOf, writeSequence, writeUint32 } from "../embedded/rtp.ts";
import type { SoundSide } from "./messages.ts";
import type { SoundMachine } from "./t30.ts";

export const FRAME = 160;
/** So many packets may come before one that is missing is given up. */
const MOST_HELD = 4;
/** A sender that started anew, rather than one whose packets are lost. */
const LARGEST_GAP = 100;
/** A machine that hears nothing must still count time; shorter gaps are packets that come late, all of them. */
const SILENT_TICKS = 100;

export type SoundLink = {
  port: number;
  /** Every 20 ms. */
  tick(): void;
  close(): void;
};

export function openSoundLink(
  socket: Socket,
  { codec, enginePort }: SoundSide,
  { machine, heard }: { machine: SoundMachine; heard(tone: "cng" | "ced"): void },
): SoundLink {
  // Nobody listens any more: the call is just ending.
  socket.on("error", () => undefined);
  const { law, payloadType } = codecs[codec];
  const ear = new Ear(machine, { law, payloadType, heard });
  const mouth = new Mouth(socket, { law, payloadType, to: { address: socket.address().address, port: enginePort } });
  socket.on("message", (packet) => ear.take(packet));
  let isClosed = false;
  return {
    port: (socket.address() as AddressInfo).port,
    tick() {
      if (isClosed) return;
      ear.tick();
      mouth.say(machine);
    },
    close() {
      if (!isClosed) socket.close();
      isClosed = true;
    },
  };
}

/** Puts packets in order. No jitter buffer: late is harmless to a machine that counts samples, lost is not. */
class Ear {
  readonly #machine: SoundMachine;
  readonly #law: Law;
  readonly #payloadType: number;
  readonly #heard: (tone: "cng" | "ced") => void;
  readonly #tones = new FaxListener();
  readonly #held = new Map<number, Int16Array>();
  #next: number | undefined;
  #silentTicks = 0;

  constructor(
    machine: SoundMachine,
    { law, payloadType, heard }: { law: Law; payloadType: number; heard(tone: "cng" | "ced"): void },
  ) {
    this.#machine = machine;
    this.#law = law;
    this.#payloadType = payloadType;
    this.#heard = heard;
  }

  take(packet: Uint8Array): void {
    const header = headerLength(packet, packet.length);
    const end = header < 0 ? -1 : payloadEnd(packet, header, packet.length);
    if (end < 0 || (packet[1]! & 0x7f) !== this.#payloadType) return; // a header was there, so it has two octets
    this.#silentTicks = 0;
    const sequence = sequenceOf(packet);
    this.#next ??= sequence;
    const ahead = ((sequence - this.#next) << 16) >> 16;
    if (Math.abs(ahead) > LARGEST_GAP) this.#startAnew(sequence);
    else if (ahead < 0) return;
    this.#held.set(
      sequence,
      Int16Array.from(packet.subarray(header, end), (octet) => this.#law.toLinear[octet] ?? 0),
    );
    while (this.#pass());
  }

  tick(): void {
    this.#silentTicks += 1;
    if (this.#silentTicks > SILENT_TICKS) this.#machine.takeNothing(FRAME);
  }

  /** The packet whose turn it is, or what stands for it once enough others have come. */
  #pass(): boolean {
    const next = this.#next ?? 0;
    const samples = this.#held.get(next);
    if (!samples && this.#held.size < MOST_HELD) return false;
    this.#held.delete(next);
    this.#next = (next + 1) & 0xffff;
    if (samples) this.#listen(samples);
    else this.#machine.takeNothing(FRAME);
    return true;
  }

  #listen(samples: Int16Array): void {
    this.#machine.take(samples);
    for (let at = 0; at + FRAME <= samples.length; at += FRAME) {
      const tone = this.#tones.push(samples.subarray(at, at + FRAME));
      if (tone) this.#heard(tone);
    }
  }

  #startAnew(sequence: number): void {
    this.#held.clear();
    this.#next = sequence;
  }
}

class Mouth {
  readonly #socket: Socket;
  readonly #law: Law;
  readonly #to: { address: string; port: number };
  readonly #frame = new Int16Array(FRAME);
  readonly #payloadType: number;
  #sequence = 0;
  #timestamp = 0;

  constructor(
    socket: Socket,
    { law, payloadType, to }: { law: Law; payloadType: number; to: { address: string; port: number } },
  ) {
    this.#socket = socket;
    this.#law = law;
    this.#payloadType = payloadType;
    this.#to = to;
  }

  say(machine: SoundMachine): void {
    machine.give(this.#frame);
    const packet = new Uint8Array(RTP_HEADER + FRAME);
    packet[0] = 0x80;
    packet[1] = this.#payloadType;
    writeSequence(packet, this.#sequence);
    writeUint32(packet, 4, this.#timestamp);
    writeUint32(packet, 8, this.#to.port);
    for (let i = 0; i < FRAME; i++) packet[RTP_HEADER + i] = this.#law.toByte[this.#frame[i]! + 32_768]!; // full tables
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.#timestamp = (this.#timestamp + FRAME) >>> 0;
    this.#socket.send(packet, this.#to.port, this.#to.address);
  }
}
