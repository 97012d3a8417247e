// Uploaded sounds: read, converted to what the exchange plays, and kept; refused before anything is kept.

import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import type { NoTurn } from "../fair-turns.ts";
import type { Converter } from "../media/convert.ts";
import type { Objects } from "../objects/objects.ts";
import { DecodedUpload, lastName, readUpload, soundExtensions } from "../uploads/upload.ts";

export type KeptSound = { objectKey: string; fileName: string; durationMs: number };

export type SoundRefusal =
  | { refused: "extension"; known: readonly string[] }
  | { refused: "not-base64" }
  | { refused: "too-large"; limitBytes: number }
  | { refused: "too-long"; limitSeconds: number }
  | { refused: "undecodable" }
  | { refused: "no-converter"; advice: string }
  /** Too many of this exchange wait already. */
  | NoTurn;

/** Text as a client sends it (data URI or bare base64), or decoded, or a file that came as one. */
export type UploadedSound = string | DecodedUpload | { name: string; bytes: Buffer };

export type Sounds = {
  keep(exchangeId: number, upload: UploadedSound): Promise<KeptSound | SoundRefusal>;
  drop(objectKey: string): Promise<void>;
};

export function openSounds({ objects, converter }: Means): Sounds {
  return {
    keep: (exchangeId, upload) => keep({ objects, converter }, exchangeId, upload),
    drop: async (objectKey) => {
      for (const key of [objectKey, masterOf(objectKey)]) await objects.delete(key);
    },
  };
}

/** The wide-band copy lies beside the one for the telephone. */
export function masterOf(objectKey: string): string {
  return objectKey.replace(/\.wav$/, ".16k.wav");
}

type Means = { objects: Objects; converter: Converter };

async function keep(
  { objects, converter }: Means,
  exchangeId: number,
  sent: UploadedSound,
): Promise<KeptSound | SoundRefusal> {
  const isRead = typeof sent === "string" || sent instanceof DecodedUpload;
  const upload = readUpload(isRead ? sent : new DecodedUpload({ fileName: lastName(sent.name), bytes: sent.bytes }));
  if ("refused" in upload) return upload.refused === "empty" ? { refused: "undecodable" } : upload;
  const [input, master, telephone] = [`.${upload.extension}`, ".16k.wav", ".wav"].map(objects.scratch) as Three;
  try {
    await writeFile(input, upload.bytes, { mode: 0o600 });
    const piece = { whose: exchangeId, bytes: upload.bytes.length };
    const converted = await converter.toTelephone({ input, master, telephone }, piece);
    if ("refused" in converted) return refusalOf(converted);
    const objectKey = `sounds/${randomUUID()}.wav`;
    await objects.put(masterOf(objectKey), { file: master });
    await objects.put(objectKey, { file: telephone });
    return { objectKey, fileName: upload.fileName, durationMs: converted.durationMs };
  } finally {
    await Promise.all([input, master, telephone].map((file) => rm(file, { force: true })));
  }
}

type Three = [string, string, string];
type ConversionRefusal = Extract<Awaited<ReturnType<Converter["toTelephone"]>>, { refused: string }>;

function refusalOf(refusal: ConversionRefusal): SoundRefusal {
  if (refusal.refused === "no-ffmpeg") return { refused: "no-converter", advice: refusal.advice };
  if (refusal.refused === "too-long" || refusal.refused === "no-turn") return refusal;
  return { refused: "undecodable" };
}

export { soundExtensions };
