// G.729 by bcg729, whose licence keeps it in a process of its own: 10 octets for 10 ms, two frames a packet.

import { CoderProcess, ORDERS } from "./coder-process.ts";
import type { Codec, Decode, Encode } from "./shape.ts";

const FRAME_BYTES = 10;
/** A frame that describes the silence to come (annex B); we send none, but hear them. */
const SILENCE_BYTES = 2;
const FRAME_SAMPLES = 80;

let started: CoderProcess | undefined;

export const g729 = {
  name: "G729",
  payloadType: 18,
  clockRate: 8000,
  rtpmap: "G729/8000",
  fmtp: "annexb=no",
  pcmRate: 8000,
  needs: [{ library: "libbcg729.so.0", package: "libbcg729-0", apart: true }],
  openDecoder,
  openEncoder,
} as const satisfies Codec;

function openDecoder(): Decode {
  const coder = new RemoteCoder(ORDERS.openDecoder);
  const decode: Decode = (packet, from, to, into) => {
    const left = (to - from) % FRAME_BYTES;
    const samples = Math.ceil((to - from) / FRAME_BYTES) * FRAME_SAMPLES;
    if ((left !== 0 && left !== SILENCE_BYTES) || samples === 0 || samples > into.length) return 0;
    return samplesIn(coder, coder.ask(ORDERS.decode, packet.subarray(from, to)), into);
  };
  decode.conceal = (into) => {
    const count = samplesIn(coder, coder.ask(ORDERS.conceal, NOTHING), into);
    into.fill(0, count);
  };
  decode.close = () => coder.close();
  return decode;
}

function openEncoder(): Encode {
  const coder = new RemoteCoder(ORDERS.openEncoder);
  const encode: Encode = (pcm, into, at) => {
    const bytes = coder.ask(ORDERS.encode, new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength));
    into.set(coder.process.answer.subarray(1, 1 + bytes), at);
    return bytes;
  };
  encode.close = () => coder.close();
  return encode;
}

const NOTHING = new Uint8Array();

/** One coder over there, opened again after the process had to be. */
class RemoteCoder {
  readonly process = coderProcess();
  readonly #opening: number;
  readonly #id = this.process.newCoder();
  #life = 0;

  constructor(opening: number) {
    this.#opening = opening;
    this.process.isReady();
  }

  ask(kind: number, given: Uint8Array): number {
    if (!this.process.isReady()) return 0;
    if (this.#life !== this.process.life) this.process.tell(this.#opening, this.#id);
    this.#life = this.process.life;
    return this.process.ask(kind, this.#id, given);
  }

  close(): void {
    if (this.#life === this.process.life) this.process.tell(ORDERS.close, this.#id);
  }
}

function samplesIn({ process: { answer } }: RemoteCoder, bytes: number, into: Int16Array): number {
  const samples = Math.min(bytes >> 1, into.length);
  for (let i = 0; i < samples; i++) into[i] = answer[1 + 2 * i]! | (answer[2 + 2 * i]! << 8);
  return samples;
}

function coderProcess(): CoderProcess {
  started ??= new CoderProcess(programPath());
  return started;
}

/** Seen from the sources, and from the built program. */
function programPath(): string {
  const { existsSync } = process.getBuiltinModule("node:fs");
  const { fileURLToPath } = process.getBuiltinModule("node:url");
  const places = ["../../bin/g729-coder.mjs", "../bin/g729-coder.mjs"].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return places.find((path) => existsSync(path)) ?? places[0]!; // there are two
}
