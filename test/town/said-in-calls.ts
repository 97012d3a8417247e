// What was said by SIP in a call, as the exchange has traced it.

import { join } from "node:path";
import { realClock } from "../../src/clock.ts";
import { openDatabase } from "../../src/store/db.ts";
import { connectionTo } from "../../src/store/embedded.ts";
import type { TracedMessage } from "../../src/store/sip-traces.ts";
import { sql } from "../../src/store/sql.ts";
import type { RealTown } from "./real-town.ts";

export type Span = { fromMs: number; toMs: number };

/** The first line of each message between those moments. */
export async function saidIn({ data }: RealTown, uuid: string, { fromMs, toMs }: Span): Promise<string[]> {
  const db = openDatabase(connectionTo(join(data, "pg"), "postgres"), realClock, { connections: 1 });
  try {
    const rows = await db.query<{ messages: TracedMessage[] }>(
      sql`select messages from sip_traces where call_uuid = $1`,
      [uuid],
    );
    const all = rows.flatMap(({ messages }) => messages);
    return all.filter(({ atMs }) => atMs > fromMs && atMs < toMs).map(({ text }) => text.split("\r\n", 1)[0] ?? "");
  } finally {
    await db.close();
  }
}
