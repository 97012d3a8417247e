// The codecs' libraries alone: a second of speech coded and decoded in a bare loop, with nothing of ours around it.

import { createRequire } from "node:module";
import type { CodecName } from "../src/codecs/codec.ts";

type Koffi = typeof import("koffi");
type Loop = { rate: number; encode(pcm: Int16Array): number; decode(bytes: number): void };

const packet = new Uint8Array(1500);
const heard = new Int16Array(1920);

const loops: Partial<Record<CodecName, (koffi: Koffi) => Loop>> = { G722: spandsp, opus: libopus, GSM: libgsm };

/** Milliseconds of CPU time; 0 where there is no such library here. */
export function barelyCoded(name: CodecName): { msPerSecond: number } {
  let loop: Loop | undefined;
  try {
    loop = loops[name]?.(createRequire(import.meta.url)("koffi") as Koffi);
  } catch {
    return { msPerSecond: 0 };
  }
  if (!loop) return { msPerSecond: 0 };
  const frames = speech(loop.rate);
  const run = () => {
    for (const frame of frames) loop.decode(loop.encode(frame));
  };
  for (let warm = 0; warm < 5; warm++) run();
  const before = process.cpuUsage();
  const ROUNDS = 10;
  for (let round = 0; round < ROUNDS; round++) run();
  const { user, system } = process.cpuUsage(before);
  return { msPerSecond: (user + system) / 1000 / ROUNDS / (frames.length / 50) };
}

function spandsp(koffi: Koffi): Loop {
  const lib = koffi.load("libspandsp.so.2");
  const encoder = lib.func("void *g722_encode_init(void *, int, int)")(null, 64_000, 0);
  const decoder = lib.func("void *g722_decode_init(void *, int, int)")(null, 64_000, 0);
  const encode = lib.func("int g722_encode(void *, void *, const void *, int)");
  const decode = lib.func("int g722_decode(void *, void *, const void *, int)");
  return {
    rate: 16_000,
    encode: (pcm) => encode(encoder, packet, pcm, pcm.length),
    decode: (bytes) => void decode(decoder, heard, packet, bytes),
  };
}

/** As browsers and telephones have it: wide, at the bit rate, complexity and protection that we code with ourselves. */
function libopus(koffi: Koffi): Loop {
  const lib = koffi.load("libopus.so.0");
  const encoder = lib.func("void *opus_encoder_create(int, int, int, void *)")(16_000, 1, 2048, null);
  const decoder = lib.func("void *opus_decoder_create(int, int, void *)")(16_000, 1, null);
  const control = lib.func("int opus_encoder_ctl(void *, int, ...)");
  const settings: [number, number][] = [
    [4002, 24_000],
    [4010, 3],
    [4012, 1],
    [4014, 5],
  ];
  for (const [request, value] of settings) control(encoder, request, "int", value);
  const encode = lib.func("int opus_encode(void *, const void *, int, void *, int)");
  const decode = lib.func("int opus_decode(void *, const void *, int, void *, int, int)");
  return {
    rate: 16_000,
    encode: (pcm) => encode(encoder, pcm, pcm.length, packet, packet.length),
    decode: (bytes) => void decode(decoder, packet, bytes, heard, heard.length, 0),
  };
}

function libgsm(koffi: Koffi): Loop {
  const lib = koffi.load("libgsm.so.1");
  const create = lib.func("void *gsm_create(void)");
  const [encoder, decoder] = [create(), create()];
  const encode = lib.func("void gsm_encode(void *, const void *, void *)");
  const decode = lib.func("int gsm_decode(void *, const void *, void *)");
  return {
    rate: 8000,
    encode(pcm) {
      encode(encoder, pcm, packet);
      return 33;
    },
    decode: () => void decode(decoder, packet, heard),
  };
}

/** Eight seconds of something like a voice: a gliding pitch with its overtones in syllables, hisses and pauses between. */
export function speech(rate: number): Int16Array[] {
  let seed = 1;
  const noise = () => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return seed / 0x40000000 - 1;
  };
  let phase = 0;
  return Array.from({ length: 400 }, (_, frame) =>
    Int16Array.from({ length: rate / 50 }, (_, i) => {
      const seconds = frame / 50 + i / rate;
      const syllable = Math.max(0, Math.sin(2 * Math.PI * 3.3 * seconds)) * (seconds % 4 < 3 ? 1 : 0);
      phase += (2 * Math.PI * (120 + 40 * Math.sin(2 * Math.PI * 0.7 * seconds))) / rate;
      let voiced = 0;
      for (let overtone = 1; overtone <= 24; overtone++) {
        const hz = overtone * 130;
        const formants = 1 / (1 + ((hz - 600) / 250) ** 2) + 0.5 / (1 + ((hz - 1700) / 300) ** 2) + 0.03;
        voiced += formants * Math.sin(overtone * phase);
      }
      const hiss = Math.max(0, Math.sin(2 * Math.PI * 3.3 * seconds + 2.5)) ** 4;
      return 2500 * syllable * voiced + 900 * hiss * noise() + 12 * noise();
    }),
  );
}
