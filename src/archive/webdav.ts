// A folder that speaks WebDAV (RFC 4918), as Nextcloud and its like do. It promises no sums, so what was put is read again.

import { type Archive, isTrouble, type Trouble, trouble, troubleOfStatus } from "./archive.ts";
import { type HttpClient, type StoreAnswer, type StoreRequest, wordsOf } from "./http-client.ts";
import { again, partOf, rangeHeader, readAgain } from "./reading.ts";

export type WebDavPlace = { url: string; prefix: string; user: string; password: string };

type Asked = Pick<StoreRequest, "headers" | "body"> & { method: string; name: string };

/** Folders known to be there; forgotten now and then, for somebody may tidy up. */
const MOST_FOLDERS = 1_000;

export function openWebDav(client: HttpClient, place: WebDavPlace): Archive {
  const ask = asking(client, place);
  const made = new Set<string>();

  async function makeFolders(name: string, signal?: AbortSignal): Promise<Trouble | undefined> {
    const words = name.split("/").slice(0, -1);
    for (let depth = 1; depth <= words.length; depth++) {
      const folder = words.slice(0, depth).join("/");
      if (made.has(folder)) continue;
      const answer = await ask({ method: "MKCOL", name: `${folder}/` }, signal);
      // 405 is how a folder says that it is there already (RFC 4918 section 9.3.1).
      if (isTrouble(answer) && answer.detail !== "HTTP 405") return answer;
      if (!isTrouble(answer)) answer.body.resume();
      if (made.size >= MOST_FOLDERS) made.clear();
      made.add(folder);
    }
    return undefined;
  }

  const archive: Archive = {
    nameFor: async (path) => [place.prefix, path].filter((it) => it !== "").join("/"),

    async put(name, contents, signal) {
      const noFolder = await makeFolders(name, signal);
      if (noFolder) return noFolder;
      const headers = { "Content-Type": contents.mediaType };
      const answer = await ask({ method: "PUT", name, headers, body: contents }, signal);
      if (isTrouble(answer))
        made.clear(); // perhaps a folder went away
      else answer.body.resume();
      return isTrouble(answer) ? answer : undefined;
    },

    async check(name, sums, signal) {
      const answer = await ask({ method: "HEAD", name }, signal);
      if (isTrouble(answer)) return answer;
      answer.body.resume();
      const length = answer.headers["content-length"];
      if (length !== undefined && Number(length) !== sums.size)
        return trouble("differs", `${length} bytes instead of ${sums.size}`);
      return readAgain(archive, name, sums, signal);
    },

    async open(name, part, signal) {
      const answer = await ask({ method: "GET", name, headers: rangeHeader(part) }, signal);
      return isTrouble(answer) ? answer : partOf(answer, part);
    },

    async remove(name, signal) {
      const answer = await ask({ method: "DELETE", name }, signal);
      if (isTrouble(answer)) return answer.trouble === "not-there" ? undefined : answer;
      answer.body.resume();
      return undefined;
    },
  };
  return archive;
}

function asking(client: HttpClient, { url: base, user, password }: WebDavPlace) {
  const login = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  return ({ method, name, headers, body }: Asked, signal?: AbortSignal): Promise<StoreAnswer | Trouble> =>
    again(client.clock, async () => {
      if (!URL.canParse(base)) return trouble("bad-address");
      const url = new URL(base);
      const path = name.split("/").map(encodeURIComponent).join("/");
      url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, "")}/${path}`;
      const sent = { method, url, headers: { ...headers, Authorization: login }, signal };
      const answer = await client.ask(body === undefined ? sent : { ...sent, body });
      if (isTrouble(answer) || (answer.status >= 200 && answer.status < 300)) return answer;
      await wordsOf(answer);
      return troubleOfStatus(answer.status);
    });
}
