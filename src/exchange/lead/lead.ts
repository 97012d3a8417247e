// Leads a party of a call to its goal: finds the script that knows the way there, and runs it.

import type { CallParts, Led } from "../calls/call.ts";
import type { Goal } from "../calls/goal.ts";
import type { SettingsBook } from "../plan/settings.ts";
import type { Target } from "../plan/target.ts";
import { CallerGone } from "./attendant.ts";
import { Guide, type GuideMeans } from "./guide.ts";
import type { Scripts } from "./scripts.ts";

type LeadParts = Omit<GuideMeans, "lead"> & { settings: SettingsBook };

export function openLead({ settings, ...means }: LeadParts, { goals, targets }: Scripts): CallParts<Goal>["lead"] {
  const run = async (guide: Guide, goal: Goal): Promise<Led> => {
    // The script is chosen by the very field its parameter narrows on.
    if (goal.is !== "target") return (goals[goal.is] as (guide: Guide, goal: Goal) => Promise<Led>)(guide, goal);
    const script = targets[goal.target.to] as (guide: Guide, target: Target, by?: string) => Promise<Led>;
    return script(guide, goal.target, goal.by);
  };
  const lead = (guide: Guide, goal: Goal) => guide.towards(goal, () => run(guide, goal));
  return async (call, { leg, goal, signal }) => {
    const book = await settings.of(call.facts.exchangeId);
    if (!book) return { failed: { cause: "NO_ROUTE_DESTINATION" } };
    return runScript(() => lead(new Guide({ ...means, lead }, { call, leg, signal, book }, undefined), goal));
  };
}

/** A script whose caller is gone has nothing more to say; what became of the call is known elsewhere. */
async function runScript(script: () => Promise<Led>): Promise<Led> {
  try {
    return await script();
  } catch (error) {
    if (error instanceof CallerGone) return { failed: { cause: "ORIGINATOR_CANCEL" } };
    throw error;
  }
}
