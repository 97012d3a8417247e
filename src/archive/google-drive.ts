// A folder of Google Drive, by its HTTP interface of version 3. Files there are known by ids, which are asked for first.

import { type Archive, type Contents, isTrouble, type Trouble, trouble, troubleOfStatus } from "./archive.ts";
import { type GoogleKey, openTokens, parsed } from "./google-key.ts";
import { type HttpClient, type StoreAnswer, type StoreRequest, wordsOf } from "./http-client.ts";
import { again, partOf, rangeHeader, readAgain } from "./reading.ts";

export type DrivePlace = { url: string; folder: string; key: GoogleKey };

export const GOOGLE_URL = "https://www.googleapis.com";

type Asked = Pick<StoreRequest, "method" | "body" | "headers" | "signal"> & {
  /** With its query, behind the endpoint. */
  path: string;
};

const ID = /^[\w-]{1,200}$/;
const JSON_TYPE = { "Content-Type": "application/json; charset=UTF-8" };

/** `supportsAllDrives`: a service account has no room of its own, so the folder is mostly in a shared drive. */
const ALL = "supportsAllDrives=true";

export function openGoogleDrive(client: HttpClient, place: DrivePlace): Archive {
  const ask = asking(client, place);
  const archive: Archive = {
    async nameFor(path, signal) {
      const answer = await ask({ method: "GET", path: "/drive/v3/files/generateIds?count=1&space=drive", signal });
      if (isTrouble(answer)) return answer;
      const { ids } = parsed(await wordsOf(answer));
      const id = Array.isArray(ids) ? String(ids[0]) : "";
      return ID.test(id) ? `${id}/${path.split("/").at(-1)}` : trouble("refused", "no id was given");
    },

    put: (name, contents, signal) => upload({ ask, client, place }, name, { contents, signal }),

    async check(name, sums, signal) {
      const fields = "fields=size,md5Checksum,sha256Checksum,trashed";
      const answer = await ask({ method: "GET", path: `${fileAt(name)}?${fields}&${ALL}`, signal });
      if (isTrouble(answer)) return answer;
      const { size, sha256Checksum, md5Checksum, trashed } = parsed(await wordsOf(answer));
      if (trashed === true) return trouble("not-there", "in the bin");
      if (Number(size) !== sums.size) return trouble("differs", `${size} bytes instead of ${sums.size}`);
      if (sha256Checksum !== undefined)
        return sha256Checksum === sums.sha256 ? undefined : trouble("differs", "SHA-256");
      return md5Checksum === sums.md5 ? undefined : readAgain(archive, name, sums, signal);
    },

    async open(name, part, signal) {
      const path = `${fileAt(name)}?alt=media&${ALL}`;
      const answer = await ask({ method: "GET", path, headers: rangeHeader(part), signal });
      return isTrouble(answer) ? answer : partOf(answer, part);
    },

    async remove(name, signal) {
      const answer = await ask({ method: "DELETE", path: `${fileAt(name)}?${ALL}`, signal });
      if (!isTrouble(answer)) answer.body.resume();
      else if (answer.trouble === "forbidden") return throwAway(ask, name, signal);
      else return answer.trouble === "not-there" ? undefined : answer;
      return undefined;
    },
  };
  return archive;
}

type Ask = (asked: Asked) => Promise<StoreAnswer | Trouble>;

/** The name as it is kept holds the id, and behind it what people see in the folder. */
const idOf = (name: string): string => name.split("/")[0] ?? "";
const fileAt = (name: string): string => `/drive/v3/files/${encodeURIComponent(idOf(name))}`;

/** In a shared drive only managers delete; a content manager may put a file into the bin, from where it goes by itself. */
async function throwAway(ask: Ask, name: string, signal?: AbortSignal): Promise<Trouble | undefined> {
  const body = JSON.stringify({ trashed: true });
  const answer = await ask({ method: "PATCH", path: `${fileAt(name)}?${ALL}`, headers: JSON_TYPE, body, signal });
  if (isTrouble(answer)) return answer;
  answer.body.resume();
  return undefined;
}

