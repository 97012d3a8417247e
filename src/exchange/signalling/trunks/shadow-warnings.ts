// Tells in the log of rules that never get a call.

import type { Log } from "../../../log.ts";
import { shadowedRules } from "../../../store/outbound-rules.ts";
import type { TrunkSetups } from "../../../store/trunk-state.ts";

/** Said when it becomes so, not at every reading. */
export function shadowWarnings(log: Log): (rules: TrunkSetups["rules"]) => void {
  let said = new Set<string>();
  return (rules) => {
    const found = new Set<string>();
    for (const exchangeId of new Set(rules.map((rule) => rule.exchangeId)))
      for (const { rule, by } of shadowedRules(rules.filter((it) => it.exchangeId === exchangeId))) {
        const words = `rule ${rule} never gets a call: ${by} matches first`;
        found.add(`${exchangeId} ${words}`);
        if (!said.has(`${exchangeId} ${words}`)) log.warn({ exchangeId, rule, by }, words);
      }
    said = found;
  };
}
