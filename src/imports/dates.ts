// Days as spreadsheets of this country have them, in the one form that the rest of the exchange reads.

const DAY_MS = 86_400_000;
/** Day 0 of Excel's calendar, with the leap day of 1900 that there never was. */
const EXCEL_BEGAN = Date.UTC(1899, 11, 30);

/** `31.12.2025 14:30` and Excel's 46022.6 become `2025-12-31 14:30:00`; anything else stays as it is. */
export function plainDate(text: string): string {
  const turned = /^(\d{1,2})[./](\d{1,2})[./](\d{4})(?:[ T]+(\d{1,2}:\d{2}(?::\d{2})?))?$/.exec(text.trim());
  if (turned) {
    const [, day = "", month = "", year, time] = turned;
    return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}${time ? ` ${time.padStart(5, "0")}` : ""}`;
  }
  if (!/^\d{4,5}(\.\d+)?$/.test(text.trim())) return text;
  const at = new Date(EXCEL_BEGAN + Math.round((Number(text) * DAY_MS) / 1_000) * 1_000).toISOString();
  return /^\d+$/.test(text.trim()) ? at.slice(0, 10) : at.slice(0, 19).replace("T", " ");
}
