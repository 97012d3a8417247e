import { expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { secrets } from "../../test/ground/secrets.ts";
import { agentsOf } from "../reports/agent-figures.ts";
import { changeAgent } from "./agents.ts";
import { createExchange } from "./exchanges.ts";
import { createExtension } from "./extensions.ts";
import { sql } from "./sql.ts";

const { db } = await freshDatabase();
const timeZone = "Europe/Istanbul";
const DAY_MS = 86_400_000;

async function made(name: string) {
  const exchange = await createExchange(db, secrets, { name, sipDomain: `${name}.example` });
  if ("refused" in exchange) throw new Error("no exchange");
  return exchange.id;
}

const at = (hour: number, day = 4) => new Date(Date.UTC(2026, 4, day, hour));

async function moved(exchangeId: number, extension: string, moves: [when: Date, to: string, why?: string][]) {
  for (const [when, to, why] of moves)
    await db.query(
      sql`insert into audit_lines (exchange_id, at, doer, who, did, details)
       values ($1, $2, 'extension', $3, 'agent-moved', $4)`,
      [exchangeId, when, extension, { extension, to, ...(why ? { break: why } : {}) }],
    );
}

test("an agent's day is added up from his moves, breaks by their names, whatever order they were written in", async () => {
  const exchangeId = await made("day");
  await createExtension(db, { exchangeId, number: "1000", name: "Ayşe", password: "a-long-enough-password" });
  await moved(exchangeId, "1000", [
    [at(7), "AVAILABLE"],
    [at(10), "ON_BREAK", "Çay"],
    [at(12), "LOGGED_OUT"],
    [at(11), "AVAILABLE"],
  ]);
  await moved(exchangeId, "1001", [[at(9), "ON_BREAK", "Yemek"]]);
  const ofDay = (from: Date, before: Date, nowMs = at(0, 9).getTime()) =>
    agentsOf(db, { exchangeId, from, before, timeZone }, nowMs);
  const [first, second] = await ofDay(at(8), at(20));
  const breaks = [{ description: "Çay", seconds: 3_600 }];
  expect(first).toMatchObject({
    extension: "1000",
    name: "Ayşe",
    availableSeconds: 3 * 3_600,
    breakSeconds: 3_600,
    breaks,
  });
  expect(second).toMatchObject({ extension: "1001", availableSeconds: 0, breakSeconds: 11 * 3_600 });
  expect((await ofDay(at(8), at(20), at(9).getTime()))[0]).toMatchObject({ availableSeconds: 3_600, breaks: [] });
  expect(await ofDay(at(5), at(6))).toEqual([]);
  expect(await ofDay(at(0, 6), at(0, 7))).toMatchObject([
    { availableSeconds: 0, breakSeconds: 0 },
    { breakSeconds: 86_400 },
  ]);
  const within = { extensions: ["1001"], queues: [], calledAt: [] };
  const seen = await agentsOf(db, { exchangeId, from: at(8), before: at(20), timeZone, within }, at(20).getTime());
  expect(seen.map(({ extension }) => extension)).toEqual(["1001"]);
});

test("no agent's times are cut, however often all of them come and go", async () => {
  const exchangeId = await made("many");
  await db.query(
    sql`insert into audit_lines (exchange_id, at, doer, who, did, details)
     select $1, $2::timestamptz + day * interval '1 day' + move * interval '1 hour', 'extension', agent::text, 'agent-moved',
       jsonb_build_object('extension', agent::text, 'to', (array['AVAILABLE', 'ON_BREAK', 'AVAILABLE', 'LOGGED_OUT'])[1 + move])
     from generate_series(0, 23) as day, generate_series(0, 3) as move, generate_series(1000, 1209) as agent order by 2`,
    [exchangeId, at(0)],
  );
  const before = new Date(at(0).getTime() + 24 * DAY_MS);
  const agents = await agentsOf(db, { exchangeId, from: at(0), before, timeZone }, before.getTime());
  const times = agents.map(({ availableSeconds, breakSeconds }) => [availableSeconds, breakSeconds]);
  expect(times).toEqual(Array.from({ length: 210 }, () => [24 * 2 * 3_600, 24 * 3_600]));
});

test("what is added up while agents come and go is what the audit trail says", async () => {
  const exchangeId = await made("trail");
  await createExtension(db, {
    exchangeId,
    number: "1000",
    name: "",
    password: "a-long-enough-password",
    isAgent: true,
  });
  const own = db.forExchange(exchangeId);
  for (const [status, description] of [
    ["AVAILABLE", null],
    ["ON_BREAK", "Çay"],
    ["AVAILABLE", null],
    ["ON_BREAK", "Çay"],
    ["LOGGED_OUT", null],
  ] as const)
    await changeAgent(own, {
      ...{ exchangeId, extension: "1000", by: { doer: "extension", who: "1000" } },
      change: () => ({ status, description }),
    });
  const kept = () => own.query(sql`select * from agent_times where exchange_id = $1 order by line`, [exchangeId]);
  const before = await kept();
  expect(before).toHaveLength(5);
  await db.query(sql`select count_agent_times($1, null)`, [exchangeId]);
  expect(await kept()).toEqual(before);
});
