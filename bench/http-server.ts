// The two servers of the HTTP bench, each in a process of its own: ours, and a bare one that says the same.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { realClock } from "../src/clock.ts";
import { openSounds } from "../src/exchange/sounds.ts";
import { type Rates, rates } from "../src/http/door/rate-limit.ts";
import { openHttpServer } from "../src/http/server.ts";
import { silentLog } from "../src/log.ts";
import { openConverter } from "../src/media/convert.ts";
import { openObjects } from "../src/objects/objects.ts";
import { runnerIn } from "../src/programs/program.ts";
import { type DatabaseUrls, openDatabase } from "../src/store/db.ts";

/** Two requests a minute would make a short bench. */
const noLimits = Object.fromEntries(
  Object.keys(rates).map((pool) => [pool, { requests: 1_000_000, perMs: 1, burst: 1_000_000 }]),
) as Rates;

export async function serve(kind: string, argument: string): Promise<void> {
  const address = kind === "ours" ? await serveExchange(argument) : await serveBare(argument);
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMs: (user + system) / 1_000 });
  });
  // With the bench, and by itself, so that a profile is written.
  process.once("disconnect", () => process.exit());
  process.send?.({ address });
}

async function serveExchange(urls: string): Promise<string> {
  const { server: connection, tenants } = JSON.parse(urls) as DatabaseUrls;
  const db = openDatabase({ server: connection, tenants }, realClock);
  // Beside the database, so that it goes with the bench's folder.
  const objects = await openObjects(
    join(/host=([^&]+)/.exec(decodeURIComponent(connection))?.[1] ?? "", "..", "objects"),
  );
  const { address } = await openHttpServer({
    db,
    config: { http: { host: "127.0.0.1", port: 0 }, publicUrl: undefined, trustedProxies: [] },
    clock: realClock,
    log: silentLog,
    objects,
    sounds: openSounds({ objects, converter: openConverter({ runProgram: runnerIn("limited"), clock: realClock }) }),
    rates: noLimits,
  });
  return address;
}

async function serveBare(reply: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": reply.length });
    response.end(reply);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