type Uploading = { ask: Ask; client: HttpClient; place: DrivePlace };
type Upload = { contents: Contents; signal: AbortSignal | undefined };

/** A resumable upload: first where to, then the file. An id that was used already means an earlier try; it is replaced. */
async function upload({ ask, client, place }: Uploading, name: string, { contents, signal }: Upload) {
  const [id, shown] = [idOf(name), name.split("/").at(-1)];
  const headers = {
    ...JSON_TYPE,
    "X-Upload-Content-Type": contents.mediaType,
    "X-Upload-Content-Length": `${contents.size}`,
  };
  const query = `uploadType=resumable&${ALL}`;
  const facts = JSON.stringify({ id, name: shown, parents: [place.folder] });
  let begun = await ask({ method: "POST", path: `/upload/drive/v3/files?${query}`, headers, body: facts, signal });
  if (isTrouble(begun) && begun.detail.includes("HTTP 409")) {
    const path = `/upload/drive/v3/files/${encodeURIComponent(id)}?${query}`;
    begun = await ask({ method: "PATCH", path, headers, body: "{}", signal });
  }
  if (isTrouble(begun)) return begun.trouble === "not-there" ? trouble("no-place", begun.detail) : begun;
  begun.body.resume();
  const session = sessionOf(begun, place);
  if (!session) return trouble("redirected", "the upload leads elsewhere");
  const type = { "Content-Type": contents.mediaType };
  const sent = await client.ask({ method: "PUT", url: session, headers: type, body: contents, signal });
  if (isTrouble(sent)) return sent;
  const words = await wordsOf(sent);
  return sent.status === 200 || sent.status === 201 ? undefined : troubleIn(sent.status, words);
}

/** Where the file goes is said by the store, and has to be the store itself. */
function sessionOf({ headers }: StoreAnswer, { url }: DrivePlace): URL | undefined {
  const { location } = headers;
  if (location === undefined || !URL.canParse(location)) return undefined;
  const session = new URL(location);
  const isGoogle = session.protocol === "https:" && session.hostname.endsWith(".googleapis.com");
  return session.origin === new URL(url).origin || isGoogle ? session : undefined;
}

function asking(client: HttpClient, { url: base, key }: DrivePlace): Ask {
  const tokens = openTokens(client, key);
  return ({ path, headers, ...wanted }) =>
    again(client.clock, async () => {
      if (!URL.canParse(base)) return trouble("bad-address");
      const token = await tokens.current(wanted.signal);
      if (isTrouble(token)) return token;
      const url = new URL(`${base.replace(/(?<!\/)\/+$/, "")}${path}`);
      const answer = await client.ask({ ...wanted, url, headers: { ...headers, Authorization: `Bearer ${token}` } });
      if (isTrouble(answer) || (answer.status >= 200 && answer.status < 300)) return answer;
      if (answer.status === 401) tokens.forget(); // taken back before its time
      return troubleIn(answer.status, await wordsOf(answer));
    });
}

const reasons: Partial<Record<string, Trouble["trouble"]>> = {
  storageQuotaExceeded: "full",
  teamDriveFileLimitExceeded: "full",
  userRateLimitExceeded: "busy",
  rateLimitExceeded: "busy",
  authError: "login",
  accessNotConfigured: "forbidden",
};

function troubleIn(status: number, words: string): Trouble {
  const { error } = parsed(words) as { error?: { errors?: { reason?: unknown }[] } };
  const said = error?.errors?.[0]?.reason;
  const reason = typeof said === "string" && /^\w{1,60}$/.test(said) ? said : "";
  const known = reasons[reason];
  return known ? trouble(known, reason) : troubleOfStatus(status, reason);
}
