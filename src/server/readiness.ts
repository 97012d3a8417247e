// Whether this server can be sent work: its database answers, and it is not stopping.

import type { Readiness } from "../http/operations.ts";
import type { Db } from "../store/db.ts";
import { sql } from "../store/sql.ts";

export function readinessOf(db: Db): { ask(): Promise<Readiness>; close(): Promise<void> } {
  let stopping = false;
  return {
    async ask() {
      if (stopping) return { ready: false, because: "stopping" };
      try {
        await db.query(sql`select 1`);
        return { ready: true };
      } catch {
        return { ready: false, because: "the database does not answer" };
      }
    },
    async close() {
      stopping = true;
    },
  };
}
