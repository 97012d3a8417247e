// Checks of the database: it answers, it is new enough, it loses nothing in a power cut, its schema is ours.

import { existsSync } from "node:fs";
import { BEHIND_SECONDS, COMPRESS_RECORDING } from "../exchange/recordings/compress.ts";
import { TOO_MANY_OWED } from "../jobs/bounds.ts";
import { backlogOf } from "../jobs/jobs.ts";
import { withDatabase } from "../server/command-database.ts";
import { placesIn } from "../server/data-folder.ts";
import { keyFileOf } from "../server/open-secrets.ts";
import { ailingSources } from "../store/contact-sources.ts";
import type { Db } from "../store/db.ts";
import { emergencyNumbersInside } from "../store/dial-plan.ts";
import { sql } from "../store/sql.ts";
import { sourceFailureInWords } from "../words/contact-sources.ts";
import { archiveFindings } from "./archive.ts";
import { type Check, type Finding, fail, ok, warn } from "./finding.ts";
import { secretFindings } from "./secrets.ts";

const OLDEST_SERVER = 150_000;

export const database: Check = {
  name: "database",
  async run({ config, clock }) {
    if (!config.databaseUrl && !existsSync(placesIn(config.dataFolder).database))
      return ok("embedded, will be made at the first start");
    return withDatabase({ config, clock, make: false }, async ({ urls, db, secrets }) => [
      await version(db),
      await writes(db),
      ...(await durability(db)),
      ok("schema is up to date"), // or we had not come here
      ...(await roles(db, urls.tenants === undefined)),
      await sameTime(db, clock.wall()),
      ...(await deadWork(db)),
      await compression(db),
      ...(await callsForHelp(db)),
      ...(await archiveFindings(db)),
      ...(await contactSources(db, clock.wall())),
      ...(await secretFindings(db, secrets, keyFileOf(config))),
    ]);
  },
};

async function version(db: Db): Promise<Finding> {
  const [row] = await db.query<{ number: number; name: string }>(
    sql`select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
  );
  const says = `PostgreSQL ${row?.name}`;
  return (row?.number ?? 0) >= OLDEST_SERVER ? ok(says) : fail(says, "use PostgreSQL 15 or later");
}

async function writes(db: Db): Promise<Finding> {
  const [row] = await db.query<{ taken: boolean }>(
    sql`select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as taken`,
  );
  if (row?.taken) return ok("it takes writes");
  return fail("it takes no writes", "name the primary in DATABASE_URL, or every host of the cluster between commas");
}

async function roles(db: Db, isAlone: boolean): Promise<Finding[]> {
  const [role] = await db.query<{ name: string; mighty: boolean }>(
    sql`select rolname as name, rolsuper or rolbypassrls as mighty from pg_roles where rolname = current_user`,
  );
  const howTo = "make three roles as docs/operations.md says, and leave SANTRAL_TENANT_WALLS on";
  return [
    role?.mighty
      ? warn(`the role ${role.name} may do anything in the database server`, howTo)
      : ok(`the role ${role?.name} has no more rights than it needs`),
    isAlone
      ? warn("tenants are kept apart by our statements alone: there is no role for their requests", howTo)
      : ok("tenants' requests run under a role that sees one exchange"),
  ];
}

async function durability(db: Db): Promise<Finding[]> {
  const rows = await db.query<{ name: string; setting: string }>(
    sql`select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit')`,
  );
  const risky = rows.filter(({ setting }) => setting === "off" || setting === "local");
  if (risky.length === 0) return [ok("what it has acknowledged survives a power cut")];
  return risky.map(({ name, setting }) =>
    fail(`${name} is ${setting}: acknowledged data may be lost`, `set ${name} = on in postgresql.conf`),
  );
}

const FAR_APART_MS = 2_000;

async function sameTime(db: Db, now: number): Promise<Finding> {
  const [row] = await db.query<{ apart: number }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 - $1 as apart`,
    [now],
  );
  const apart = Math.abs(row?.apart ?? 0);
  return apart > FAR_APART_MS
    ? warn(`its clock is ${Math.round(apart / 1_000)} s away from ours`, "keep both machines' clocks by NTP")
    : ok("its clock agrees with ours");
}

async function deadWork(db: Db): Promise<Finding[]> {
  const [row] = await db.query<{ dead: number; tooMany: number }>(
    sql`select count(*) as dead, count(*) filter (where last_error = $1) as "tooMany" from jobs where dead_at is not null`,
    [TOO_MANY_OWED],
  );
  if (!row || row.dead === 0) return [ok("no work was given up")];
  const dead = warn(
    `${row.dead} jobs were given up`,
    'see "santral jobs dead", then "santral jobs retry" or "discard"',
  );
  if (row.tooMany === 0) return [dead];
  const told = `${row.tooMany} of them because too much was owed for one exchange already`;
  return [dead, warn(told, 'the log says which; "santral jobs dead" shows what it is that nobody takes')];
}

async function compression(db: Db): Promise<Finding> {
  const { waiting, oldestSeconds } = await backlogOf(db, COMPRESS_RECORDING);
  if (oldestSeconds < BEHIND_SECONDS) return ok(`${waiting} recordings wait to be compressed`);
  return warn(
    `${waiting} recordings wait to be compressed, the oldest for ${Math.round(oldestSeconds / 3_600)} h; until then they take ten times the disk`,
    "see whether ffmpeg is installed and works; else the machine needs more cores, or fewer calls need to be recorded",
  );
}

async function callsForHelp(db: Db): Promise<Finding[]> {
  const inside = await emergencyNumbersInside(db);
  return inside.map(({ exchangeId, number, noun }) =>
    warn(
      `${noun} ${number} of exchange ${exchangeId} has an emergency number: whoever dials ${number} calls for help`,
      `give the ${noun} another number; until then it is reached by transfer, groups and queues only`,
    ),
  );
}

const FAILING_LONG_MS = 24 * 3_600_000;

async function contactSources(db: Db, now: number): Promise<Finding[]> {
  const ailing = await ailingSources(db, new Date(now - FAILING_LONG_MS));
  return ailing.map(({ exchangeId, name, failure, heldRemovals }) =>
    failure
      ? warn(
          `contacts of the source ${name} of exchange ${exchangeId} could not be read for more than a day: ${sourceFailureInWords(failure, null, "en")}`,
          `see "santral contacts source list", or pause it: santral contacts source set ${name} active=no`,
        )
      : warn(
          `the removal of ${heldRemovals} contacts of the source ${name} of exchange ${exchangeId} waits for a word`,
          `look at the source, then: santral contacts source run ${name} --confirm`,
        ),
  );
}
