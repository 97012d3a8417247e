// Radicale for tests: an address book server that somebody else wrote, with users, books and cards put there by plain HTTP.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../ground/eventually.ts";
import { freePorts } from "../ground/free-ports.ts";
import { whenOver } from "../ground/when-over.ts";

export type Radicale = {
  url: string;
  username: string;
  password: string;
  /** The address of a new book. */
  book(name: string): Promise<string>;
  put(book: string, file: string, card: string): Promise<void>;
  remove(book: string, file: string): Promise<void>;
};

export async function startRadicale(): Promise<Radicale> {
  const [username, password] = ["santral", "a wörd: with marks"];
  const folder = mkdtempSync(join(tmpdir(), "radicale-"));
  const port = await freePorts(1);
  writeFileSync(join(folder, "users"), `${username}:${password}\n`);
  writeFileSync(
    join(folder, "config"),
    [
      ...["[server]", `hosts = 127.0.0.1:${port}`],
      ...["[auth]", "type = htpasswd", `htpasswd_filename = ${join(folder, "users")}`, "htpasswd_encryption = plain"],
      ...["delay = 0", "[storage]", `filesystem_folder = ${join(folder, "store")}`, ""],
    ].join("\n"),
  );
  const child = spawn("radicale", ["--config", join(folder, "config")], { stdio: ["ignore", "ignore", "pipe"] });
  const gone = new Promise((ended) => child.once("exit", ended));
  let log = "";
  child.stderr.on("data", (text: Buffer) => {
    log = (log + text.toString()).slice(-64_000);
  });
  whenOver(async () => {
    child.kill("SIGTERM");
    await gone;
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  const login = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  await eventually("Radicale listens", async () => {
    if (child.exitCode !== null) throw new Error(`Radicale did not start: ${log}`);
    return fetch(url, { redirect: "manual" }).then(
      () => true,
      () => false,
    );
  });

  async function ask(method: string, address: string, body?: string, type = "text/xml"): Promise<void> {
    const headers = { authorization: login, "content-type": type };
    const response = await fetch(address, { method, headers, ...(body === undefined ? {} : { body }) });
    if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${await response.text()} ${log}`);
  }

  return {
    url,
    username,
    password,
    async book(name) {
      const address = `${url}/${username}/${name}/`;
      await ask(
        "MKCOL",
        address,
        `<d:mkcol xmlns:d="DAV:" xmlns:card="urn:ietf:params:xml:ns:carddav"><d:set><d:prop>
          <d:resourcetype><d:collection/><card:addressbook/></d:resourcetype>
          <d:displayname>${name}</d:displayname></d:prop></d:set></d:mkcol>`,
      );
      return address;
    },
    put: (book, file, card) => ask("PUT", `${book}${file}`, card, "text/vcard"),
    remove: (book, file) => ask("DELETE", `${book}${file}`),
  };
}

/** As address book programs write them. */
export function card(uid: string, lines: readonly string[]): string {
  return ["BEGIN:VCARD", "VERSION:3.0", `UID:${uid}`, ...lines, "END:VCARD", ""].join("\r\n");
}
