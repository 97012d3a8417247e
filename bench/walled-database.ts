// A database of its own for a bench, as a server makes it: its roles, the newest schema, the walls between tenants.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realClock } from "../src/clock.ts";
import { openDatabase } from "../src/store/db.ts";
import { startEmbeddedServer } from "../src/store/embedded.ts";
import { embeddedUrls, prepareRoles, SERVER, TENANT } from "../src/store/embedded-roles.ts";
import { migrate } from "../src/store/migrate.ts";
import { raiseWalls } from "../src/store/walls.ts";

/**
 * `settings` of PostgreSQL. `owner` may do everything; `pid` is the process above all of the database's; `folder` is gone
 * with the database, unless it is one that was asked for: `kept` there, it is found again.
 */
export async function openWalledDatabase({ settings = [] as string[], kept = undefined as string | undefined } = {}) {
  const folder = kept ?? (await mkdtemp(join(tmpdir(), "santral-bench-")));
  const postgres = await startEmbeddedServer(join(folder, "pg"), realClock, { settings });
  await prepareRoles(postgres.connection, realClock);
  const urls = embeddedUrls(join(folder, "pg"));
  const owner = openDatabase(urls.owner, realClock);
  await migrate(owner, "src/store/migrations");
  await raiseWalls(owner, { server: SERVER, tenant: TENANT });
  const close = async () => {
    await owner.close();
    await postgres.stop();
    if (kept === undefined) await rm(folder, { recursive: true });
  };
  return { folder, pid: postgres.pid, urls, owner, close };
}
