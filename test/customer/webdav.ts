// A WebDAV folder served by rclone, which others wrote.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../ground/eventually.ts";
import { freePorts } from "../ground/free-ports.ts";

export const DAV_LOGIN = { user: "kayit", password: "a long password" };

export type DavServer = { url: string; folder: string; close(): Promise<void> };

export async function openDavServer(): Promise<DavServer> {
  const folder = await mkdtemp(join(tmpdir(), "santral-dav-"));
  const port = await freePorts();
  const options = ["--addr", `127.0.0.1:${port}`, "--user", DAV_LOGIN.user, "--pass", DAV_LOGIN.password];
  const rclone = spawn("rclone", ["serve", "webdav", folder, ...options, "--config", "/dev/null"], { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  await eventually("rclone serves WebDAV", () => fetch(url).then(Boolean, () => false));
  return {
    url,
    folder,
    async close() {
      rclone.kill("SIGTERM");
      if (rclone.exitCode === null) await once(rclone, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
