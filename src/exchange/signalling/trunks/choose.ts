// By which trunk a call leaves: the first rule whose prefix fits, then trunks in their order, if they can carry it.

import type { TrunkRule, TrunkSetup } from "../../../store/trunk-state.ts";

/** What is known of a trunk at this moment. */
export type Condition = { up: boolean; channelsUsed: number };

export type TrunkChoice = { trunk: TrunkSetup; rule: string | null; callerId: string | null };

export type Choice =
  | { ways: TrunkChoice[] }
  /** No trunk at all; no rule fits the number; none is up; all that are up are full. */
  | { refused: "no-trunk" | "no-rule" | "trunk-down" | "no-free-channel" };

export type Question = {
  /** In the stored form: 90… at home, 00… abroad. */
  number: string;
  /** Those of one exchange, in the order in which they are tried. */
  rules: readonly TrunkRule[];
  /** Those of one exchange, in order of priority. */
  trunks: readonly TrunkSetup[];
  conditionOf(trunkId: number): Condition;
};

/** Never empty: each way is tried only when the one before it could not carry the call. */
export function chooseTrunks({ number, rules, trunks, conditionOf }: Question): Choice {
  if (trunks.length === 0) return { refused: "no-trunk" };
  const possible = rules.length === 0 ? anyTrunk(trunks) : byRules(number, rules, trunks);
  if (!possible) return { refused: "no-rule" };
  const up = possible.filter(({ trunk }) => conditionOf(trunk.id).up);
  const ways = up.filter(({ trunk }) => hasFreeChannel(trunk, conditionOf(trunk.id)));
  if (ways.length > 0) return { ways };
  return { refused: up.length > 0 ? "no-free-channel" : "trunk-down" };
}

/** For help: every trunk there is. Those that work come first, of them those with room, of them those that rules name. */
export function everyTrunk({ number, rules, trunks, conditionOf }: Question): TrunkChoice[] {
  const named = byRules(number, rules, trunks) ?? [];
  const others = anyTrunk(trunks).filter(({ trunk }) => !named.some((way) => way.trunk.id === trunk.id));
  const rank = ({ trunk }: TrunkChoice) => {
    const condition = conditionOf(trunk.id);
    if (!condition.up) return 2;
    return hasFreeChannel(trunk, condition) ? 0 : 1;
  };
  return [...named, ...others].toSorted((one, other) => rank(one) - rank(other));
}

export function hasFreeChannel({ channelLimit }: TrunkSetup, { channelsUsed }: Condition): boolean {
  return channelLimit === null || channelsUsed < channelLimit;
}

function anyTrunk(trunks: readonly TrunkSetup[]): TrunkChoice[] {
  return trunks.map((trunk) => ({ trunk, rule: null, callerId: null }));
}

// The first rule that fits decides. A later one with the very same prefix is its understudy: whoever wrote two of them
// wants the second trunk when the first is down. A rule with another prefix is not, or a cheap trunk's outage would
// send calls abroad over one that was never meant for them.
function byRules(
  number: string,
  rules: readonly TrunkRule[],
  trunks: readonly TrunkSetup[],
): TrunkChoice[] | undefined {
  const first = rules.find(({ prefix }) => number.startsWith(prefix));
  if (!first) return undefined;
  const ways: TrunkChoice[] = [];
  for (const rule of rules.filter(({ prefix }) => prefix === first.prefix))
    for (const trunk of trunks)
      if ((rule.trunkId === null || rule.trunkId === trunk.id) && !ways.some((way) => way.trunk.id === trunk.id))
        ways.push({ trunk, rule: rule.name, callerId: rule.callerId });
  return ways;
}
