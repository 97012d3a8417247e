// What limits add to the metrics: how often each of HTTP has refused somebody, and who is locked for wrong passwords.

import { Counter, type Registry } from "prom-client";
import type { TooMany } from "../http/door/connections.ts";
import type { Pool } from "../http/door/rate-limit.ts";
import type { Db } from "../store/db.ts";
import { countLocked, type Locked } from "../store/locked.ts";

/** What refuses somebody at HTTP. */
type Limit = Pool | TooMany;

/** How often since the start, by limit. Who is locked is not known while the database is away. */
export type LimitView = { refused: Partial<Record<Limit, number>>; locked: Locked | undefined };

export function countRefusals(registry: Registry, db: Db): { note(limit: Limit): void; view(): Promise<LimitView> } {
  const refused: LimitView["refused"] = {};
  const counter = new Counter({
    name: "santral_http_refused_total",
    help: "Requests, tries to sign in and connections that were refused because there were too many, since the start",
    labelNames: ["limit"],
    registers: [registry],
  });
  return {
    note(limit) {
      counter.inc({ limit });
      refused[limit] = (refused[limit] ?? 0) + 1;
    },
    view: async () => ({ refused, locked: await countLocked(db).catch(() => undefined) }),
  };
}
