// Turns calls away at the SIP door while the gate is shut, before they cost a transaction, a leg or a line of the journal.

import { type Clock, since } from "../../clock.ts";
import { toOf } from "../../sip/headers/addresses.ts";
import { tagOf } from "../../sip/headers/name-address.ts";
import { topViaOf } from "../../sip/headers/via.ts";
import { headerOf, type Request } from "../../sip/message/message.ts";
import type { Screened } from "../../sip/stack-options.ts";
import { serverKey } from "../../sip/transaction/key.ts";
import type { CallGate } from "./overload.ts";

/** Soon: who takes it at its word sends nothing at all meanwhile (RFC 3261 21.5.4), and there will be room by then. */
export const TRY_AGAIN = { status: 503, headers: [{ name: "Retry-After", value: "1" }] };

/** A copy of an INVITE may lie in the queue behind the one that was refused for as long as this. */
const REMEMBERED_MS = 16_000;
const MOST_REMEMBERED = 20_000;

export function openGatekeeper(
  clock: Clock,
  gate: Pick<CallGate, "isShut" | "turnedAway">,
  isForHelp: (request: Request) => boolean = () => false,
): (request: Request) => Screened {
  const known = recently(clock);
  return (request) => {
    if (!beginsCall(request)) return "pass";
    if (!gate.isShut() && known.isEmpty()) return "pass";
    if (isForHelp(request)) return "pass";
    const key = serverKey(request, topViaOf(request));
    // Once refused it stays refused: its caller is gone, and a copy of it let in would ring for nobody.
    if (known.has(key)) return TRY_AGAIN;
    if (!gate.isShut()) return "pass";
    known.add(key);
    gate.turnedAway();
    return TRY_AGAIN;
  };
}

/** Not what is part of a call already: within its dialog, or in the place of one of its parties. */
function beginsCall(request: Request): boolean {
  return (
    request.method === "INVITE" && tagOf(toOf(request)) === undefined && headerOf(request, "Replaces") === undefined
  );
}

/** Keys of the last while, in two halves of which the older is forgotten as a whole. */
function recently(clock: Clock) {
  let [young, old] = [new Set<string>(), new Set<string>()];
  let turned = clock.ticks();
  const turn = () => {
    if (since(clock, turned) < REMEMBERED_MS && young.size < MOST_REMEMBERED) return;
    if (since(clock, turned) >= 2 * REMEMBERED_MS) young.clear();
    [young, old] = [new Set(), young];
    turned = clock.ticks();
  };
  return {
    isEmpty() {
      turn();
      return young.size + old.size === 0;
    },
    has: (key: string) => young.has(key) || old.has(key),
    add(key: string) {
      turn();
      young.add(key);
    },
  };
}
