import { randomUUID } from "node:crypto";
import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyDatabase } from "../../test/ground/empty-database.ts";
import { temporaryFolder } from "../../test/ground/santral-process.ts";
import { realClock } from "../clock.ts";
import { silentLog } from "../log.ts";
import { migrationsFolder } from "../places.ts";
import { bringUpToDate } from "../server/database-server.ts";
import { listAuditLines } from "./audit.ts";
import { type Db, openDatabase } from "./db.ts";
import { migrate } from "./migrate.ts";
import { sql } from "./sql.ts";

/** All that there were before the exchange barred premium numbers. */
function earlierMigrations(): string {
  const folder = temporaryFolder();
  for (const name of readdirSync(migrationsFolder))
    if (name < "0429") copyFileSync(join(migrationsFolder, name), join(folder, name));
  return folder;
}

type Before = { number: string; ago: string; answered?: boolean };

async function exchangeThatCalled(db: Db, domain: string, { number, ago, answered = true }: Before) {
  const [made] = await db.query<{ id: number }>(
    sql`insert into exchanges (name, sip_domain, crm_secret) values ($1, $1, 'x') returning id`,
    [domain],
  );
  const { id } = made!;
  const uuid = randomUUID();
  await db.query(
    sql`insert into cdrs (exchange_id, call_uuid, direction, start_stamp, end_stamp, caller_id_number,
       destination_number, hangup_cause)
     values ($1, $2, 'outbound', now() - $3::interval, now() - $3::interval, '1000', $4, 'NORMAL_CLEARING')`,
    [id, uuid, ago, number],
  );
  await db.query(
    sql`insert into cdr_legs (call_uuid, position, destination_number, start_stamp, answer_stamp, end_stamp, hangup_cause)
     values ($1, 1, $2, now(), case when $3 then now() end, now(), 'NORMAL_CLEARING')`,
    [uuid, number, answered],
  );
  return id;
}

test("an upgrade leaves premium calls to those who have had some in 90 days, and says so; all others are barred", async () => {
  const url = await emptyDatabase();
  const db = openDatabase(url, realClock, { connections: 2 });
  await migrate(db, earlierMigrations());
  const kept = [
    await exchangeThatCalled(db, "home.example", { number: "09001234567", ago: "3 days" }),
    await exchangeThatCalled(db, "satellite.example", { number: "00870773111222", ago: "80 days" }),
    await exchangeThatCalled(db, "abroad.example", { number: "00449091234567", ago: "1 day" }),
  ];
  const barred = [
    await exchangeThatCalled(db, "long-ago.example", { number: "09001234567", ago: "100 days" }),
    await exchangeThatCalled(db, "in-vain.example", { number: "09001234567", ago: "3 days", answered: false }),
    await exchangeThatCalled(db, "ordinary.example", { number: "05321234567", ago: "3 days" }),
    await exchangeThatCalled(db, "berlin.example", { number: "0049301234567", ago: "3 days" }),
    await exchangeThatCalled(db, "colleague.example", { number: "0900", ago: "3 days" }),
  ];
  const told: unknown[] = [];
  const log = { ...silentLog, warn: (about: object | string, text?: string) => void told.push({ about, text }) };
  const applied = await bringUpToDate({ owner: url, server: url, tenants: undefined }, realClock, log);
  expect(applied).toContain("0429-premium-calls.sql");
  const allowed = await db.query<{ id: number }>(sql`select id from exchanges where premium_calls order by id`);
  expect(allowed.map(({ id }) => id)).toEqual(kept);
  expect(told).toMatchObject(
    kept.map((exchangeId) => ({ about: { exchangeId }, text: expect.stringMatching(/premium/) })),
  );
  for (const id of kept)
    expect(await listAuditLines(db, id)).toMatchObject([{ did: "premium-calls-kept", doer: "start" }]);
  for (const id of barred) expect(await listAuditLines(db, id)).toEqual([]);
  await db.close();
});
