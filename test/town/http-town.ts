// An HTTP server over a fresh database with two exchanges in it, and the words to talk to it over a real socket.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type Clock, realClock } from "../../src/clock.ts";
import { openSounds } from "../../src/exchange/sounds.ts";
import { type Rates, rates } from "../../src/http/door/rate-limit.ts";
import { type HttpServer, type HttpServerOptions, openHttpServer } from "../../src/http/server.ts";
import { silentLog } from "../../src/log.ts";
import { openConverter } from "../../src/media/convert.ts";
import { openObjects } from "../../src/objects/objects.ts";
import { runnerIn } from "../../src/programs/program.ts";
import { createApiKey } from "../../src/store/api-keys.ts";
import type { Db } from "../../src/store/db.ts";
import { createExchange } from "../../src/store/exchanges.ts";
import { createExtension } from "../../src/store/extensions.ts";
import { createExternalNumber } from "../../src/store/external-numbers.ts";
import { createQueue } from "../../src/store/queues.ts";
import { createRingGroup } from "../../src/store/ring-groups.ts";
import { freshDatabase } from "../ground/database.ts";
import { secrets } from "../ground/secrets.ts";

/** Limits nobody reaches, for tests that are about something else. */
const noLimits = Object.fromEntries(
  Object.keys(rates).map((pool) => [pool, { requests: 1_000_000, perMs: 1_000, burst: 1_000_000 }]),
) as Rates; // built from the table's own keys

export type Reply = { status: number; type: string; text: string; headers: Headers };

export type Ask = (
  line: string,
  options?: { body?: string | Buffer; headers?: Record<string, string>; key?: string | null },
) => Promise<Reply>;

export async function httpTown(options: Partial<HttpServerOptions> & { clock?: Clock } = {}) {
  const { db, owner, urls } = await freshDatabase();
  const folder = await mkdtemp(join(tmpdir(), "santral-http-"));
  const objects = await openObjects(folder);
  const server = await openHttpServer({
    db,
    config: { http: { host: "127.0.0.1", port: 0 }, publicUrl: undefined, trustedProxies: [] },
    clock: realClock,
    log: silentLog,
    objects,
    sounds: openSounds({ objects, converter: openConverter({ runProgram: runnerIn("limited"), clock: realClock }) }),
    rates: noLimits,
    ...options,
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  const ours = await makeExchange(db, "ours", "9085053200");
  const theirs = await makeExchange(db, "theirs", "9021232050");
  return { db, owner, urls, objects, server, ours, theirs, ask: askingAt(server, ours.key) };
}

export type Town = Awaited<ReturnType<typeof httpTown>>;

async function makeExchange(db: Db, name: string, numbers: string) {
  const exchange = sure(await createExchange(db, secrets, { name, sipDomain: `${name}.example.com` }));
  const { key } = await createApiKey(db, exchange.id);
  for (const number of ["1000", "1001", "1002"]) {
    const extension = { exchangeId: exchange.id, number, password: "a long password", name: `DAHİLİ-${number}` };
    sure(await createExtension(db, extension));
  }
  for (const end of ["00", "01"])
    sure(await createExternalNumber(db, { exchangeId: exchange.id, number: numbers + end, target: "user/1000" }));
  const members = ["1001", "1000"];
  sure(await createQueue(db, { exchangeId: exchange.id, number: "200", name: "Kuyruk 1", members }));
  sure(await createQueue(db, { exchangeId: exchange.id, number: "201", name: "Kuyruk 2", members: [] }));
  sure(
    await createRingGroup(db, {
      exchangeId: exchange.id,
      number: "700",
      name: "Satış",
      members: [{ extension: "1002" }],
    }),
  );
  return { id: exchange.id, key, callerIds: [`${numbers}00`, `${numbers}01`] };
}

function sure<Made extends object>(made: Made): Exclude<Made, { refused: string }> {
  if ("refused" in made) throw new Error(JSON.stringify(made));
  return made as Exclude<Made, { refused: string }>;
}

/** `ask("POST /contacts", { body: "name=…" })`; the key goes into the query unless told otherwise. */
export function askingAt(server: HttpServer, ourKey: string): Ask {
  return async (line, { body, headers = {}, key = ourKey } = {}) => {
    const [method = "", path = ""] = line.split(/ (.*)/s);
    const url = key === null ? path : `${path}${path.includes("?") ? "&" : "?"}key=${key}`;
    const response = await fetch(`http://${server.address}${url}`, {
      method,
      headers,
      redirect: "manual",
      ...(body === undefined ? {} : { body: typeof body === "string" ? Buffer.from(body) : new Uint8Array(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      type: response.headers.get("content-type") ?? "",
      text,
      headers: response.headers,
    };
  };
}
