// What the database's walls between tenants cost a statement: the server's role against the tenant's, turn by turn.
//   node bench/run.mjs bench/walls.ts [rounds]

import { realClock } from "../src/clock.ts";
import { createContact, listContacts } from "../src/store/contacts.ts";
import { type Db, openDatabase } from "../src/store/db.ts";
import { createExchange } from "../src/store/exchanges.ts";
import { createExtension, findExtension, updateExtension } from "../src/store/extensions.ts";
import { secrets } from "../test/ground/secrets.ts";
import { figure } from "./figure.ts";
import { openWalledDatabase } from "./walled-database.ts";

const AT_ONCE = 16;
const STATEMENTS = 2_000;

type Act = (db: Db, exchangeId: number) => Promise<unknown>;

const acts: Record<string, Act> = {
  "read one row": (db, exchangeId) => findExtension(db, exchangeId, "1000"),
  "read a page": (db, exchangeId) => listContacts(db, exchangeId, { page: 1, limit: 10 }),
  "change one row": (db, exchangeId) => updateExtension(db, { exchangeId, number: "1000", changes: { dnd: true } }),
  "write one row": (db, exchangeId) => createContact(db, exchangeId, { name: "Ayşe", surname: "Ak", phone: "0532" }),
};

const { urls, close } = await openWalledDatabase({ settings: ["synchronous_commit=off"] });
const db = openDatabase(urls, realClock);

const ids: number[] = [];
for (const name of ["one", "two"]) {
  const made = await createExchange(db, secrets, { name, sipDomain: `${name}.example.com` });
  if ("refused" in made) throw new Error(made.refused);
  await createExtension(db, { exchangeId: made.id, number: "1000", password: "a long password" });
  ids.push(made.id);
}
const [one, two] = ids as [number, number];

const ways: Record<string, (turn: number) => [Db, number]> = {
  open: () => [db, one],
  walled: () => [db.forExchange(one), one],
  "open, two tenants": (turn) => [db, turn % 2 === 0 ? one : two],
  "walled, two tenants": (turn) => [db.forExchange(turn % 2 === 0 ? one : two), turn % 2 === 0 ? one : two],
};

async function measure(act: Act, way: (turn: number) => [Db, number]) {
  const before = process.cpuUsage();
  const begun = performance.now();
  let turn = 0;
  const worker = async () => {
    while (turn < STATEMENTS) await act(...way(turn++));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const { user, system } = process.cpuUsage(before);
  return { micros: ((performance.now() - begun) * 1_000) / STATEMENTS, cpu: (user + system) / STATEMENTS };
}

const rounds = Number(process.argv[2] ?? 8);
for (const [name, act] of Object.entries(acts)) {
  const best = new Map<string, { micros: number; cpu: number }>();
  for (let round = 0; round < rounds; round++)
    for (const [way, choose] of Object.entries(ways)) {
      const { micros, cpu } = await measure(act, choose);
      const before = best.get(way) ?? { micros: Number.POSITIVE_INFINITY, cpu: Number.POSITIVE_INFINITY };
      best.set(way, { micros: Math.min(before.micros, micros), cpu: Math.min(before.cpu, cpu) });
    }
  for (const [way, { micros, cpu }] of best) {
    const base = best.get(way.endsWith("tenants") ? "open, two tenants" : "open")!; // measured above
    console.log(
      `${name.padEnd(15)} ${way.padEnd(20)} ${micros.toFixed(0).padStart(5)} µs = ${(micros / base.micros).toFixed(2)}` +
        `   ${cpu.toFixed(0).padStart(4)} µs CPU of ours = ${(cpu / base.cpu).toFixed(2)}`,
    );
    if (way !== "walled") continue;
    const beside = { yardstick: "the same without walls", ratio: micros / base.micros };
    const what = { value: micros / 1_000, unit: "ms" as const, better: "less" as const, with: `${AT_ONCE} at once` };
    figure({ name: `walled-${name.replaceAll(" ", "-")}`, ...what, ...beside });
  }
}

await db.close();
await close();
