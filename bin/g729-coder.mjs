// G.729 in a process of its own, because bcg729 is under the GPL and the exchange is not: it hears orders on descriptor 3,
// one a message, and answers those that ask for something. Plain JavaScript; it shares no code with the exchange.
//
//   order:  kind (1 octet), coder (4 octets, little-endian), then samples or payload
//   answer: kind, then payload or samples; READY once when it has begun

import { createRequire } from "node:module";

const SOCKET = 3;
const READY = 0;
const OPEN_ENCODER = 1;
const OPEN_DECODER = 2;
const CLOSE = 3;
const ENCODE = 4;
const DECODE = 5;
const CONCEAL = 6;

const HEAD = 5;
const SAMPLES = 80;
const FRAME = 10;
const SILENCE = 2;
const MOST_FRAMES = 24;
const EINTR = 4;

const koffi = createRequire(import.meta.url)("koffi");
const libc = koffi.load("libc.so.6");
const receive = libc.func("long recv(int, _Out_ uint8_t *, long, int)");
const send = libc.func("long send(int, const uint8_t *, long, int)");
const bcg729 = koffi.load("libbcg729.so.0");
const openEncoder = bcg729.func("void *initBcg729EncoderChannel(uint8_t)");
const closeEncoder = bcg729.func("void closeBcg729EncoderChannel(void *)");
const encodeFrame = bcg729.func("void bcg729Encoder(void *, const int16_t *, _Out_ uint8_t *, _Out_ uint8_t *)");
const openDecoder = bcg729.func("void *initBcg729DecoderChannel(void)");
const closeDecoder = bcg729.func("void closeBcg729DecoderChannel(void *)");
const decodeFrame = bcg729.func(
  "void bcg729Decoder(void *, const uint8_t *, uint8_t, uint8_t, uint8_t, uint8_t, _Out_ int16_t *)",
);

const encoders = new Map();
const decoders = new Map();
const pcm = new Int16Array(SAMPLES);
const frame = new Uint8Array(FRAME);
const length = new Uint8Array(1);
const answer = Buffer.alloc(1 + MOST_FRAMES * SAMPLES * 2);

function encode(state, samples) {
  let size = 1;
  for (let at = 0; at + SAMPLES * 2 <= samples.length; at += SAMPLES * 2) {
    for (let i = 0; i < SAMPLES; i++) pcm[i] = samples.readInt16LE(at + i * 2);
    encodeFrame(state, pcm, frame, length);
    answer.set(frame, size);
    size += FRAME;
  }
  return size;
}

function decode(state, payload) {
  const left = payload.length % FRAME;
  const frames = (payload.length - left) / FRAME;
  if ((left !== 0 && left !== SILENCE) || frames >= MOST_FRAMES) return 1;
  let size = 1;
  for (let at = 0; at < payload.length; at += FRAME) {
    const some = Math.min(FRAME, payload.length - at);
    frame.fill(0);
    frame.set(payload.subarray(at, at + some));
    decodeFrame(state, frame, some, 0, some === SILENCE ? 1 : 0, 0, pcm);
    size = keep(size);
  }
  return size;
}

function conceal(state) {
  let size = 1;
  for (let i = 0; i < 2; i++) {
    frame.fill(0);
    decodeFrame(state, frame, FRAME, 1, 0, 0, pcm);
    size = keep(size);
  }
  return size;
}

function keep(size) {
  for (let i = 0; i < SAMPLES; i++) answer.writeInt16LE(pcm[i], size + i * 2);
  return size + SAMPLES * 2;
}

function close(coder) {
  if (encoders.has(coder)) closeEncoder(encoders.get(coder));
  if (decoders.has(coder)) closeDecoder(decoders.get(coder));
  encoders.delete(coder);
  decoders.delete(coder);
}

const say = (kind, size) => {
  answer[0] = kind;
  send(SOCKET, answer, size, 0);
};

function obey(order) {
  const kind = order[0];
  const coder = order.readUInt32LE(1);
  const rest = order.subarray(HEAD);
  if (kind === OPEN_ENCODER) encoders.set(coder, openEncoder(0));
  else if (kind === OPEN_DECODER) decoders.set(coder, openDecoder());
  else if (kind === CLOSE) close(coder);
  else if (kind === ENCODE) say(kind, encoders.has(coder) ? encode(encoders.get(coder), rest) : 1);
  else if (kind === DECODE) say(kind, decoders.has(coder) ? decode(decoders.get(coder), rest) : 1);
  else if (kind === CONCEAL) say(kind, decoders.has(coder) ? conceal(decoders.get(coder)) : 1);
}

// It leaves when the exchange does: a terminal's Ctrl-C reaches both, and calls must be ended in order.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);

const order = Buffer.alloc(4096);
say(READY, 1);
for (;;) {
  const size = receive(SOCKET, order, order.length, 0);
  if (size < 0 && koffi.errno() === EINTR) continue;
  if (size <= 0) break;
  if (size >= HEAD) obey(order.subarray(0, size));
}
process.exit(0);
