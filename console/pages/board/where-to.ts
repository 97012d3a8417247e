// Where a click on somebody leads: to the call that he is in, otherwise to the calls that he had.

import { useMemo } from "react";
import { useLivePart } from "../../live/live.ts";

/** The call of each extension that is in one, or is rung by one. */
export function useCallOfEach(): ReadonlyMap<string, string> {
  const calls = useLivePart((live) => live.calls);
  return useMemo(() => {
    const found = new Map<string, string>();
    for (const { uuid, ringing } of calls.values()) for (const number of ringing) found.set(number, uuid);
    for (const { uuid, extensions } of calls.values()) for (const number of extensions) found.set(number, uuid);
    return found;
  }, [calls]);
}

export function leadsTo(number: string, call: string | undefined): string {
  return call === undefined ? `/calls?extension=${encodeURIComponent(number)}` : `/calls/${call}`;
}
