// What was said by SIP in a call, as the exchange has traced it.

import { join } from "node:path";
import { realClock } from "../../src/clock.ts";
import { openDatabase } from "../../src/store/db.ts";
import { connectionTo } from "../../src/store/embedded.ts";
import type { TracedMessage } from "../../src/store/sip-traces.ts";
import { sql } from "../../src/store/sql.ts";
import { eventually } from "../ground/eventually.ts";
import type { RealTown } from "./real-town.ts";

export type Span = { fromMs: number; toMs: number };

/** Of a call between two phones. */
const GOODBYES = 2;

/** The first line of each message between those moments, of a call that is over: what is said is written some time later. */
export async function saidIn({ data }: RealTown, uuid: string, { fromMs, toMs }: Span): Promise<string[]> {
  const db = openDatabase(connectionTo(join(data, "pg"), "postgres"), realClock, { connections: 1 });
  try {
    const all = await eventually("all that was said is written, to the last goodbye", async () => {
      const rows = await db.query<{ messages: TracedMessage[] }>(
        sql`select messages from sip_traces where call_uuid = $1`,
        [uuid],
      );
      const said = rows.flatMap(({ messages }) => messages);
      return said.filter(({ text }) => text.startsWith("BYE ")).length >= GOODBYES && said;
    });
    return all.filter(({ atMs }) => atMs > fromMs && atMs < toMs).map(({ text }) => text.split("\r\n", 1)[0] ?? "");
  } finally {
    await db.close();
  }
}
