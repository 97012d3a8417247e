// Any store that speaks Amazon's S3, as an archive.

import { type Archive, isTrouble, trouble } from "./archive.ts";
import type { HttpClient } from "./http-client.ts";
import { partOf, rangeHeader, readAgain } from "./reading.ts";
import { belowPrefix, done, type S3Place, s3Requests } from "./s3-requests.ts";

export function openS3(client: HttpClient, place: S3Place): Archive {
  const ask = s3Requests(client, place);
  const archive: Archive = {
    nameFor: async (path) => belowPrefix(place, path),

    async put(name, contents, signal) {
      const md5 = Buffer.from(contents.md5, "hex").toString("base64");
      const headers = { "Content-Type": contents.mediaType, "Content-MD5": md5 };
      return done(await ask({ method: "PUT", name, headers, contents }, signal));
    },

    async check(name, sums, signal) {
      const answer = await ask({ method: "HEAD", name }, signal);
      if (isTrouble(answer)) return answer;
      answer.body.resume();
      const { "content-length": length, etag = "" } = answer.headers;
      if (Number(length) !== sums.size) return trouble("differs", `${length} bytes instead of ${sums.size}`);
      // A sum that the store has made itself says it all; where its tag is of another kind, only reading again does.
      return etag.replaceAll('"', "") === sums.md5 ? undefined : readAgain(archive, name, sums, signal);
    },

    async open(name, part, signal) {
      const answer = await ask({ method: "GET", name, headers: rangeHeader(part) }, signal);
      return isTrouble(answer) ? answer : partOf(answer, part);
    },

    async remove(name, signal) {
      const removed = done(await ask({ method: "DELETE", name }, signal));
      return removed?.trouble === "not-there" ? undefined : removed;
    },
  };
  return archive;
}
