// An uploaded sound as clients send it, a data URI or bare base64, turned into bytes and the extension of its format.

export const soundExtensions = [
  "wav",
  "mp3",
  "wma",
  "m4a",
  "aac",
  "ac3",
  "amr",
  "flac",
  "gsm",
  "mpeg",
  "mp1",
  "mp2",
  "ra",
  "spx",
  "ogg",
  "3gp",
] as const;

export type SoundExtension = (typeof soundExtensions)[number];

export type Upload = { bytes: Buffer; extension: SoundExtension; fileName: string };

export type UploadRefusal =
  | { refused: "not-base64" }
  | { refused: "empty" }
  | { refused: "too-large"; limitBytes: number }
  | { refused: "extension"; known: readonly string[] };

const MEBIBYTE = 1024 ** 2;
const LONGEST_FILE_NAME = 255;
/** What stands before the data of a data URI. */
const LONGEST_HEAD = 4_096;

/** What a text is once it is decoded, wherever that was done: a long one takes a while. */
export class DecodedUpload {
  readonly mediaType: string;
  readonly fileName: string;
  /** Undefined when it was no base64. */
  readonly bytes: Buffer | undefined;

  constructor({ mediaType = "", fileName = "", bytes }: { mediaType?: string; fileName?: string; bytes?: Uint8Array }) {
    this.mediaType = mediaType;
    this.fileName = fileName;
    this.bytes = bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

export function decodeUpload(text: string): DecodedUpload {
  const { isBase64, encoded, ...said } = splitDataUri(text);
  const bytes = isBase64 ? decodeBase64(encoded) : undefined;
  return new DecodedUpload({ ...said, ...(bytes && { bytes }) });
}

/** What crosses from one thread to another. */
export type PlainUpload = { mediaType: string; fileName: string; bytes: Uint8Array<ArrayBuffer> | undefined };

export function plainUpload(text: string): PlainUpload {
  const { mediaType, fileName, bytes } = decodeUpload(text);
  return { mediaType, fileName, bytes: bytes && new Uint8Array(bytes) };
}

export function uploadOf({ bytes, ...said }: PlainUpload): DecodedUpload {
  return new DecodedUpload({ ...said, ...(bytes && { bytes }) });
}

export function readUpload(sent: string | DecodedUpload, { limitBytes = 20 * MEBIBYTE } = {}): Upload | UploadRefusal {
  // Line breaks may double the length of nothing: only an honest upper bound is compared before decoding.
  if (typeof sent === "string" && sent.length > limitBytes * 2 + LONGEST_HEAD)
    return { refused: "too-large", limitBytes };
  const uri = typeof sent === "string" ? decodeUpload(sent) : sent;
  const { bytes } = uri;
  if (!bytes) return { refused: "not-base64" };
  if (bytes.length === 0) return { refused: "empty" };
  if (bytes.length > limitBytes) return { refused: "too-large", limitBytes };
  const extension = extensionOf(uri, bytes);
  return extension ? { bytes, extension, fileName: uri.fileName } : { refused: "extension", known: soundExtensions };
}

/** Either alphabet, with or without padding, broken into lines, and with spaces where a form turned pluses into them. */
function decodeBase64(text: string): Buffer | undefined {
  const oneLine = text.replace(/[\r\n\t]+/g, "").trimEnd();
  // A blank in front may be a plus or nothing; with it counted, whole groups of four say which.
  const joined = (oneLine.length % 4 === 0 ? oneLine : oneLine.trimStart()).replaceAll(" ", "+");
  const bare = joined.replace(/={1,2}$/, "");
  // Buffer skips what it does not know; a text that is no base64 would become a sound of noise.
  if (!/^[A-Za-z0-9+/_-]*$/.test(bare) || bare.length % 4 === 1) return undefined;
  return Buffer.from(bare, "base64");
}

/** What the first bytes say, for uploads that come without a name or with a type that says nothing. */
export function sniffExtension(bytes: Uint8Array): SoundExtension | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 256));
  return signatures.find(({ fits }) => fits(head, bytes))?.extension;
}

type DataUri = { isBase64: boolean; encoded: string; mediaType?: string; fileName?: string };

/** `data:audio/mp3;name:welcome.mp3;base64,…`; the name's colon is how the interface writes it, `=` is accepted too. */
function splitDataUri(text: string): DataUri {
  if (!/^\s*data:/i.test(text)) return { isBase64: true, encoded: text };
  const comma = text.indexOf(",");
  if (comma < 0) return { isBase64: false, encoded: "" };
  const [mediaType = "", ...parameters] = text.slice(text.indexOf(":") + 1, comma).split(";");
  const name = parameters.map((it) => /^\s*(?:file)?name[:=](.*)$/is.exec(it)?.[1]).find((it) => it !== undefined);
  return {
    isBase64: parameters.some((it) => it.trim().toLowerCase() === "base64"),
    encoded: text.slice(comma + 1),
    mediaType: mediaType.trim().toLowerCase(),
    ...(name === undefined ? {} : { fileName: readFileName(name) }),
  };
}

