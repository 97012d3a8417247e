// Every door of HTTP that is none of the console's, asked in all the ways its schemas allow and in many that they do not.

import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { realClock } from "../../src/clock.ts";
import { openDatabase } from "../../src/store/db.ts";
import { freshDatabase } from "../ground/database.ts";
import { temporaryFolder } from "../ground/santral-process.ts";
import { whenOver } from "../ground/when-over.ts";
import { type Complaint, flood, floodOf, mistakesIn } from "./flood.ts";
import type { Furnished } from "./handles.ts";
import type { Random } from "./hostile.ts";
import { neighboursIn, THEIR_MARKER } from "./neighbours.ts";
import { oddRequest } from "./odd-requests.ts";
import { expectShort, turnWatch } from "./watched-server.ts";

const COUNT = floodOf(2_500);
vi.setConfig({ testTimeout: 600_000 + COUNT * 100, hookTimeout: 240_000 });

const { urls } = await freshDatabase();
const db = openDatabase(urls.server, realClock, { connections: 4 });
whenOver(() => db.close());
const { theirs, ours, fingerprintOf } = await neighboursIn(db);
const watch = turnWatch();
const { bundled } = (await import("../../bin/bundle.mjs" as string)) as { bundled(entry: string): Promise<string> };
const given = JSON.stringify({ urls, folder: join(temporaryFolder(), "objects"), nodeSecret: "a secret of the nodes" });
const server = fork(await bundled("test/hostile/door-server.ts"), [given], {
  env: { ...process.env, ...watch.env },
  stdio: ["ignore", "pipe", "pipe", "ipc"],
});
const ended = once(server, "exit");
whenOver(async () => {
  server.kill("SIGKILL");
  await ended;
});
let log = "";
for (const stream of [server.stdout, server.stderr])
  stream?.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
const started = Promise.race([once(server, "message"), ended.then(() => Promise.reject(new Error(log)))]);
const [{ address }] = (await started) as [{ address: string }];

const WORN_OUT = 200;
const seen = new Map<number, number>();
let us: Furnished = await ours();
let asked = 0;

async function ask(random: Random): Promise<Complaint> {
  if (++asked % WORN_OUT === 0) us = await ours();
  const { method, path, headers, body, isStranger } = oddRequest(random, us, theirs);
  const sent = { method, headers, redirect: "manual" as const, ...(body === undefined ? {} : { body }) };
  const response = await fetch(`http://${address}${path}`, sent);
  const { status } = response;
  const text = await response.text();
  seen.set(status, (seen.get(status) ?? 0) + 1);
  const told = `${method} ${path.slice(0, 1_000)} ${JSON.stringify(headers)} ${body?.slice(0, 1_000)} -> ${status} ${text.slice(0, 300)}`;
  if (status >= 500 && status !== 503) return told;
  if (isStranger && status < 300) return `a stranger is let in: ${told}`;
  if (response.headers.has("x-injected")) return `a header is made of it: ${told}`;
  return text.includes(THEIR_MARKER) ? `shows something of theirs: ${told}` : undefined;
}

test(`${COUNT} odd requests to the other doors: answered as documented, and nothing of the neighbour's seen or changed`, async () => {
  const before = await fingerprintOf(theirs.exchangeId);
  await watch.turnsOf(server);
  const wrong = await flood(COUNT, ask);
  const turns = await watch.turnsOf(server);
  expect({ wrong, mistakes: mistakesIn(log) }).toEqual({ wrong: [], mistakes: [] });
  expect(await fingerprintOf(theirs.exchangeId)).toEqual(before);
  expect((await fetch(`http://${address}/openapi.json`)).status).toBe(200);
  for (const status of [200, 400, 401]) expect(seen.get(status) ?? 0).toBeGreaterThan(COUNT / 40);
  if (process.env.SANTRAL_FUZZ)
    console.log({ seen, p99: turns[Math.floor(turns.length * 0.99)], longest: turns.at(-1) });
  expectShort(turns);
});
