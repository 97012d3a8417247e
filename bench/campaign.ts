// A campaign of 100,000 numbers in one request: how long, and how much memory the server takes for it, beside the bare
// database writing the same rows. Limits: 5 seconds and 200 MB.
//
//   node bench/run.mjs bench/campaign.ts [numbers]

import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { realClock } from "../src/clock.ts";
import { openSounds } from "../src/exchange/sounds.ts";
import { openHttpServer } from "../src/http/server.ts";
import { silentLog } from "../src/log.ts";
import { openConverter } from "../src/media/convert.ts";
import { openObjects } from "../src/objects/objects.ts";
import { runnerIn } from "../src/programs/program.ts";
import { createApiKey } from "../src/store/api-keys.ts";
import { type Database, openDatabase } from "../src/store/db.ts";
import { startEmbeddedServer } from "../src/store/embedded.ts";
import { createExchange } from "../src/store/exchanges.ts";
import { createExternalNumber } from "../src/store/external-numbers.ts";
import { migrate } from "../src/store/migrate.ts";
import { sql } from "../src/store/sql.ts";
import { secrets } from "../test/ground/secrets.ts";
import { figure } from "./figure.ts";

const NUMBERS = Number(process.argv[2] ?? 100_000);
const folder = await mkdtemp(join(tmpdir(), "santral-bench-"));
const server = await startEmbeddedServer(join(folder, "pg"), realClock);
const db = openDatabase(server.connection, realClock);
try {
  await migrate(db, "src/store/migrations");
  const baseline = await bareInsert(db);
  console.log(`bare insert of ${NUMBERS} rows   ${baseline.toFixed(0)} ms   ratio 1.00`);
  const { ms, bytes, extraMb } = await create(db);
  console.log(
    `creation by HTTP (${(bytes / 1e6).toFixed(1)} MB of JSON)   ${ms.toFixed(0)} ms   ratio ${(ms / baseline).toFixed(2)}`,
  );
  console.log(`extra memory at the peak   ${extraMb.toFixed(0)} MB`);
  const common = { better: "less" as const, with: `${NUMBERS} numbers in one request` };
  const beside = { yardstick: "the same rows written by the bare database", ratio: ms / baseline };
  figure({ name: "campaign-created", value: ms, unit: "ms", goal: 5_000, ...beside, ...common });
  figure({ name: "campaign-created-memory", value: extraMb, unit: "MB", goal: 200, ...common });
  const [row] = await db.query<{ n: number; counted: number }>(
    sql`select (select count(*) from campaign_numbers) as n, (select sum(numbers) from campaign_counts) as counted`,
  );
  if (row?.n !== NUMBERS) throw new Error(`only ${row?.n} numbers were written`);
} finally {
  await db.close();
  await server.stop();
  await rm(folder, { recursive: true });
}

async function bareInsert(db: Database): Promise<number> {
  await db.query(sql`create table bare (id bigint generated always as identity primary key, number text, phrase text)`);
  const numbers = Array.from({ length: NUMBERS }, (_, n) => numberOf(n));
  const phrases = numbers.map((_, n) => phraseOf(n));
  const begin = performance.now();
  await db.query(sql`insert into bare (number, phrase) select * from unnest($1::text[], $2::text[])`, [
    numbers,
    phrases,
  ]);
  return performance.now() - begin;
}

async function create(db: Database): Promise<{ ms: number; bytes: number; extraMb: number }> {
  const made = await createExchange(db, secrets, { name: "bench", sipDomain: "bench.example" });
  if ("refused" in made) throw new Error(JSON.stringify(made));
  await createExternalNumber(db, { exchangeId: made.id, number: "908505320000", target: "hangup/busy" });
  const { key } = await createApiKey(db, made.id);
  const objects = await openObjects(join(folder, "objects"));
  const http = await openHttpServer({
    db,
    clock: realClock,
    log: silentLog,
    objects,
    config: { http: { host: "127.0.0.1", port: 0 }, publicUrl: undefined, trustedProxies: [] },
    sounds: openSounds({ objects, converter: openConverter({ runProgram: runnerIn("limited"), clock: realClock }) }),
  });
  const file = join(folder, "body.json");
  const bytes = await writeBody(file);
  // A first small one, so that what is measured is not the opening of connections.
  await post(`http://${http.address}/ivr_campaigns.json?key=${key}`, '{"call_type":"ivr","name":"x"}');
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 5);
  const begin = performance.now();
  const said = await post(`http://${http.address}/ivr_campaigns.json?key=${key}`, `@${file}`);
  const ms = performance.now() - begin;
  clearInterval(watch);
  await http.close();
  if (!/^\d+$/.test(said)) throw new Error(said);
  return { ms, bytes, extraMb: (peak - before) / 1e6 };
}

/** As a customer's program would: another process, with a body of its own. */
function post(url: string, body: string): Promise<string> {
  return new Promise((resolve) => {
    const words = ["-s", "-X", "POST", "-H", "Content-Type: application/json", "--data-binary", body, url];
    const curl = spawn("curl", words, { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    curl.stdout.on("data", (part: Buffer) => (said += part.toString()));
    curl.once("close", () => resolve(said));
  });
}

async function writeBody(file: string): Promise<number> {
  const out = createWriteStream(file);
  out.write('{"call_type":"ivr","name":"Yüz bin kişi","digit_target_1":"hangup/hangup","phone_list":[');
  for (let n = 0; n < NUMBERS; n++)
    out.write(`${n === 0 ? "" : ","}${JSON.stringify({ phone: numberOf(n), phrase: phraseOf(n), lang: "tr-TR" })}`);
  await new Promise((resolve) => out.end("]}", () => resolve(undefined)));
  return out.bytesWritten;
}

function numberOf(n: number): string {
  return `905${String(300_000_000 + n)}`;
}

function phraseOf(n: number): string {
  return `Sayın abonemiz borcunuz ${n % 1_000}.56 son ödeme günü 15/11/2026`;
}
