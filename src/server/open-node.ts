// This server as one of several on the same database, if its settings say so: how it joins, and as whom it asks.

import type { Clock } from "../clock.ts";
import { ClusterNode, joinAsNode } from "../cluster/node.ts";
import type { Config } from "../config.ts";
import type { NodeFacts } from "../http/nodes/ask-node.ts";
import { programVersion } from "../places.ts";
import { readRing } from "../secrets/key-file.ts";
import { markOf } from "../secrets/ring.ts";
import type { Database, DatabaseUrls } from "../store/db.ts";
import { openDatabase } from "../store/db.ts";
import { nameOwnersOfJobs } from "../store/nodes.ts";
import { sql } from "../store/sql.ts";
import { giveUp } from "./give-up.ts";
import { type DatabaseHold, type HoldNeeds, holdDatabase } from "./hold-database.ts";
import { businessOf, type KeepersNeeds, keepersOf } from "./keepers.ts";
import type { Calls } from "./open-calls.ts";
import { keyFileOf } from "./open-secrets.ts";
import type { Closable, Stop } from "./parts.ts";

export type Hold = Omit<DatabaseHold, "close"> & { node?: ClusterNode; close(stop?: Stop): Promise<void> };

/** For itself, or beside the other nodes. */
export async function holdOrJoin(config: Config, needs: HoldNeeds): Promise<Hold> {
  if (!config.cluster) return holdDatabase(needs);
  await mustBeHeldByWalls(needs);
  const { url, clock, log } = needs;
  const name = config.nodeName;
  const unexpected = (what: object) => log.error(what, "the life of this node does not expect that");
  const joined = await joinAsNode({ url, clock, log, name, version: programVersion(), unexpected });
  if (joined instanceof ClusterNode)
    return {
      node: joined,
      lost: joined.lost,
      take: () => joined.take(),
      // The next process of this name has its exchanges again at once, if it comes before others may take them.
      close: (stop?: Stop) => joined.close({ comesBack: stop?.again === true || stop?.calls === "handOver" }),
    };
  return joined.refused === "name-taken"
    ? giveUp(`a node named ${name} runs on this database already: give this one another name (SANTRAL_NODE)`, "inUse")
    : giveUp(
        "the database is in use by a Santral that has it for itself: stop that one, or set SANTRAL_CLUSTER=on there, too",
        "inUse",
      );
}

/** Fences that a role passes by are none. */
async function mustBeHeldByWalls({ url, clock }: HoldNeeds): Promise<void> {
  const db = openDatabase(url, clock, { connections: 1 });
  const [role] = await db
    .query<{ name: string; mighty: boolean }>(
      sql`select rolname as name, rolsuper or rolbypassrls as mighty from pg_roles where rolname = current_user`,
    )
    .finally(() => db.close());
  if (role?.mighty)
    giveUp(
      `SANTRAL_CLUSTER needs a database role that its rules hold: ${role.name} is a superuser or bypasses row security; ` +
        'make roles as docs/operations.md says under "Several nodes"',
      "usage",
    );
}

/** What belongs to no exchange that lives here, or to none yet: keys, the first run. Without other nodes it is the same. */
export async function databaseOfAll(db: Database, urls: DatabaseUrls, { hold, clock }: { hold: Hold; clock: Clock }) {
  if (!hold.node) return { db, close: async () => undefined };
  const all = openDatabase(urls, clock, { connections: 2, life: "command" });
  await nameOwnersOfJobs(all);
  return { db: all, close: () => all.close() };
}

/** What finds the exchange of a request, wherever that lives. It sees all of them, and writes nothing. */
export function openFront(node: ClusterNode, urls: DatabaseUrls, { config, clock, calls }: FrontNeeds) {
  const options = { connections: LOOKING, statementSeconds: config.requestSeconds, life: "look" } as const;
  const db = openDatabase(urls.server, clock, options);
  const secret = config.nodeSecret?.secret() ?? ""; // settings without it are refused
  const since_ms = clock.wall();
  const facts = (): NodeFacts => {
    const { lateRenewals: late_renewals, takenOver: taken_over } = node.counts();
    return { since_ms, calls: calls.desk.live.size, late_renewals, taken_over, ...likenessOf(config) };
  };
  return { front: { map: node, db, secret, facts }, close: () => db.close() };
}

type FrontNeeds = { config: Config; clock: Clock; calls: Calls };

/** What should be the same at every node. */
export function likenessOf(config: Config): Pick<NodeFacts, "keys" | "files"> {
  const ring = readRing(keyFileOf(config));
  const { filesUrl } = config;
  return {
    keys: "missing" in ring ? "" : markOf(ring, config.nodeSecret?.secret() ?? ""),
    files: filesUrl ? [filesUrl.endpoint, filesUrl.bucket, filesUrl.prefix].join("/") : "",
  };
}

const LOOKING = 4;

type Doors = { config: Config; http: string; sip: string };

/** Once every part is there: the others are told where we are, and from then on exchanges come and go. */
export async function serveAsNode(
  node: ClusterNode,
  parts: KeepersNeeds,
  { config, http, sip }: Doors,
): Promise<Closable> {
  await node.announce({ url: config.nodeUrl ?? `http://${http}`, sip });
  const stop = node.serve(keepersOf(parts), businessOf(parts));
  return { close: stop };
}
