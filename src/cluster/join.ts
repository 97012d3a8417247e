// How a server joins those that share its database: nobody may have it for himself, and its name is its own.

import { type Clock, pause } from "../clock.ts";
import { connectLine, type OpenLine } from "../store/line.ts";
import { lockName } from "../store/nodes.ts";
import { lockServerShared, readLease } from "../store/server-lease.ts";

const TRY_AGAIN_MS = 250;
/** A process that was just killed may live on for a moment in the eyes of the database, and one that was cut off in its own. */
const ATTEMPTS = 40;

export type NotJoined = { refused: "in-use" | "name-taken" };

/** The connection that holds both locks. */
export async function joinNodes(url: string, name: string, clock: Clock): Promise<OpenLine | NotJoined> {
  const line = await connectLine(url, clock);
  try {
    let refused: NotJoined["refused"] = "in-use";
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const tried = await tryJoin(line, name);
      if (tried === "joined") return line;
      refused = tried;
      await pause(clock, TRY_AGAIN_MS);
    }
    await line.end();
    return { refused };
  } catch (error) {
    await line.end();
    throw error;
  }
}

async function tryJoin(line: OpenLine, name: string): Promise<"joined" | NotJoined["refused"]> {
  if (!(await lockServerShared(line))) return "in-use";
  if ((await readLease(line))?.isValid) return "in-use"; // cut off, and back in a moment
  return (await lockName(line, name)) ? "joined" : "name-taken";
}
