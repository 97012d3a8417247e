// The stores outside of every exchange, opened by what is set of them; reading out of one goes on where it broke off.

import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { type Archive, isTrouble, type Part, type Trouble, trouble } from "../../archive/archive.ts";
import { GOOGLE_URL, openGoogleDrive } from "../../archive/google-drive.ts";
import { readGoogleKey } from "../../archive/google-key.ts";
import type { HttpClient } from "../../archive/http-client.ts";
import { openS3 } from "../../archive/s3.ts";
import { openWebDav } from "../../archive/webdav.ts";
import type { ByteRange } from "../../objects/objects.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import { type ArchiveSettings, findArchive, openArchiveSecret } from "../../store/archives.ts";
import type { Db } from "../../store/db.ts";
import type { KeptOutside } from "../../store/kept-sounds.ts";

export type Archives = {
  /** By the exchange and the id that stand in the recording's row. */
  open(db: Db, exchangeId: number, archiveId: number): Promise<Archive | Trouble>;
  read(db: Db, exchangeId: number, wanted: KeptOutside & { range: ByteRange }): Promise<Readable | Trouble>;
  /** One that is not kept yet. */
  from(settings: ArchiveSettings, secret: string): Archive | Trouble;
  close(): void;
};

/** Opened ones keep their tokens and what they know of folders. */
const MOST_OPEN = 500;
const TRIES_OF_A_READING = 3;

export function openArchives({ client, secrets }: { client: HttpClient; secrets: Pick<Secrets, "open"> }): Archives {
  const opened = new Map<number, { as: string; archive: Archive }>();

  async function open(db: Db, exchangeId: number, archiveId: number): Promise<Archive | Trouble> {
    const row = await findArchive(db, exchangeId, archiveId);
    if (!row) return trouble("not-there", "no such archive");
    const secret = openArchiveSecret(secrets, row);
    if (typeof secret !== "string") return trouble("secret");
    const { trouble: _trouble, troubleSince: _since, ...facts } = row;
    const as = createHash("sha256")
      .update(JSON.stringify([facts, secret]))
      .digest("base64");
    const known = opened.get(archiveId);
    if (known?.as === as) return known.archive;
    const archive = openStore(client, row, secret);
    if (isTrouble(archive)) return archive;
    if (opened.size >= MOST_OPEN) opened.clear();
    opened.set(archiveId, { as, archive });
    return archive;
  }

  return {
    open,
    from: (settings, secret) => openStore(client, settings, secret),
    async read(db, exchangeId, { archiveId, name, size, range }) {
      const archive = await open(db, exchangeId, archiveId);
      if (isTrouble(archive)) return archive;
      const part = { ...range, size };
      const first = await archive.open(name, part);
      if (isTrouble(first)) return first;
      return Readable.from(throughout(first, { archive, name, part }), { objectMode: false });
    },
    close: () => client.close(),
  };
}

function openStore(client: HttpClient, settings: ArchiveSettings, secret: string): Archive | Trouble {
  const { kind, region, bucket, prefix, addressing, folder, user } = settings;
  const url = settings.url ?? "";
  if (kind === "s3") {
    const endpoint = url === "" ? `https://s3.${region}.amazonaws.com` : url;
    return openS3(client, { endpoint, region, bucket, prefix, addressing, accessKey: user, secretKey: secret });
  }
  if (kind === "webdav") return openWebDav(client, { url, prefix, user, password: secret });
  const key = readGoogleKey(secret);
  return key ? openGoogleDrive(client, { url: url === "" ? GOOGLE_URL : url, folder, key }) : trouble("secret");
}

/** A connection that breaks in the middle is taken up at the byte where it broke; who listens does not notice. */
async function* throughout(
  first: Readable,
  { archive, name, part }: { archive: Archive; name: string; part: Part },
): AsyncGenerator<Buffer> {
  let [stream, at] = [first, part.from];
  for (let left = TRIES_OF_A_READING - 1; ; left--) {
    const current = stream;
    try {
      for await (const piece of current as AsyncIterable<Buffer>) {
        at += piece.length;
        yield piece;
      }
      return;
    } catch (error) {
      if (left === 0 || at > part.to) throw error;
      const rest = await archive.open(name, { ...part, from: at });
      if (isTrouble(rest)) throw new Error(`the rest of ${name} cannot be had: ${rest.trouble} ${rest.detail}`);
      stream = rest;
    } finally {
      current.destroy();
    }
  }
}
