// A WebDAV folder served by rclone, which others wrote.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../ground/free-ports.ts";
import { answersAt, startProgram } from "../ground/program.ts";

export const DAV_LOGIN = { user: "kayit", password: "a long password" };

export type DavServer = { url: string; folder: string; close(): Promise<void> };

export async function openDavServer(): Promise<DavServer> {
  const folder = await mkdtemp(join(tmpdir(), "santral-dav-"));
  const port = await freePorts();
  const options = ["--addr", `127.0.0.1:${port}`, "--user", DAV_LOGIN.user, "--pass", DAV_LOGIN.password];
  const url = `http://127.0.0.1:${port}`;
  const words = ["serve", "webdav", folder, ...options, "--config", "/dev/null"];
  const rclone = await startProgram("rclone", words, () => answersAt(url));
  return {
    url,
    folder,
    async close() {
      await rclone.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
