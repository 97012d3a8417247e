// The console of the house with two exchanges, and administrators of ours who ask it for operations.

import type { Database } from "../../src/store/db.ts";
import { sql } from "../../src/store/sql.ts";
import { hashPassword } from "../../src/store/staff-password.ts";
import { secrets as keys } from "../ground/secrets.ts";
import { consoleTown, PASSWORD, type Visitor } from "../town/console-town.ts";
import type { Candidates, Parameters } from "./from-schema.ts";
import type { Furnished } from "./handles.ts";
import { databaseWithoutWalls, neighboursIn } from "./neighbours.ts";
import { notingExchange } from "./noting-exchange.ts";

/** What an administrator himself knows, so that he comes past the question for it. */
export const secrets: Candidates = {
  "*assword": [PASSWORD],
  newPassword: ["another long password"],
  secret: ["A".repeat(32)],
};

export async function consoleNeighbours() {
  const { running, faxes, askedFor } = notingExchange();
  const db = await databaseWithoutWalls();
  const town = await consoleTown({ console: { from: [], pages: undefined, running, secrets: keys }, faxes, db });
  const neighbours = await neighboursIn(db);
  const asAdministrator = await administratorIn(db);

  /** An administrator of an exchange of its own, with a session. */
  async function administrator(): Promise<{ us: Furnished; visitor: Visitor }> {
    const us = await neighbours.ours();
    return { us, visitor: town.visitor(await asAdministrator(us)) };
  }

  return { ...neighbours, address: town.server.address, objects: town.objects, askedFor, administrator };
}

/** The cookie of whoever administers one, and whose password is known. */
export async function administratorIn(db: Database): Promise<(us: Furnished) => Promise<string>> {
  const hash = await hashPassword(PASSWORD);
  return async (us) => {
    await db.query(sql`update staff set password_hash = $2, totp_secret = null where exchange_id = $1`, [
      us.exchangeId,
      hash,
    ]);
    // Seen later than now: however long the session is used, that is not written down.
    await db.query(sql`update staff_sessions set last_seen_at = now() + interval '1 hour' where staff_id = $1`, [
      us.id,
    ]);
    return `santral_session=${us.sessionToken}`;
  };
}

export async function call(visitor: Visitor, name: string, parameters: Parameters) {
  const response = await visitor.post(`/console/api/${name}`, parameters);
  return { status: response.status, text: await response.text() };
}
