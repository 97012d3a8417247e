// What the processes of a server know of its settings: nothing, since they speak with strangers or are other people's.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { childrenOf } from "../ground/children.ts";
import { eventually } from "../ground/eventually.ts";
import { startProcess, temporaryFolder } from "../ground/santral-process.ts";

const secrets = {
  SANTRAL_NODE_SECRET: "a-secret-of-nodes-that-nobody-guesses-0123456789",
  SANTRAL_SMTP_URL: "smtp://letters:pass-word@127.0.0.1:9",
};

function below(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...below(child)]);
}

const read = (pid: number, what: "environ" | "cmdline") => {
  try {
    return readFileSync(`/proc/${pid}/${what}`, "utf8").replaceAll("\0", "\n");
  } catch {
    return ""; // it has ended
  }
};

test("no process that a server starts can read its passwords in its own environment", async () => {
  const town = await startProcess(temporaryFolder(), { env: secrets });
  const all = () => below(town.child.pid ?? 0);
  const isServer = (pid: number) => /santral\.js\nstart/.test(read(pid, "cmdline"));
  const started = (words: RegExp) => all().some((pid) => words.test(read(pid, "cmdline")));
  await eventually("database and browsers have their processes", async () =>
    [/postgres/, /webrtc-gateway|document-drawer|fax-machines|postgres/].every(started),
  );
  const others = all().filter((pid) => !isServer(pid));
  expect(others.length).toBeGreaterThan(0);
  for (const pid of others) {
    const environment = read(pid, "environ");
    expect(environment, read(pid, "cmdline")).not.toMatch(/SANTRAL|DATABASE_URL|pass-word|nobody-guesses/);
  }
});
