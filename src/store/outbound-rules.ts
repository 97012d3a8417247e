// Outbound rules: by which trunk, and under which caller number, a call with a given prefix leaves. Lowest priority first.

import type { Changes, Row } from "../nouns/field.ts";
import { outboundRule } from "../nouns/outbound-rule.ts";
import type { Db } from "./db.ts";
import { type SetupRefusal, unlessTaken } from "./refusal.ts";
import { joined, sql } from "./sql.ts";
import { findTrunk } from "./trunks.ts";
import { assignments, updateOwn } from "./update.ts";

export type OutboundRule = { id: number } & Row<typeof outboundRule>;

type WantedRule = Pick<OutboundRule, "name" | "priority" | "prefix"> & Changes<typeof outboundRule>;

export function createOutboundRule(
  db: Db,
  { exchangeId, ...wanted }: WantedRule & { exchangeId: number },
): Promise<OutboundRule | SetupRefusal> {
  const rule = whole(wanted);
  return unlessTaken<OutboundRule>(db, taken(rule), async (db) => {
    const missing = await missingTrunk(db, exchangeId, rule);
    if (missing) return missing;
    const { names, places, values } = assignments(outboundRule, rule, 2);
    const [row] = await db.query<{ id: number }>(
      sql`insert into outbound_rules (${joined([sql`exchange_id`, ...names], ", ")})
       values (${joined([sql`$1`, ...places], ", ")}) returning id`,
      [exchangeId, ...values],
    );
    return { id: row!.id, ...rule };
  });
}

/** A rule as a whole: what is not wanted any more is left out. */
export function updateOutboundRule(
  db: Db,
  { exchangeId, id, ...wanted }: WantedRule & { exchangeId: number; id: number },
): Promise<"changed" | SetupRefusal> {
  const rule = whole(wanted);
  return unlessTaken<"changed">(db, taken(rule), async (db) => {
    const missing = await missingTrunk(db, exchangeId, rule);
    if (missing) return missing;
    const changed = await updateOwn(db, outboundRule, { exchangeId, which: id, changes: rule });
    return changed ? "changed" : { refused: "not-found", what: "rule", which: String(id) };
  });
}

const whole = ({ trunk, callerId, ...rule }: WantedRule) => ({
  ...rule,
  trunk: trunk ?? null,
  callerId: callerId ?? null,
});

const taken = ({ name }: WantedRule): SetupRefusal => ({ refused: "name-taken", what: "rule", name });

async function missingTrunk(db: Db, exchangeId: number, { trunk }: WantedRule): Promise<SetupRefusal | undefined> {
  if (!trunk || (await findTrunk(db, exchangeId, trunk))) return undefined;
  return { refused: "not-found", what: "trunk", which: trunk };
}

const STEP = 10;

/** One place up or down. Where all priorities differ they only change hands, so that gaps somebody left stay. */
export function moveOutboundRule(
  db: Db,
  { exchangeId, id, up }: { exchangeId: number; id: number; up: boolean },
): Promise<"moved" | SetupRefusal> {
  return db.transaction(async (db) => {
    await db.query(sql`select id from outbound_rules where exchange_id = $1 for update`, [exchangeId]);
    const rules = await listOutboundRules(db, exchangeId);
    const from = rules.findIndex((rule) => rule.id === id);
    const moving = rules[from];
    if (!moving) return { refused: "not-found", what: "rule", which: String(id) };
    const priorities = rules.map(({ priority }) => priority);
    const differ = new Set(priorities).size === priorities.length;
    rules.splice(from, 1);
    rules.splice(Math.max(0, up ? from - 1 : from + 1), 0, moving);
    for (const [index, rule] of rules.entries()) {
      const priority = differ ? priorities[index]! : (index + 1) * STEP; // as many as there are rules
      await db.query(sql`update outbound_rules set priority = $3 where exchange_id = $1 and id = $2`, [
        ...[exchangeId, rule.id, priority],
      ]);
    }
    return "moved";
  });
}

export function listOutboundRules(db: Db, exchangeId: number): Promise<OutboundRule[]> {
  return db.query<OutboundRule>(
    sql`select outbound_rules.id, outbound_rules.name, outbound_rules.priority, prefix, trunks.name as trunk,
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
  const deleted = await db.query(sql`delete from outbound_rules where exchange_id = $1 and name = $2 returning id`, [
    exchangeId,
    name,
  ]);
  return deleted.length > 0;
}
