// How an exchange's fax machine names itself to others, and what it prints on top of the pages.

import type { FaxHeader } from "../../../media/fax/fax-engine.ts";

/** T.30 has room for twenty digits, blanks and pluses. */
const LONGEST = 20;

export function stationIdOf(number: string): string {
  const digits = number.replace(/^00/, "+").replace(/[^0-9+ ]/g, "");
  return (/^90\d{10}$/.test(digits) ? `+${digits}` : digits).slice(0, LONGEST);
}

export function headerOf(
  fax: { localStationId: string; localStationHeader: string; remoteStationId: string },
  { atMs, timeZone }: { atMs: number; timeZone: string },
): FaxHeader {
  const day = { day: "2-digit", month: "2-digit", year: "numeric", hour: "2-digit", minute: "2-digit" } as const;
  const when = new Date(atMs).toLocaleString("tr-TR", { ...day, timeZone });
  const from = [fax.localStationHeader, stationIdOf(fax.localStationId)].filter((it) => it !== "").join("  ");
  return { when, from, to: stationIdOf(fax.remoteStationId) };
}
