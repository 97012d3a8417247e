// Outbound rules: by which trunk, and under which caller number, a call with a given prefix leaves. Lowest priority first.

import type { Db } from "./db.ts";
import { type SetupRefusal, unlessTaken } from "./refusal.ts";
import { findTrunk } from "./trunks.ts";

export type OutboundRule = {
  id: number;
  name: string;
  priority: number;
  prefix: string;
  trunk: string | null;
  callerId: string | null;
};

export function createOutboundRule(
  db: Db,
  wanted: {
    exchangeId: number;
    name: string;
    priority: number;
    prefix: string;
    trunk?: string | undefined;
    callerId?: string | undefined;
  },
): Promise<OutboundRule | SetupRefusal> {
  const { exchangeId, name, priority, prefix, trunk: trunkName, callerId } = wanted;
  return unlessTaken<OutboundRule>(db, { refused: "name-taken", what: "rule", name }, async (db) => {
    const trunk = trunkName === undefined ? undefined : await findTrunk(db, exchangeId, trunkName);
    if (trunkName !== undefined && !trunk) return { refused: "not-found", what: "trunk", which: trunkName };
    const [row] = await db.query<{ id: number }>(
      `insert into outbound_rules (exchange_id, name, priority, prefix, trunk_id, caller_id)
       values ($1, $2, $3, $4, $5, $6) returning id`,
      [exchangeId, name, priority, prefix, trunk?.id ?? null, callerId ?? null],
    );
    return { id: row!.id, name, priority, prefix, trunk: trunkName ?? null, callerId: callerId ?? null };
  });
}

export function listOutboundRules(db: Db, exchangeId: number): Promise<OutboundRule[]> {
  return db.query<OutboundRule>(
    `select outbound_rules.id, outbound_rules.name, outbound_rules.priority, prefix, trunks.name as trunk,
       caller_id as "callerId"
     from outbound_rules left join trunks on trunks.id = trunk_id
     where outbound_rules.exchange_id = $1 order by outbound_rules.priority, outbound_rules.id`,
    [exchangeId],
  );
}

/**
 * Rules that never get a call, since one before them matches every number they would. One with the very same prefix
 * is an understudy: it gets calls when the trunk of the first is down.
 */
export function shadowedRules(rules: readonly Pick<OutboundRule, "name" | "prefix">[]): { rule: string; by: string }[] {
  return rules.flatMap((rule, index) => {
    const before = rules.slice(0, index).find(({ prefix }) => prefix !== rule.prefix && rule.prefix.startsWith(prefix));
    return before ? [{ rule: rule.name, by: before.name }] : [];
  });
}

export async function deleteOutboundRule(db: Db, exchangeId: number, name: string): Promise<boolean> {
  const deleted = await db.query("delete from outbound_rules where exchange_id = $1 and name = $2 returning id", [
    exchangeId,
    name,
  ]);
  return deleted.length > 0;
}
