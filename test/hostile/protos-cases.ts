// The cases of PROTOS c07-sip, as its files have them, made into datagrams. Nothing of them is kept here: they are where
// SANTRAL_PROTOS says, as the package they come in or as a folder of what is in it.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { whenOver } from "../ground/when-over.ts";

/** A call that is spoilt, and how it is taken back: for CANCEL and for ACK. */
export type ProtosCase = { name: string; invite: string; teardown: string };

const LARGEST_DATAGRAM = 65_507;

export function protosCases(path: string): ProtosCase[] {
  const folder = statSync(path).isDirectory() ? path : unpacked(path);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((it) => /(^|\/)\d{7}$/.test(it));
  return files.sort().map((file) => {
    const [invite = "", teardown = ""] = messagesIn(readFileSync(join(folder, file), "latin1"));
    return { name: file.slice(-7), invite, teardown };
  });
}

function unpacked(path: string): string {
  const folder = mkdtempSync(join(tmpdir(), "protos-"));
  whenOver(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync("unzip", ["-q", path, "testcases/*", "-d", folder]);
  return folder;
}

/** Each stands behind its length in octets and a blank. */
function messagesIn(text: string): string[] {
  const messages: string[] = [];
  for (let at = 0; at < text.length; ) {
    const said = /(\d+) /y;
    said.lastIndex = at;
    const found = said.exec(text);
    if (!found) break;
    const from = at + found[0].length;
    at = from + Number(found[1]);
    messages.push(text.slice(from, at));
    while (/[\r\n]/.test(text[at] ?? "")) at++;
  }
  return messages;
}

export type Caller = { number: string; server: string; address: string; port: number };

/** Its blanks filled in; `serial` makes it a call of its own. */
export function written(text: string, { number, server, address, port }: Caller, serial: number, method = ""): Buffer {
  const words: Record<string, string> = {
    To: `${number}@${server}`,
    From: `user@${address}`,
    "From-Name": "user",
    "From-Address": address,
    "From-IP": address,
    "Local-Port": `${port}`,
    "Call-ID": `${serial}`,
    CSeq: "1",
    "Branch-ID": `${serial}`.padStart(6, "0"),
    "Teardown-Method": method,
  };
  const filled = text.replace(/<([A-Z][\w-]*)>/g, (whole, name: string) => words[name] ?? whole);
  const body = filled.indexOf("\r\n\r\n");
  const length = body < 0 ? 0 : filled.length - body - 4;
  return Buffer.from(filled.replaceAll("<Content-Length>", `${length}`), "latin1").subarray(0, LARGEST_DATAGRAM);
}
