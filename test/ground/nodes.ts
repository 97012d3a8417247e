// Several of the built program on one database, as an operator would run them: three roles, a secret, a name each.

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { realClock } from "../../src/clock.ts";
import { type Database, openDatabase } from "../../src/store/db.ts";
import { quoted, sql } from "../../src/store/sql.ts";
import { emptyDatabase } from "./empty-database.ts";
import { type SantralProcess, santral, startProcess, temporaryFolder } from "./santral-process.ts";
import { type Supervised, startSupervised } from "./supervised-process.ts";
import { whenOver } from "./when-over.ts";

export const NODE_SECRET = "a secret of thirty-two letters or more";

export type NodeTown = {
  /** By the superuser, past every wall and fence. */
  root: Database;
  env: Record<string, string>;
  folderOf(name: string): string;
  start(name: string, env?: Record<string, string>): Promise<SantralProcess>;
  /** Below a supervisor, which starts it again. */
  supervise(name: string): Supervised;
  /** Once the database says that it lives there. */
  nodeOf(exchangeId: number): Promise<string>;
  command(...words: string[]): Promise<string>;
};

export async function nodeTown(): Promise<NodeTown> {
  const superuser = await emptyDatabase();
  const root = openDatabase(superuser, realClock, { connections: 2, life: "command" });
  whenOver(() => root.close());
  const as = async (role: string) => {
    const name = `${role}_${randomUUID().slice(0, 8)}`;
    await root.query(sql`create role ${quoted(name)} login`);
    return { name, url: superuser.replace("//santral@", `//${name}@`) };
  };
  const [owner, server, tenant] = [await as("owner"), await as("server"), await as("tenant")];
  const [{ name: database } = { name: "" }] = await root.query<{ name: string }>(
    sql`select current_database() as name`,
  );
  await root.query(sql`alter database ${quoted(database)} owner to ${quoted(owner.name)}`);
  const first = temporaryFolder();
  const folders = new Map<string, string>();
  const env = {
    DATABASE_URL: server.url,
    SANTRAL_DATABASE_OWNER_URL: owner.url,
    SANTRAL_DATABASE_TENANT_URL: tenant.url,
    SANTRAL_CLUSTER: "on",
    SANTRAL_NODE_SECRET: NODE_SECRET,
    SANTRAL_SECRET_KEYS: join(first, "secret.keys"),
  };
  const folderOf = (name: string) => {
    const folder = folders.get(name) ?? temporaryFolder();
    folders.set(name, folder);
    return folder;
  };
  return {
    root,
    env,
    folderOf,
    start: (name, more = {}) => startProcess(folderOf(name), { env: { ...env, SANTRAL_NODE: name, ...more } }),
    supervise: (name) => startSupervised(folderOf(name), { ...env, SANTRAL_NODE: name }),
    async nodeOf(exchangeId) {
      const found = await root.query<{ node: string }>(
        sql`select node from exchange_owners join nodes on name = node
         where exchange_id = $1 and state <> 'over' and until > clock_timestamp()`,
        [exchangeId],
      );
      return found[0]?.node ?? "";
    },
    async command(...words) {
      const { code, stdout, stderr } = await santral(first, words, { env });
      if (code !== 0) throw new Error(`santral ${words.join(" ")}: ${stderr}`);
      return stdout;
    },
  };
}
