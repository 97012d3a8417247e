import { expect, test } from "vitest";
import { freshDatabase } from "../../../../test/ground/database.ts";
import { soon } from "../../../../test/ground/eventually.ts";
import { secrets } from "../../../../test/ground/secrets.ts";
import { testClock } from "../../../../test/ground/test-clock.ts";
import { unexpected } from "../../../../test/ground/unexpected.ts";
import { memoryNetwork } from "../../../../test/sip/memory-network.ts";
import { realClock, since } from "../../../clock.ts";
import { silentLog } from "../../../log.ts";
import { openStack } from "../../../sip/stack.ts";
import { openRandom } from "../../../sip/transport/random.ts";
import type { Database } from "../../../store/db.ts";
import { sql } from "../../../store/sql.ts";
import { updateTrunk } from "../../../store/trunks.ts";
import { hash } from "../registrar/hashing.ts";
import { openTrunks } from "./trunks.ts";

const EXCHANGES = 1_000;
const OURS = "192.0.2.1";
/** Each is far above what the work takes, and far below what it takes when each trunk is held against each. */
const READ_MS = 2_000;
const CALLS_MS = 500;

/** Two trunks each: one is a server, the other names networks that nobody has approved. */
async function crowdedTown() {
  const { db } = await freshDatabase();
  await db.query(
    sql`insert into exchanges (name, sip_domain, crm_secret) select 'x' || n, 'x' || n || '.example', 's' from generate_series(1, $1::int) n`,
    [EXCHANGES],
  );
  await db.query(
    sql`insert into trunks (exchange_id, name, host, health_check, source_addresses)
     select exchanges.id, trunk.name, '10.' || exchanges.id % 200 || '.' || exchanges.id / 200 || '.1', false, networks::cidr[]
     from exchanges, (values ('server', '{}'), ('claims', '{203.0.113.0/24,198.18.0.0/15}')) trunk (name, networks)`,
  );
  const clock = testClock();
  const network = memoryNetwork(clock);
  const stack = openStack({ clock, unexpected, random: openRandom(), transports: [network.attach({ address: OURS })] });
  const resolve = async (uri: string) => {
    const address = /sip:([^:;]+)/.exec(uri)?.[1] ?? "";
    return [{ transport: "udp", address, port: 5060 } as const];
  };
  const parts = { db, secrets, clock, log: silentLog, unexpected, stack, hash, resolve, random: openRandom() };
  return { db, trunks: await openTrunks(parts), close: () => stack.close() };
}

const stranger = (n: number) => ({
  request: {
    is: "request" as const,
    method: "INVITE",
    uri: `sip:900@${OURS}`,
    body: "",
    headers: [{ name: "To", value: `<sip:900@${OURS}>` }],
  },
  source: { transport: "udp" as const, address: `203.0.113.${n % 256}`, port: 5060, listener: "udp" },
});

async function shortest(work: (turn: number) => unknown): Promise<number> {
  const took: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const began = realClock.ticks();
    await work(turn);
    took.push(since(realClock, began));
  }
  return Math.min(...took);
}

async function changed(db: Database, exchangeId: number, priority: number): Promise<void> {
  await updateTrunk(db, secrets, { exchangeId, name: "server", changes: { priority } });
}

test("among the trunks of a thousand exchanges one that changes, or a stranger who calls, costs nobody else anything", async () => {
  const { db, trunks, close } = await crowdedTown();
  const [one] = await db.query<{ id: number }>(sql`select min(id)::int as id from exchanges`);
  const exchangeId = one!.id; // there are a thousand
  expect(trunks.list()).toHaveLength(2 * EXCHANGES);
  expect(await shortest(() => trunks.reload())).toBeLessThan(READ_MS);
  const calls = await shortest(() => {
    for (let n = 0; n < 200; n++) expect(trunks.inbound(stranger(n))).toBeUndefined();
  });
  expect(calls).toBeLessThan(CALLS_MS);

  const before = trunks.lineOf(exchangeId + 1, "server")?.trunk;
  await changed(db, exchangeId, 77);
  await soon("it is read again", async () => trunks.lineOf(exchangeId, "server")?.trunk.priority === 77);
  expect(trunks.lineOf(exchangeId + 1, "server")?.trunk).toBe(before);
  await db.query(sql`delete from trunks where exchange_id = $1`, [exchangeId]);
  await soon("it is gone", async () => !trunks.hasTrunks(exchangeId));
  expect(trunks.list()).toHaveLength(2 * EXCHANGES - 2);
  await trunks.close();
  await close();
});
