// Which addresses of a trunk the operator has approved, and whether another exchange has them: see `trunk_approvals`.

import type { Db } from "./db.ts";
import type { SetupRefusal } from "./refusal.ts";
import { sql } from "./sql.ts";

export type Approval = { named: string; isVoice: boolean; by: string; approvedAt: Date };

/** Whatever its settings name at this moment; what they name later has to be approved anew. False: there is no such trunk. */
export async function approveTrunk(
  db: Db,
  { exchangeId, name, by }: { exchangeId: number; name: string; by: "operator" | "alone" },
): Promise<boolean> {
  const [trunk] = await db.query<{ id: number }>(sql`select id from trunks where exchange_id = $1 and name = $2`, [
    exchangeId,
    name,
  ]);
  if (!trunk) return false;
  await db.query(
    sql`insert into trunk_approvals (exchange_id, trunk_id, network, by)
       select distinct exchange_id, id, unnest(source_addresses), $2 from trunks where id = $1
     on conflict (trunk_id, network) do update set by = excluded.by, approved_at = now()`,
    [trunk.id, by],
  );
  await db.query(
    sql`insert into trunk_approvals (exchange_id, trunk_id, host, by)
       select exchange_id, id, lower(coalesce(nullif(outbound_proxy, ''), host)), $2 from trunks where id = $1
     on conflict (trunk_id, host) do update set by = excluded.by, approved_at = now()`,
    [trunk.id, by],
  );
  await db.query(
    sql`insert into trunk_approvals (exchange_id, trunk_id, media, by)
       select distinct exchange_id, id, unnest(media_networks), $2 from trunks where id = $1
     on conflict (trunk_id, media) do update set by = excluded.by, approved_at = now()`,
    [trunk.id, by],
  );
  return true;
}

/** From now on only what a server proves counts. False: nothing of it was approved. */
export async function disapproveTrunk(db: Db, exchangeId: number, name: string): Promise<boolean> {
  const gone = await db.query(
    sql`delete from trunk_approvals using trunks
       where trunks.id = trunk_id and trunks.exchange_id = $1 and trunks.name = $2 returning trunk_id`,
    [exchangeId, name],
  );
  return gone.length > 0;
}

export function approvalsOf(db: Db, exchangeId: number, name: string): Promise<Approval[]> {
  return db.query<Approval>(
    sql`select coalesce(network::text, media::text, trunk_approvals.host) as named, media is not null as "isVoice", by, approved_at as "approvedAt"
       from trunk_approvals join trunks on trunks.id = trunk_id
       where trunks.exchange_id = $1 and trunks.name = $2 order by 1`,
    [exchangeId, name],
  );
}

/** The only exchange there is needed no approval: what its trunks name goes on when another one comes beside it. */
export async function approveOfTheOnlyOne(db: Db): Promise<void> {
  await db.query(
    sql`insert into trunk_approvals (exchange_id, trunk_id, network, by)
       select distinct exchange_id, id, unnest(source_addresses), 'alone' from trunks
       where (select count(*) from exchanges) = 1
     on conflict do nothing`,
  );
  await db.query(
    sql`insert into trunk_approvals (exchange_id, trunk_id, host, by)
       select exchange_id, id, lower(coalesce(nullif(outbound_proxy, ''), host)), 'alone' from trunks
       where (select count(*) from exchanges) = 1
     on conflict do nothing`,
  );
  await db.query(
    sql`insert into trunk_approvals (exchange_id, trunk_id, media, by)
       select distinct exchange_id, id, unnest(media_networks), 'alone' from trunks
       where (select count(*) from exchanges) = 1
     on conflict do nothing`,
  );
}

/** Networks that overlap what is another exchange's, and are not the very same: carriers are shared. */
export async function networksTaken(
  db: Db,
  exchangeId: number,
  networks: readonly string[] | undefined,
): Promise<SetupRefusal | undefined> {
  if (!networks || networks.length === 0) return undefined;
  const found = await db.query<{ network: string }>(
    sql`select network::text from unnest(trunk_networks_taken($1, $2::cidr[])) as network`,
    [exchangeId, networks],
  );
  const [taken] = found;
  return taken && { refused: "network-taken", network: taken.network };
}
