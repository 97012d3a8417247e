// One connection to the database that is no pool's: for locks that live as long as it does, and for what must not wait in line.

import { type Clock, pause } from "../clock.ts";
import { openLine } from "./pool.ts";
import type { Line } from "./server-lease.ts";

/** A server that hangs does not say goodbye. */
const GOODBYE_MS = 1_000;

export type OpenLine = Line & { end(): Promise<void> };

export async function connectLine(url: string, clock: Clock): Promise<OpenLine> {
  const { client, isOfUse } = openLine(url);
  client.on("error", () => undefined); // the next statement fails, and that is enough
  const end = () => Promise.race([client.end().catch(() => undefined), pause(clock, GOODBYE_MS)]);
  try {
    await client.connect();
    await isOfUse();
  } catch (error) {
    void end();
    throw error;
  }
  return {
    query: async (text, values = []) => (await client.query(text, [...values])).rows as Record<string, unknown>[],
    end,
  };
}
