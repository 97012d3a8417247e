// A time of day as people type it, by the clock of 24 hours: "9", "930", "9.30" and "09:30".

/** As HH:MM; undefined for what no clock shows. */
export function timeOfDayIn(text: string): string | undefined {
  const [, hours = "", minutes = "0"] = /^(\d{1,2})(?:\s*(?:[:.,]\s*)?(\d{2}))?$/.exec(text.trim()) ?? [];
  if (hours === "" || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return `${hours.padStart(2, "0")}:${minutes.padStart(2, "0")}`;
}
