// Who hung up while nobody was there, or was heard by a process that died before it kept it, is found out: whoever says nothing
// after his call went on is asked for a sign of life.

import type { LegCore } from "./leg-core.ts";

type Asked = Pick<LegCore, "parts" | "media" | "session" | "over" | "isGone" | "attempt">;

/** Late packets of before are none of his. */
const BEGINS_AFTER_MS = 500;
/** Many phones say nothing while nobody speaks; being asked once does them no harm. */
const SILENT_FOR_MS = 2_500;
/** Whoever holds the other has put the receiver down. */
const HOLDING_FOR_MS = 12_000;

export function askIfSilent(leg: Asked): void {
  const { clock } = leg.parts;
  let cancel = clock.after(BEGINS_AFTER_MS, () => leg.attempt(begin()));
  void leg.over.then(() => cancel());
  const begin = async () => {
    const before = await packetsOf(leg);
    const afterMs = leg.media.isHeld() ? HOLDING_FOR_MS : SILENT_FOR_MS;
    if (!leg.isGone) cancel = clock.after(afterMs, () => leg.attempt(ask(before)));
  };
  const ask = async (before: number | undefined) => {
    if ((await packetsOf(leg)) === before && !leg.isGone) await leg.session.renew([]);
  };
}

async function packetsOf({ parts, media }: Asked): Promise<number | undefined> {
  const stream = media.stream();
  return stream === undefined ? undefined : (await parts.media.statistics(stream)).packetsIn;
}
