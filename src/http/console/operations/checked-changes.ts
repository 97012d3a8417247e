// Changes to columns that point at something: a target, a number of ours, a sound, a trunk. Checked before they are kept.

import { checkTarget, hasSound } from "../../../exchange/plan/checked-target.ts";
import type { Place } from "../../../exchange/plan/target.ts";
import type { Db } from "../../../store/db.ts";
import { findExternalNumber } from "../../../store/external-numbers.ts";
import { findTrunk } from "../../../store/trunks.ts";
import type { ConsoleRefusal } from "../operation/refusal.ts";

type Where = { db: Db; exchangeId: number };
type Check = (value: never, where: Where) => Promise<{ keep: unknown } | ConsoleRefusal>;

const target =
  (place: Place) =>
  async (value: string, where: Where): Promise<{ keep: unknown } | ConsoleRefusal> => {
    const checked = await checkTarget(value, place, where);
    return "target" in checked ? { keep: checked.target } : { refused: "bad-target", target: value, why: checked };
  };

const sound = async (id: number, { db, exchangeId }: Where): Promise<{ keep: unknown } | ConsoleRefusal> =>
  (await hasSound(db, exchangeId, id)) ? { keep: id } : { refused: "announcement-not-found", id };

const ownNumber = async (number: string, { db, exchangeId }: Where): Promise<{ keep: unknown } | ConsoleRefusal> =>
  (await findExternalNumber(db, exchangeId, number)) ? { keep: number } : { refused: "not-own-number", number };

async function keyTargets(keys: Record<string, string>, where: Where): Promise<{ keep: unknown } | ConsoleRefusal> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(keys)) {
    const checked = await target("menu")(value, where);
    if ("refused" in checked) return checked;
    kept[key] = checked.keep;
  }
  return { keep: kept };
}

const checks: Record<string, Check> = {
  forward_always: target("inbound"),
  forward_busy: target("inbound"),
  forward_no_answer: target("inbound"),
  forward_unreachable: target("inbound"),
  overflow_target: target("inbound"),
  no_answer_target: target("inbound"),
  target: target("inbound"),
  closed_target: target("inbound"),
  program_spare_target: target("inbound"),
  timeout_target: target("menu"),
  invalid_target: target("menu"),
  key_targets: keyTargets,
  outbound_caller_id: ownNumber,
  default_caller_id: ownNumber,
  music_announcement_id: sound,
  waiting_announcement_id: sound,
  agent_announcement_id: sound,
  welcome_announcement_id: sound,
  greeting_announcement_id: sound,
};

/** By column, as they may be kept. An empty text takes an optional column's value away. */
export async function checkedChanges(
  changes: Record<string, unknown>,
  where: Where,
): Promise<{ columns: Record<string, unknown> } | ConsoleRefusal> {
  const columns: Record<string, unknown> = {};
  for (const [name, sent] of Object.entries(changes)) {
    const check = checks[name];
    const value = check && sent === "" ? null : sent;
    if (name === "trunk") {
      const found = value ? await findTrunk(where.db, where.exchangeId, String(value)) : undefined;
      if (value && !found) return { refused: "not-found", what: "trunk", which: String(value) };
      columns.trunk_id = found?.id ?? null;
    } else if (check && value !== null) {
      const checked = await check(value as never, where); // the schema has looked at its type
      if ("refused" in checked) return checked;
      columns[name] = checked.keep;
    } else columns[name] = value;
  }
  return { columns };
}