function readFileName(encoded: string): string {
  const unquoted = encoded.trim().replace(/^"(.*)"$/, "$1");
  let name = unquoted;
  try {
    name = decodeURIComponent(unquoted.replaceAll("+", " "));
  } catch {
    // A stray percent sign: the name is then taken as it stands.
  }
  return lastName(name);
}

/** Of a path that somebody's browser tells, what the file is called. */
export function lastName(path: string): string {
  const last = path.split(/[\\/]/).at(-1) ?? "";
  return last.replace(/[\u0000-\u001f\u007f]/g, "").slice(0, LONGEST_FILE_NAME);
}

/** The file's own name decides where it has an extension; an unknown one is refused, whatever the bytes are. */
function extensionOf({ fileName, mediaType }: DecodedUpload, bytes: Buffer): SoundExtension | undefined {
  const named = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase();
  if (named !== undefined) return soundExtensions.find((it) => it === named);
  return extensionOfType(mediaType) ?? sniffExtension(bytes);
}

const mediaTypes: Record<string, SoundExtension> = {
  wav: "wav",
  wave: "wav",
  "vnd.wave": "wav",
  mp3: "mp3",
  mpeg3: "mp3",
  mpeg: "mp3",
  "ms-wma": "wma",
  wma: "wma",
  m4a: "m4a",
  mp4: "m4a",
  aac: "aac",
  aacp: "aac",
  ac3: "ac3",
  amr: "amr",
  flac: "flac",
  gsm: "gsm",
  mp1: "mp1",
  mp2: "mp2",
  "pn-realaudio": "ra",
  realaudio: "ra",
  "vnd.rn-realaudio": "ra",
  speex: "spx",
  ogg: "ogg",
  vorbis: "ogg",
  opus: "ogg",
  "3gpp": "3gp",
};

function extensionOfType(mediaType: string): SoundExtension | undefined {
  if (mediaType === "video/mpeg") return "mpeg";
  const [, subtype = ""] = /^(?:audio|application|video)\/(?:x-)?(.+)$/.exec(mediaType) ?? [];
  return Object.hasOwn(mediaTypes, subtype) ? mediaTypes[subtype] : undefined;
}

type Signature = { extension: SoundExtension; fits(head: Buffer, all: Uint8Array): boolean };

const startsWith = (text: string) => (head: Buffer) => head.toString("latin1", 0, text.length) === text;
const holds = (text: string, at: number) => (head: Buffer) => head.toString("latin1", at, at + text.length) === text;
/** MPEG audio: eleven sync bits, then the version and the layer. */
const layer = (bits: number) => (head: Buffer) =>
  head[0] === 0xff && (head[1]! & 0xe0) === 0xe0 && ((head[1]! >> 1) & 3) === bits && (head[2]! & 0xf0) !== 0xf0;

const signatures: Signature[] = [
  { extension: "wav", fits: (head) => startsWith("RIFF")(head) && holds("WAVE", 8)(head) },
  { extension: "mp3", fits: startsWith("ID3") },
  { extension: "wma", fits: startsWith("\x30\x26\xb2\x75\x8e\x66\xcf\x11") },
  { extension: "3gp", fits: (head) => holds("ftyp3g", 4)(head) },
  { extension: "m4a", fits: (head) => holds("ftyp", 4)(head) },
  { extension: "amr", fits: startsWith("#!AMR") },
  { extension: "flac", fits: startsWith("fLaC") },
  { extension: "spx", fits: (head) => startsWith("OggS")(head) && holds("Speex   ", 28)(head) },
  { extension: "ogg", fits: startsWith("OggS") },
  { extension: "mpeg", fits: (head) => startsWith("\x00\x00\x01\xba")(head) || startsWith("\x00\x00\x01\xb3")(head) },
  { extension: "ra", fits: (head) => startsWith(".RMF")(head) || startsWith(".ra\xfd")(head) },
  { extension: "ac3", fits: startsWith("\x0b\x77") },
  { extension: "aac", fits: layer(0) },
  { extension: "mp3", fits: layer(1) },
  { extension: "mp2", fits: layer(2) },
  { extension: "mp1", fits: layer(3) },
  { extension: "gsm", fits: (_head, all) => isGsm(all) },
];

/** Raw GSM has no header, but each frame of 33 bytes begins with the same half byte. */
function isGsm(bytes: Uint8Array): boolean {
  if (bytes.length < 33 * 4) return false;
  for (let at = 0; at < Math.min(bytes.length, 33 * 20); at += 33) if (bytes[at]! >> 4 !== 0xd) return false;
  return true;
}
