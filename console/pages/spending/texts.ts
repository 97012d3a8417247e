// Words of what calls cost.

import { inBoth } from "../../words/language.tsx";

export const texts = inBoth({
  title: { tr: "Harcama ve ücretler", en: "Spending and rates" },
  about: {
    tr: "Dış aramaların ücreti, aranan numaranın başına göre hesaplanır; başlanan her dakika sayılır. En uzun eşleşen baş geçerlidir.",
    en: "Calls to the outside are priced by the beginning of the number; every started minute counts. The longest beginning that fits goes.",
  },
  month: { tr: "Ay", en: "Month" },
  thisMonth: { tr: "Bu ay", en: "This month" },
  limit: { tr: "Aylık sınır", en: "Monthly limit" },
  noLimit: { tr: "Sınır yok", en: "No limit" },
  left: { tr: "Kalan", en: "Left" },
  spent: { tr: "Harcanan", en: "Spent" },
  reached: { tr: "Sınıra ulaşıldı", en: "Limit reached" },
  months: { tr: "Aylara göre", en: "Month by month" },
  noMonths: { tr: "Henüz ücretli arama yok.", en: "No call has cost anything yet." },
  alarms: { tr: "Alarmlar", en: "Alarms" },
  noAlarms: {
    tr: "Alarm yok. Ayarlar, Harcama alarmları altında kurulur.",
    en: "There was no alarm. They are set in Settings, Alarms of spending.",
  },
  lastHour: {
    tr: (spent: string, limit?: string) => `Son bir saatte ${spent}${limit === undefined ? "" : `, sınır ${limit}`}`,
    en: (spent: string, limit?: string) =>
      `${spent} in the last hour${limit === undefined ? "" : `, of ${limit} that are allowed`}`,
  },
  alarmAbout: { tr: "Neden", en: "About" },
  alarmOf: { tr: "Kimin", en: "Whose" },
  wholeExchange: { tr: "Bütün santral", en: "The whole exchange" },
  alarmValue: { tr: "Ulaşılan", en: "Reached" },
  alarmSet: { tr: "Sınır", en: "Set at" },
  breakdown: { tr: "Harcama dökümü", en: "What it was spent on" },
  period: {
    tr: (now: string, before: string) => `${now}; önceki dönem ${before} ile karşılaştırılır`,
    en: (now: string, before: string) => `${now}, beside ${before}`,
  },
  from: { tr: "Başlangıç", en: "From" },
  to: { tr: "Bitiş", en: "To" },
  by: { tr: (what: string) => `Döküm: ${what}`, en: (what: string) => `Spent by: ${what}` },
  byDay: { tr: "Günlere göre harcama", en: "Spent day by day" },
  calls: { tr: "Ücretli arama", en: "Paid calls" },
  minutes: { tr: "Dakika", en: "Minutes" },
  excel: { tr: "Excel", en: "Excel" },
  noneSpent: { tr: "Bu dönemde ücretli arama yok.", en: "No call cost anything in this period." },
  paidCalls: { tr: "Ücretli aramalar", en: "The calls that were paid for" },
  callsOf: {
    tr: (by: string, line: string) => `Ücretli aramalar · ${by}: ${line}`,
    en: (by: string, line: string) => `The calls that were paid for · ${by}: ${line}`,
  },
  allCalls: { tr: "Hepsini göster", en: "Show all" },
  at: { tr: "Zaman", en: "Time" },
  number: { tr: "Aranan numara", en: "Number called" },
  rates: { tr: "Dakika ücretleri", en: "Prices of a minute" },
  noRates: { tr: "Ücret tanımlı değil: aramalar ücretsiz sayılır.", en: "No prices are set: calls count as free." },
  prefix: { tr: "Numaranın başı", en: "Beginning of the number" },
  prefixAbout: {
    tr: "Örneğin 905 (cep), 00 (yurt dışı). Boş: diğer tüm numaralar.",
    en: "Such as 905 (mobile), 00 (abroad). Empty: all other numbers.",
  },
  others: { tr: "Diğer tüm numaralar", en: "All other numbers" },
  price: { tr: "Dakikası", en: "A minute" },
  priceAbout: { tr: "Örneğin 0.35", en: "Such as 0.35" },
  add: { tr: "Ücret ekle", en: "Set a price" },
});
