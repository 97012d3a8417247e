// Voice to a party that is held back: told in the call's story, and to whoever reads the log why a carrier hears nothing.

import type { StreamEvent } from "../../media/engine.ts";
import type { LegEvent } from "../calls/leg.ts";
import type { CoreOptions } from "./core-options.ts";

/** `mend`: the setting that says that the address is the trunk's; a phone has none. */
export type HeldBack = {
  party: string;
  trunk?: string;
  address: string;
  why: (StreamEvent & { is: "held-back" })["why"];
  mend?: string;
};

export function heldBack(
  { address, why }: StreamEvent & { is: "held-back" },
  { party, of }: Pick<CoreOptions, "party" | "of">,
  tell: ((what: HeldBack) => void) | undefined,
): LegEvent {
  const trunk = of?.trunk ?? undefined;
  const at = { address, why, ...(trunk !== undefined && { trunk }) };
  const mend = trunk !== undefined && { mend: `santral trunk set ${trunk} media-networks=${address}` };
  tell?.({ party: party.number, ...at, ...mend });
  return { is: "told", fact: { is: "voice-held-back", party, ...at } };
}
