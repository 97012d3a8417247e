// Once before all tests: the build, and one PostgreSQL server with a migrated template to copy databases from.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { realClock } from "../../src/clock.ts";
import { openDatabase } from "../../src/store/db.ts";
import { connectionTo, startEmbeddedServer } from "../../src/store/embedded.ts";
import { embeddedUrls, prepareRoles, SERVER, TENANT } from "../../src/store/embedded-roles.ts";
import { migrate } from "../../src/store/migrate.ts";
import { sql } from "../../src/store/sql.ts";
import { raiseWalls } from "../../src/store/walls.ts";
import { useMemoryFolder } from "./memory-folder.ts";

declare module "vitest" {
  export interface ProvidedContext {
    databaseFolder: string;
  }
}

/** It is gone after the run, whatever happens: nothing of it has to outlive a power cut. To drop a database took seconds. */
const FORGETFUL = [
  "synchronous_commit=off",
  "fsync=off",
  "full_page_writes=off",
  "wal_level=minimal",
  "max_wal_senders=0",
];

export default async function setUp(project: TestProject) {
  const { buildAll } = (await import("../../bin/build.mjs" as string)) as { buildAll(): Promise<void> };
  await buildAll();
  const memory = useMemoryFolder();
  const folder = await mkdtemp(join(tmpdir(), "santral-test-"));
  const data = join(folder, "pg");
  const server = await startEmbeddedServer(data, realClock, {
    settings: ["max_connections=200", ...FORGETFUL],
  });
  await makeTemplate(server.connection, data);
  project.provide("databaseFolder", data);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
    memory.remove();
  };
}

async function makeTemplate(connection: string, folder: string): Promise<void> {
  const root = openDatabase(connection, realClock, { connections: 1 });
  await root.query(sql`create database template_exchange`);
  await root.close();
  await prepareRoles(connectionTo(folder, "template_exchange"), realClock);
  const { owner } = embeddedUrls(folder, "template_exchange");
  const template = openDatabase(owner, realClock, { connections: 1 });
  await migrate(template, "src/store/migrations");
  await raiseWalls(template, { server: SERVER, tenant: TENANT });
  await template.close();
}
