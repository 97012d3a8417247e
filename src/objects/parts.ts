// A large file goes to the bucket in parts: begun, each part put with its own sums, joined there, or taken back as a whole.

import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { isTrouble, type Sums, type Trouble, trouble } from "../archive/archive.ts";
import { wordsOf } from "../archive/http-client.ts";
import { done, type S3Ask } from "../archive/s3-requests.ts";
import { textIn } from "./xml.ts";

/** A file on disk that is to be put there; it may be read more than once, and in parts. */
export type Sent = Sums & { mediaType: string; open(part?: { start: number; end: number }): Readable };

/** An upload in parts that was begun: it is written down by whoever may have to end it after a crash. */
export type Began = (upload: string) => Promise<void>;

type Sending = {
  ask: S3Ask;
  name: string;
  file: Sent;
  headers: Record<string, string>;
  partBytes: number;
  began: Began;
  signal: AbortSignal | undefined;
};

/** `tag` is what the bucket calls a file that came in parts: the sum of their sums. */
export async function putInParts(sending: Sending): Promise<{ tag: string } | Trouble> {
  const { ask, name, headers, began, signal } = sending;
  const begun = await ask({ method: "POST", name, query: { uploads: "" }, headers }, signal);
  if (isTrouble(begun)) return begun;
  const upload = textIn(await wordsOf(begun), "UploadId");
  if (!upload) return trouble("refused", "no upload id");
  await began(upload);
  const put = await putEach(sending, upload);
  const failed = isTrouble(put) ? put : await join(sending, upload, put.tags);
  if (failed) {
    await abortParts({ ask, name, upload, signal: undefined }); // also when we were stopped; what is left has its note
    return failed;
  }
  return { tag: isTrouble(put) ? "" : put.tag };
}

type Parts = { tags: string[]; tag: string };

async function putEach({ ask, name, file, partBytes, signal }: Sending, upload: string): Promise<Parts | Trouble> {
  const tags: string[] = [];
  const whole = createHash("md5");
  for (let from = 0; from < file.size; from += partBytes) {
    const part = { start: from, end: Math.min(from + partBytes, file.size) - 1 };
    const { sha256, md5 } = await sumsOf(file.open(part));
    whole.update(md5);
    const query = { partNumber: String(tags.length + 1), uploadId: upload };
    const headers = { "Content-MD5": md5.toString("base64") };
    const contents = { size: part.end - part.start + 1, sha256, open: () => file.open(part) };
    const answer = await ask({ method: "PUT", name, query, headers, contents }, signal);
    if (isTrouble(answer)) return answer;
    answer.body.resume();
    const { etag } = answer.headers;
    if (!etag) return trouble("refused", "a part without a tag");
    tags.push(etag);
  }
  return { tags, tag: `${whole.digest("hex")}-${tags.length}` };
}

async function join({ ask, name, signal }: Sending, upload: string, tags: string[]): Promise<Trouble | undefined> {
  const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`);
  const text = Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
  const sha256 = createHash("sha256").update(text).digest("hex");
  const contents = { size: text.length, sha256, open: () => Readable.from([text]) };
  const headers = { "Content-Type": "application/xml" };
  const answer = await ask({ method: "POST", name, query: { uploadId: upload }, headers, contents }, signal);
  if (isTrouble(answer)) return answer;
  // It may say 200 at first and only then what went wrong.
  const said = await wordsOf(answer);
  const code = /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(said)?.[1];
  return said.includes("CompleteMultipartUploadResult") ? undefined : trouble("busy", code ?? "parts were not joined");
}

type Aborting = { ask: S3Ask; name: string; upload: string; signal: AbortSignal | undefined };

/** One that is not there is as good as ended. */
export async function abortParts({ ask, name, upload, signal }: Aborting): Promise<Trouble | undefined> {
  const ended = done(await ask({ method: "DELETE", name, query: { uploadId: upload } }, signal));
  return ended?.trouble === "not-there" ? undefined : ended;
}

async function sumsOf(stream: Readable): Promise<{ sha256: string; md5: Buffer }> {
  const [sha256, md5] = [createHash("sha256"), createHash("md5")];
  for await (const piece of stream as AsyncIterable<Buffer>) {
    sha256.update(piece);
    md5.update(piece);
  }
  return { sha256: sha256.digest("hex"), md5: md5.digest() };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
