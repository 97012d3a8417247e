// Sound files of strangers turned into what the exchange plays, by ffmpeg, and recordings into what it stores: by a coder
// of our own, and by ffmpeg where it has none or cannot read them.

import { rm, stat } from "node:fs/promises";
import type { Clock } from "../clock.ts";
import { type NoTurn, type OpenTurns, uncounted } from "../fair-turns.ts";
import type { Bounds } from "../programs/confine.ts";
import type { RunProgram } from "../programs/program.ts";
import type { Coder, RecordingFiles } from "./coding/coder.ts";

export type Converted = { durationMs: number } | ConversionRefusal;

export type ConversionRefusal =
  /** `detail` is ffmpeg's own last words, for the log. */
  | { refused: "undecodable"; detail: string }
  | { refused: "too-long"; limitSeconds: number }
  | { refused: "took-too-long" }
  | { refused: "no-ffmpeg"; advice: string };

export type Converter = {
  /** A 16 kHz master to keep and an 8 kHz copy for the telephone, both mono 16-bit WAV; for an exchange, in its turn. */
  toTelephone(files: TelephoneFiles, piece: Piece): Promise<Converted | NoTurn>;
  /** A finished recording in its stored form; each side keeps its own channel. */
  toMp3(files: RecordingFiles, piece: Piece): Promise<Converted | NoTurn>;
};

type Piece = { whose: number; bytes?: number };
type TelephoneFiles = { input: string; master: string; telephone: string };

export type ConverterOptions = {
  clock: Clock;
  openTurns?: OpenTurns | undefined;
  runProgram: RunProgram;
  /** For recordings; without one ffmpeg codes them. */
  coder?: Pick<Coder, "code">;
  program?: string;
  /** Conversions at the same time, of which an exchange has one; more would take the cores from the calls. */
  atOnce?: number;
  /** Recordings at the same time; they have turns of their own, so that nobody's upload waits for them. */
  recordingsAtOnce?: number;
  limitSeconds?: number;
};

// Formats are named so that playlists and image sequences, which make ffmpeg open other files, are refused.
const FORMATS = [
  "wav,w64,mp3,asf,mov,mp4,m4a,3gp,3g2,mj2,aac,ac3,eac3,amr,amrnb,flac,gsm",
  "mpeg,mpegvideo,rm,ogg,matroska,webm,aiff,caf,au",
].join(",");
const MASTER_RATE = 16_000;
const TELEPHONE_RATE = 8_000;
const STORED_RATE = 16_000; // players that know no 8 kHz MP3 exist
const WAV_HEADER_BYTES = 44;
const SOUND_TAKES_MS = 60_000;
const RECORDING_TAKES_MS = 15 * 60_000;
const LONGEST_RECORDING_SECONDS = 24 * 3_600;
const MOST_RECORDINGS_WAITING = 128;
const MOST_MEMORY_MB = 1_500;
/** Two files of the longest sound; a day at the bit rate of recordings. */
const SOUND_MB = 64;
const RECORDING_MB = 600;
const ADVICE = "ffmpeg is missing: install ffmpeg (Debian: apt install ffmpeg)";

export function openConverter({
  clock,
  runProgram,
  coder,
  program = "ffmpeg",
  atOnce = 2,
  recordingsAtOnce = 1,
  limitSeconds = 600,
  openTurns = uncounted,
}: ConverterOptions): Converter {
  const sounds = openTurns("sounds", { atOnce, ofOne: 1 });
  // As many as are given out at once may wait: it is files that wait, and no memory.
  const recordings = openTurns("recordings", { atOnce: recordingsAtOnce, waitingOfOne: MOST_RECORDINGS_WAITING });
  const run: Run = (order) => runLimited({ clock, runProgram, program, ...order });
  return {
    toTelephone: (files, piece) => sounds.take(piece, () => toTelephone(files, run, limitSeconds)),
    async toMp3(files, piece) {
      const coded = await coder?.code(files);
      if (coded && "durationMs" in coded) return coded;
      return recordings.take(piece, () => toMp3(files, run));
    },
  };
}

type Ran = { ended: "well" } | ConversionRefusal;
type Order = { args: string[]; reads: string[]; writes: string[]; limitMs: number; fileMb: number };
type Run = (order: Order) => Promise<Ran>;

