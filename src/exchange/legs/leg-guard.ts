// Who may speak in the calls of one leg.

import type { Agreed } from "../../sdp/agreed.ts";
import type { CoreOptions } from "./core-options.ts";
import { DialogGuard } from "./dialog-guard.ts";
import type { LegParts } from "./leg-parts.ts";
import type { Whereabouts } from "./whereabouts.ts";

/** Undefined where nobody can say who may speak for whom. */
export function guardOf(
  { standing, stranger }: Pick<LegParts, "standing" | "stranger">,
  { of, party }: Pick<CoreOptions, "of" | "party">,
  { whereabouts, media }: { whereabouts: Whereabouts; media: { agreed(): Agreed | undefined } },
): DialogGuard | undefined {
  if (!of || !standing) return undefined;
  const tell = (what: { method: string; address: string }) => stranger?.({ ...what, party: party.number });
  return new DialogGuard({
    standing: standing(of, party),
    party,
    whereabouts,
    voice: () => media.agreed(),
    stranger: tell,
  });
}
