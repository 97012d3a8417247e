// Which days of the calendar call for a contact's automatic message: birthdays, wedding days and a day of each month.

export type SpecialDays = {
  /** `02-28`: the dates whose yearly messages go out today. */
  anniversaries: string[];
  /** The days of the month whose monthly messages go out today. */
  monthDays: number[];
};

/**
 * What a short month does not have goes out on its last day: the 31st on the 30th, the 29th to 31st on 28 February, and in
 * years without a leap day an anniversary of 29 February on the 28th.
 */
export function specialDaysOf(day: string): SpecialDays {
  // The day is our own writing of a calendar date, `YYYY-MM-DD`.
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  const last = lastDayOf(year, month);
  const monthDays = date === last ? Array.from({ length: 31 - last + 1 }, (_, later) => last + later) : [date];
  const today = day.slice(5);
  return { anniversaries: today === "02-28" && last === 28 ? [today, "02-29"] : [today], monthDays };
}

export function fillIn(text: string, contact: { name: string; surname: string }): string {
  return text.replaceAll("{name}", contact.name).replaceAll("{surname}", contact.surname);
}

function lastDayOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