async function toTelephone(
  { input, master, telephone }: TelephoneFiles,
  run: Run,
  limitSeconds: number,
): Promise<Converted> {
  // One second more than allowed is decoded, so that a longer sound is seen to be longer and not cut silently.
  const reading = readingFrom(input, limitSeconds + 1);
  const args = [...reading, ...mono(MASTER_RATE, master), ...mono(TELEPHONE_RATE, telephone)];
  const files = { reads: [input], writes: [master, telephone] };
  const ran = await run({ args, ...files, limitMs: SOUND_TAKES_MS, fileMb: SOUND_MB });
  const converted = "refused" in ran ? ran : checkLength(await durationOfWav(master, MASTER_RATE), limitSeconds);
  if ("refused" in converted) await Promise.all([master, telephone].map((file) => rm(file, { force: true })));
  return converted;

  function mono(rate: number, file: string): string[] {
    const bytes = Math.ceil((limitSeconds + 2) * rate * 2);
    return [...onlySound, "-af", `aresample=${rate}:resampler=soxr`, "-ac", "1", ...wavOut, "-fs", `${bytes}`, file];
  }
}

async function toMp3({ input, output }: RecordingFiles, run: Run): Promise<Converted> {
  const encoding = ["-ar", `${STORED_RATE}`, "-c:a", "libmp3lame", "-b:a", "48k", "-joint_stereo", "0"];
  const file = ["-write_xing", "1", "-id3v2_version", "0", "-f", "mp3", output];
  const reading = readingFrom(input, LONGEST_RECORDING_SECONDS);
  const args = [...reading, ...onlySound, ...encoding, ...file];
  const files = { reads: [input], writes: [output] };
  const ran = await run({ args, ...files, limitMs: RECORDING_TAKES_MS, fileMb: RECORDING_MB });
  if (!("refused" in ran)) return { durationMs: await durationOfMp3(output) };
  await rm(output, { force: true });
  return ran;
}

const onlySound = ["-map", "0:a:0", "-vn", "-sn", "-dn", "-map_metadata", "-1"];
const wavOut = ["-c:a", "pcm_s16le", "-fflags", "+bitexact", "-flags:a", "+bitexact", "-f", "wav"];

function readingFrom(input: string, seconds: number): string[] {
  const quietly = ["-nostdin", "-hide_banner", "-loglevel", "error", "-y", "-threads", "1"];
  const guarded = ["-protocol_whitelist", "file", "-format_whitelist", FORMATS];
  return [...quietly, ...guarded, "-t", `${seconds}`, "-i", `file:${input}`];
}

function checkLength(durationMs: number, limitSeconds: number): Converted {
  if (durationMs <= 0) return { refused: "undecodable", detail: "no sound in it" };
  return durationMs > limitSeconds * 1_000 ? { refused: "too-long", limitSeconds } : { durationMs };
}

async function durationOfWav(file: string, rate: number): Promise<number> {
  const { size } = await stat(file);
  return Math.round(((size - WAV_HEADER_BYTES) / 2 / rate) * 1_000);
}

/** Our own MP3s have one bit rate, so their size tells their length. */
async function durationOfMp3(file: string): Promise<number> {
  const { size } = await stat(file);
  return Math.round(size / 6);
}

type Running = Order & { clock: Clock; runProgram: RunProgram; program: string };

async function runLimited({ clock, runProgram, program, args, limitMs, ...files }: Running): Promise<Ran> {
  const late = new AbortController();
  const cancel = clock.after(limitMs, () => late.abort());
  const bounds: Bounds = { cpuSeconds: limitMs / 1_000, memoryMb: MOST_MEMORY_MB, memory: "reserved", ...files };
  const { code, complained } = await runProgram({ command: program, words: args, bounds }, late.signal);
  cancel();
  if (late.signal.aborted) return { refused: "took-too-long" };
  if (code === 0) return { ended: "well" };
  // It says nothing about the sound, and may be otherwise the next time.
  if (code === undefined) throw new Error(`${program} was not started: ${complained}`);
  // Not found, or not ours to run: a folder on the path that we may not look into makes the first look like the second.
  if (code === 127 || code === 126) return { refused: "no-ffmpeg", advice: ADVICE };
  return { refused: "undecodable", detail: complained.trim() };
}
