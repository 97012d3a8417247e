// The HTTP doors as a process of their own, with no limits of rate and an exchange that does nothing: for whoever sends
// them more than a minute takes.

import { resolve } from "node:path";
import { realClock } from "../../src/clock.ts";
import { type Rates, rates } from "../../src/http/door/rate-limit.ts";
import { openHttpServer } from "../../src/http/server.ts";
import { openLog } from "../../src/log.ts";
import { openObjects } from "../../src/objects/objects.ts";
import { openReaders } from "../../src/readers/readers.ts";
import { type DatabaseUrls, openDatabase } from "../../src/store/db.ts";
import { notingExchange } from "./noting-exchange.ts";

type Given = { urls: DatabaseUrls; folder: string; nodeSecret: string };

const noLimits = Object.fromEntries(
  Object.keys(rates).map((pool) => [pool, { requests: 1_000_000, perMs: 1, burst: 1_000_000 }]),
) as Rates; // built from the table's own keys

const { urls, folder, nodeSecret } = JSON.parse(process.argv[2] ?? "") as Given;
const clock = realClock;
const log = openLog("info");
const db = openDatabase(urls, clock);
const objects = await openObjects(folder);
const { exchange, faxes, webLogins } = notingExchange();
const own = { node: "one", url: "http://127.0.0.1:1", sip: "127.0.0.1:1" };
const server = await openHttpServer({
  db,
  config: { http: { host: "127.0.0.1", port: 0 }, publicUrl: undefined, trustedProxies: [] },
  clock,
  log,
  objects,
  exchange,
  faxes,
  webLogins,
  // To start a converter, only to hear that it cannot decode that, takes all the time there is.
  sounds: { keep: async () => ({ refused: "undecodable" }), drop: async () => undefined },
  readers: openReaders({ clock, log, workerPath: resolve("dist/file-reader.js") }),
  rates: noLimits,
  front: {
    db,
    secret: nodeSecret,
    facts: () => ({}) as never, // nobody signs so that it is told
    map: {
      name: own.node,
      own: () => own,
      acts: () => true,
      where: () => ({ is: "here" }),
      exchangeOf: () => undefined,
      others: () => [],
    },
  },
});
process.once("disconnect", () => process.exit());
process.send?.({ address: server.address });
