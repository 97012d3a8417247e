// The HTTP door against a bare node:http server of the same run, with and without the database's walls between
// tenants, and the call list over a million records:
//   node bench/run.mjs bench/http.ts [rounds] [calls]
//
// Server and load share two cores with whatever else runs, so rounds alternate and the CPU time a request costs is
// printed beside requests a second: the former hardly minds the neighbours.

import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createApiKey } from "../src/store/api-keys.ts";
import type { Database } from "../src/store/db.ts";
import { createExchange } from "../src/store/exchanges.ts";
import { createExtension } from "../src/store/extensions.ts";
import { sql } from "../src/store/sql.ts";
import { secrets } from "../test/ground/secrets.ts";
import { serve } from "./http-server.ts";
import { openWalledDatabase } from "./walled-database.ts";

type Server = { address: string; cpuMs(): Promise<number>; child: ChildProcess };
type Measured = { perSecond: number; cpuMicros: number };

async function bench(rounds: number, calls: number): Promise<void> {
  const { folder, urls, owner: db, close } = await openWalledDatabase();
  const running: Server[] = [];
  try {
    const { key, exchangeId } = await prepare(db, "bench");
    const { key: otherKey } = await prepare(db, "other");
    const ours = await start("ours", JSON.stringify(urls));
    const open = await start("ours", JSON.stringify({ ...urls, tenants: undefined }));
    running.push(ours, open);
    const reply = await (await fetch(`http://${ours.address}/user_statuses?key=${key}`)).text();
    const bare = await start("bare", reply);
    running.push(bare);
    const script = join(folder, "contact.lua");
    await writeFile(script, contactScript);
    const turns = join(folder, "turns.lua");
    await writeFile(turns, takingTurns(key, otherKey));
    const loads: [name: string, server: Server, path: string, options: string[]][] = [
      ["bare node:http", bare, `/user_statuses?key=${key}`, []],
      ["GET /user_statuses", ours, `/user_statuses?key=${key}`, []],
      ["GET /contacts, open", open, `/contacts?key=${key}`, []],
      ["GET /contacts", ours, `/contacts?key=${key}`, []],
      ["POST /contacts, open", open, `/contacts?key=${key}`, ["-s", script]],
      ["POST /contacts", ours, `/contacts?key=${key}`, ["-s", script]],
      ["two tenants, open", open, "/contacts", ["-s", turns]],
      ["two tenants in turn", ours, "/contacts", ["-s", turns]],
    ];
    const best = new Map<string, Measured>();
    for (let round = 0; round < rounds; round++)
      // There and back, so that neither of two that are compared always finds what the other left behind.
      for (const [name, server, path, options] of round % 2 === 0 ? loads : loads.toReversed()) {
        const measured = await load(server, path, options);
        const before = best.get(name) ?? { perSecond: 0, cpuMicros: Number.POSITIVE_INFINITY };
        best.set(name, {
          perSecond: Math.max(before.perSecond, measured.perSecond),
          cpuMicros: Math.min(before.cpuMicros, measured.cpuMicros),
        });
      }
    const base = best.get("bare node:http")!; // the first of the loads
    for (const [name, { perSecond, cpuMicros }] of best)
      console.log(
        `${name.padEnd(22)} ${perSecond.toFixed(0).padStart(7)} requests/s = ${(perSecond / base.perSecond).toFixed(2)}` +
          `   ${cpuMicros.toFixed(0).padStart(4)} µs CPU a request = ${(base.cpuMicros / cpuMicros).toFixed(2)}`,
      );
    await fillCalls(db, exchangeId, calls);
    const lists = { open: `http://${open.address}/cdrs?key=${key}`, walled: `http://${ours.address}/cdrs?key=${key}` };
    await benchCalls(calls, lists);
  } finally {
    for (const { child } of running) child.kill();
    await close();
  }
}

async function prepare(db: Database, name: string): Promise<{ key: string; exchangeId: number }> {
  const exchange = await createExchange(db, secrets, { name, sipDomain: `${name}.example.com` });
  if ("refused" in exchange) throw new Error(exchange.refused);
  for (let number = 1_000; number < 1_006; number++)
    await createExtension(db, { exchangeId: exchange.id, number: String(number), password: "a long password" });
  const { key } = await createApiKey(db, exchange.id);
  return { key, exchangeId: exchange.id };
}

