// Hours by weekday: taken apart for a form, and in words for a list.

import type { Both, Language } from "../languages.ts";

export const weekdays: Both<string[]> = {
  tr: ["Pzt", "Sal", "Çar", "Per", "Cum", "Cmt", "Paz"],
  en: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
};

export type Stretch = { opens: string; closes: string };

/** Seven days, Monday first, each with its stretches in order. */
export function daysOf(week: readonly string[]): Stretch[][] {
  const days: Stretch[][] = Array.from({ length: 7 }, () => []);
  for (const line of [...week].sort()) {
    const [, day, opens = "", closes = ""] = /^([1-7]) (\S{5})-(\S{5})$/.exec(line) ?? [];
    days[Number(day) - 1]?.push({ opens, closes });
  }
  return days;
}

export function weekOf(days: readonly (readonly Stretch[])[]): string[] {
  return days.flatMap((stretches, index) => stretches.map(({ opens, closes }) => `${index + 1} ${opens}-${closes}`));
}

/** `Mon–Fri 08:00–12:00, 13:00–18:00; Sat 09:00–13:00`: days in a row that are alike stand together. */
export function weekInWords(week: readonly string[], language: Language): string {
  const names = weekdays[language];
  const runs: { from: number; to: number; hours: string }[] = [];
  daysOf(week).forEach((stretches, day) => {
    const hours = stretches.map(({ opens, closes }) => `${opens}–${closes}`).join(", ");
    const last = runs.at(-1);
    if (last?.hours === hours) last.to = day;
    else runs.push({ from: day, to: day, hours });
  });
  return runs
    .filter(({ hours }) => hours !== "")
    .map(({ from, to, hours }) => `${names[from]}${from === to ? "" : `–${names[to]}`} ${hours}`)
    .join("; ");
}
