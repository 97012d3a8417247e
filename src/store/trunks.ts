// Trunks: the lines to carriers. A trunk's password is kept as it is, since we are the ones who must present it.

import type { Db } from "./db.ts";
import { type SetupRefusal, unlessTaken } from "./refusal.ts";

export type Trunk = {
  id: number;
  name: string;
  host: string;
  port: number;
  transport: string;
  username: string | null;
  registers: boolean;
  sourceAddresses: string[];
  callerIdForm: string;
  codecs: string[];
  channelLimit: number | null;
  priority: number;
  t38: boolean;
  active: boolean;
};

export const TRUNK_TRANSPORTS = ["udp", "tcp", "tls"] as const;
export const CALLER_ID_FORMS = ["e164", "plus", "national"] as const;

const columns = `id, name, host, port, transport, username, registers,
  (select coalesce(array_agg(address::text), '{}') from unnest(source_addresses) as address) as "sourceAddresses",
  caller_id_form as "callerIdForm", codecs, channel_limit as "channelLimit", priority, t38, active`;

export function createTrunk(
  db: Db,
  { exchangeId, name, host, changes = {} }: { exchangeId: number; name: string; host: string; changes?: Changes },
): Promise<Trunk | SetupRefusal> {
  return unlessTaken(db, { refused: "name-taken", what: "trunk", name }, async (db) => {
    await db.query("insert into trunks (exchange_id, name, host) values ($1, $2, $3)", [exchangeId, name, host]);
    await updateTrunk(db, { exchangeId, name, changes });
    const trunk = await findTrunk(db, exchangeId, name);
    return trunk!; // written above in this transaction
  });
}

export function listTrunks(db: Db, exchangeId: number): Promise<Trunk[]> {
  return db.query<Trunk>(`select ${columns} from trunks where exchange_id = $1 order by priority, name`, [exchangeId]);
}

export async function findTrunk(db: Db, exchangeId: number, name: string): Promise<Trunk | undefined> {
  const [row] = await db.query<Trunk>(`select ${columns} from trunks where exchange_id = $1 and name = $2`, [
    exchangeId,
    name,
  ]);
  return row;
}

type Changes = Record<string, unknown>;

/** `changes` is keyed by column: the caller has checked both names and values. */
export async function updateTrunk(
  db: Db,
  { exchangeId, name, changes }: { exchangeId: number; name: string; changes: Changes },
): Promise<boolean> {
  const assignments = Object.keys(changes).map((column, index) => `${column} = $${index + 3}`);
  if (assignments.length === 0) return (await findTrunk(db, exchangeId, name)) !== undefined;
  const changed = await db.query(
    `update trunks set ${assignments.join(", ")} where exchange_id = $1 and name = $2 returning id`,
    [exchangeId, name, ...Object.values(changes)],
  );
  return changed.length > 0;
}

export async function deleteTrunk(db: Db, exchangeId: number, name: string): Promise<SetupRefusal | undefined> {
  const [used] = await db.query<{ by: string }>(
    `select 'number ' || number as by from external_numbers
       join trunks on trunks.id = trunk_id where external_numbers.exchange_id = $1 and trunks.name = $2
     union all select 'rule ' || outbound_rules.name from outbound_rules
       join trunks on trunks.id = trunk_id where outbound_rules.exchange_id = $1 and trunks.name = $2`,
    [exchangeId, name],
  );
  if (used) return { refused: "in-use", what: "trunk", which: name, by: used.by };
  const deleted = await db.query("delete from trunks where exchange_id = $1 and name = $2 returning id", [
    exchangeId,
    name,
  ]);
  return deleted.length > 0 ? undefined : { refused: "not-found", what: "trunk", which: name };
}
