// Tells in the log of rules that never get a call.

import type { Log } from "../../../log.ts";
import { shadowedRules } from "../../../store/outbound-rules.ts";
import type { TrunkRule } from "../../../store/trunk-state.ts";

/** Said when it becomes so, not at every reading. */
export function shadowWarnings(log: Log): (exchangeId: number, rules: readonly TrunkRule[]) => void {
  const said = new Map<number, Set<string>>();
  return (exchangeId, rules) => {
    const before = said.get(exchangeId);
    const found = new Set<string>();
    for (const { rule, by } of shadowedRules(rules)) {
      const words = `rule ${rule} never gets a call: ${by} matches first`;
      found.add(words);
      if (!before?.has(words)) log.warn({ exchangeId, rule, by }, words);
    }
    if (found.size > 0) said.set(exchangeId, found);
    else said.delete(exchangeId);
  };
}
