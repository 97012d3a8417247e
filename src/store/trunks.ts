// Trunks: the lines to carriers. A trunk's password is sealed and not hashed, since we are the ones who must present it.

import type { Changes } from "../nouns/field.ts";
import { trunk } from "../nouns/trunk.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Db } from "./db.ts";
import { type SetupRefusal, type User, unlessTaken } from "./refusal.ts";
import { sealing } from "./sealing.ts";
import { sql } from "./sql.ts";
import { updateOwn } from "./update.ts";

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

const columns = sql`id, name, host, port, transport, username, registers,
  (select coalesce(array_agg(address::text), '{}') from unnest(source_addresses) as address) as "sourceAddresses",
  caller_id_form as "callerIdForm", codecs, channel_limit as "channelLimit", priority, t38, active`;

export function createTrunk(
  db: Db,
  secrets: Secrets,
  {
    exchangeId,
    name,
    host,
    changes = {},
  }: { exchangeId: number; name: string; host: string; changes?: Changes<typeof trunk> },
): Promise<Trunk | SetupRefusal> {
  return unlessTaken(db, { refused: "name-taken", what: "trunk", name }, async (db) => {
    await db.query(sql`insert into trunks (exchange_id, name, host) values ($1, $2, $3)`, [exchangeId, name, host]);
    await updateTrunk(db, secrets, { exchangeId, name, changes });
    const trunk = await findTrunk(db, exchangeId, name);
    return trunk!; // written above in this transaction
  });
}

export function listTrunks(db: Db, exchangeId: number): Promise<Trunk[]> {
  return db.query<Trunk>(sql`select ${columns} from trunks where exchange_id = $1 order by priority, name`, [
    exchangeId,
  ]);
}

export async function findTrunk(db: Db, exchangeId: number, name: string): Promise<Trunk | undefined> {
  const [row] = await db.query<Trunk>(sql`select ${columns} from trunks where exchange_id = $1 and name = $2`, [
    exchangeId,
    name,
  ]);
  return row;
}

export function updateTrunk(
  db: Db,
  secrets: Secrets,
  { exchangeId, name, changes }: { exchangeId: number; name: string; changes: Changes<typeof trunk> },
): Promise<boolean> {
  const { password, ...others } = changes;
  if (password === undefined) return updateOwn(db, trunk, { exchangeId, which: name, changes: others });
  return sealing(db, secrets, async (db, seal) => {
    const found = await findTrunk(db, exchangeId, name);
    if (!found) return false;
    const place = { kind: "trunks.password", exchangeId, row: found.id } as const;
    const sealed = password === null || password === "" ? null : seal(place, password);
    return updateOwn(db, trunk, { exchangeId, which: name, changes: { ...others, password: sealed } });
  });
}

export async function deleteTrunk(db: Db, exchangeId: number, name: string): Promise<SetupRefusal | undefined> {
  const [by] = await db.query<User>(
    sql`select 'number' as noun, number as which from external_numbers
       join trunks on trunks.id = trunk_id where external_numbers.exchange_id = $1 and trunks.name = $2
     union all select 'rule', outbound_rules.name from outbound_rules
       join trunks on trunks.id = trunk_id where outbound_rules.exchange_id = $1 and trunks.name = $2`,
    [exchangeId, name],
  );
  if (by) return { refused: "in-use", what: "trunk", which: name, by };
  const deleted = await db.query(sql`delete from trunks where exchange_id = $1 and name = $2 returning id`, [
    exchangeId,
    name,
  ]);
  return deleted.length > 0 ? undefined : { refused: "not-found", what: "trunk", which: name };
}
