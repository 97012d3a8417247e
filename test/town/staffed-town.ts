// A town whose console is open: calls are up on a wound clock, and staff ask about them over the console's own door.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Panel } from "../../src/exchange/panel.ts";
import { openSounds } from "../../src/exchange/sounds.ts";
import { openHttpServer } from "../../src/http/server.ts";
import { silentLog } from "../../src/log.ts";
import { openConverter } from "../../src/media/convert.ts";
import type { StaffRole } from "../../src/nouns/role.ts";
import { openObjects } from "../../src/objects/objects.ts";
import { runnerIn } from "../../src/programs/program.ts";
import { sql } from "../../src/store/sql.ts";
import { beginSession } from "../../src/store/staff-sessions.ts";
import { secrets } from "../ground/secrets.ts";
import { whenOver } from "../ground/when-over.ts";
import { type Visitor, visitorAt } from "./console-town.ts";
import { townWith } from "./town.ts";
import type { TownSetup } from "./town-setup.ts";

export async function staffedTown(setup: TownSetup) {
  const town = await townWith(setup);
  const { db, clock, exchangeId } = town;
  const folder = await mkdtemp(join(tmpdir(), "santral-staffed-"));
  const objects = await openObjects(folder);
  const panel = new Panel({
    clock,
    ...town.board,
    settings: town.settings,
    registrar: { isRegistered: () => true, onChange: () => () => undefined },
  });
  const server = await openHttpServer({
    db,
    clock,
    objects,
    log: silentLog,
    config: { http: { host: "127.0.0.1", port: 0 }, publicUrl: undefined, trustedProxies: [] },
    sounds: openSounds({ objects, converter: openConverter({ runProgram: runnerIn("limited"), clock }) }),
    console: {
      from: [],
      pages: undefined,
      secrets,
      running: {
        panel,
        exchange: town.exchange,
        requester: { ask: async () => ({ failed: "nobody there", why: "unreachable" }), close: () => undefined },
        trunks: () => [],
        md5Extensions: () => [],
        checkTrunk: async () => undefined,
        sipDoors: () => [],
        say: async () => undefined,
      },
    },
  });
  whenOver(async () => {
    panel.close();
    await server.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  let made = 0;

  /** Somebody signed in, with the phone of an extension, and queues to lead. */
  async function member(role: StaffRole, extension?: string, queues: string[] = []): Promise<Visitor> {
    const email = `${role}-${made++}@town.example`;
    const [row] = await db.query<{ id: number }>(
      sql`insert into staff (exchange_id, name, email, role, password_hash, extension_id)
       values ($1, $2, $3, $4, 'none', (select id from extensions where exchange_id = $1 and number = $5)) returning id`,
      [exchangeId, `${role} ${made}`, email, role, extension ?? null],
    );
    const { id } = row!; // an insert without a condition returns its row
    await db.query(
      sql`insert into staff_queues (exchange_id, staff_id, queue_id)
       select $1, $2, id from queues where exchange_id = $1 and number = any($3)`,
      [exchangeId, id, queues],
    );
    const session = { staffId: id, nowMs: clock.wall(), address: "127.0.0.1", browser: "test" };
    const { token } = await beginSession(db, session);
    return visitorAt(`http://${server.address}`, `santral_session=${token}`);
  }

  return { town, member };
}
