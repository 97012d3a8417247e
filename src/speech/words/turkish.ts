// Turkish: numbers are words set one after the other, and "bir" is not said before "yüz" and "bin".

import type { Words } from "./words.ts";

const ones = ["", "bir", "iki", "üç", "dört", "beş", "altı", "yedi", "sekiz", "dokuz"];
const tens = ["", "on", "yirmi", "otuz", "kırk", "elli", "altmış", "yetmiş", "seksen", "doksan"];
const scales = ["", "bin", "milyon", "milyar", "trilyon", "katrilyon", "kentilyon"];
const months = [
  ...["Ocak", "Şubat", "Mart", "Nisan", "Mayıs", "Haziran"],
  ...["Temmuz", "Ağustos", "Eylül", "Ekim", "Kasım", "Aralık"],
];

export const turkish: Words = {
  cardinal,
  date: (day, month, year) => `${cardinal(BigInt(day))} ${months[month - 1]} ${cardinal(BigInt(year))}`,
  money(lira, kurus) {
    const small = `${cardinal(BigInt(kurus))} kuruş`;
    if (kurus > 0 && lira === 0n) return small;
    return kurus > 0 ? `${cardinal(lira)} lira ${small}` : `${cardinal(lira)} lira`;
  },
};

function cardinal(number: bigint): string {
  if (number === 0n) return "sıfır";
  if (number < 0n) return `eksi ${cardinal(-number)}`;
  const words: string[] = [];
  let rest = number;
  for (let scale = 0; rest > 0n; scale++) {
    // Beyond the words there are, the highest scale simply counts on.
    const last = scale === scales.length - 1;
    const group = last ? rest : rest % 1_000n;
    rest = last ? 0n : rest / 1_000n;
    if (group > 0n) words.unshift(...grouped(group, scale));
  }
  return words.join(" ");
}

function grouped(group: bigint, scale: number): string[] {
  const unit = scales[scale]!; // counted up to the last of them
  if (scale === 1 && group === 1n) return [unit];
  const counted = group < 1_000n ? below1000(Number(group)) : [cardinal(group)];
  return unit === "" ? counted : [...counted, unit];
}

function below1000(number: number): string[] {
  const hundreds = Math.floor(number / 100);
  const words = hundreds === 0 ? [] : hundreds === 1 ? ["yüz"] : [ones[hundreds]!, "yüz"];
  return [...words, tens[Math.floor(number / 10) % 10]!, ones[number % 10]!].filter((word) => word !== "");
}