async function start(kind: "ours" | "bare", argument: string): Promise<Server> {
  const child = fork(process.argv[1]!, [kind, argument]);
  if (process.platform === "linux") execFileSync("taskset", ["-acp", "0", String(child.pid)], { stdio: "ignore" });
  const hear = <Message>() =>
    new Promise<Message>((resolve) => child.once("message", (said) => resolve(said as Message)));
  const { address } = await hear<{ address: string }>();
  return {
    address,
    child,
    cpuMs: async () => {
      const heard = hear<{ cpuMs: number }>();
      child.send("cpu");
      return (await heard).cpuMs;
    },
  };
}

async function load(server: Server, path: string, options: string[]): Promise<Measured> {
  const run = (seconds: string) =>
    execFileSync(
      "taskset",
      ["-c", "1", "wrk", "-t1", "-c16", `-d${seconds}`, ...options, `http://${server.address}${path}`],
      {
        encoding: "utf8",
      },
    );
  const before = await server.cpuMs();
  const said = run("2s");
  const cpuMs = (await server.cpuMs()) - before;
  if (/Non-2xx/.test(said)) throw new Error(said);
  const requests = Number(/(\d+) requests in/.exec(said)?.[1]);
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(said)?.[1]);
  return { perSecond, cpuMicros: (cpuMs * 1_000) / requests };
}

const contactScript = `
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
wrk.body = "name=Ay%C5%9Fe&surname=Y%C4%B1lmaz&phone=05531234567"
`;

const takingTurns = (one: string, other: string) => `
turn = 0
request = function()
  turn = turn + 1
  return wrk.format("GET", "/contacts?key=" .. (turn % 2 == 0 and "${one}" or "${other}"))
end
`;

async function fillCalls(db: Database, exchangeId: number, calls: number): Promise<void> {
  const year = 365 * 24 * 3_600;
  await db.query(
    sql`insert into cdrs (exchange_id, call_uuid, direction, start_stamp, answer_stamp, end_stamp, caller_id_number,
       destination_number, duration_seconds, talk_seconds, queue, missed, recording, hangup_cause)
     select $1, gen_random_uuid(), (array['inbound', 'outbound', 'internal'])[1 + n % 3], at,
       case when n % 5 = 0 then null else at + interval '5 seconds' end, at + interval '2 minutes',
       '0532' || lpad((n % 9999999)::text, 7, '0'), (1000 + n % 50)::text, 120, 115,
       case when n % 4 = 0 then '200' end, n % 5 = 0, case when n % 5 = 0 then 'none' else 'present' end, 'NORMAL_CLEARING'
     from (select n, timestamptz '2025-01-01Z' + n * interval '1 second' * ($3::float / $2) as at
           from generate_series(1, $2::int) as n) as calls`,
    [exchangeId, calls, year],
  );
  await db.query(sql`vacuum analyze cdrs`);
}

async function benchCalls(calls: number, lists: Record<string, string>): Promise<void> {
  const times = new Map(Object.keys(lists).map((name): [string, number[]] => [name, []]));
  for (let round = 0; round < 320; round++) {
    const from = new Date(Date.UTC(2025, round % 11, 1 + (round % 28)));
    const to = new Date(from.getTime() + 31 * 24 * 3_600_000);
    const direction = ["inbound", "outbound", "internal"][round % 3];
    const query = `&start_stamp_from=${from.toISOString()}&start_stamp_to=${to.toISOString()}&direction=${direction}&missed=${round % 2 === 0}&limit=100`;
    for (const [name, url] of Object.entries(lists)) {
      const begun = performance.now();
      const response = await fetch(url + query);
      const body = (await response.json()) as { pagination: { total_count: number } };
      if (round >= 20) times.get(name)!.push(performance.now() - begun); // made of the same names
      if (round === 20) console.log(`call list: ${body.pagination.total_count} of ${calls} records match in 31 days`);
    }
  }
  for (const [name, all] of times) {
    all.sort((a, b) => a - b);
    const at = (share: number) => all[Math.floor((all.length - 1) * share)]!.toFixed(1);
    console.log(`GET /cdrs over ${calls}, ${name}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`);
  }
}

const [role = "", argument = ""] = process.argv.slice(2);
if (role === "ours" || role === "bare") await serve(role, argument);
else await bench(Number(role || 8), Number(argument || 1_000_000));
