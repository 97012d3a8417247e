// Words of the spending's page.

import { inBoth } from "../../words/language.tsx";

export const texts = inBoth({
  title: { tr: "Harcamalar", en: "Spending" },
  about: {
    tr: "Dış aramaların aylık tutarı ve dakika ücretleri.",
    en: "What calls to the outside cost, by month, and what a minute costs.",
  },
  month: { tr: "Ay", en: "Month" },
  amount: { tr: "Tutar", en: "Amount" },
  limit: { tr: "Aylık sınır", en: "Monthly limit" },
  noLimit: { tr: "Sınır yok", en: "No limit" },
  thisMonth: { tr: "Bu ay", en: "This month" },
  months: { tr: "Aylar", en: "Months" },
  rates: { tr: "Dakika ücretleri", en: "Price of a minute" },
  prefix: { tr: "Numaranın başı", en: "Beginning of the number" },
  all: { tr: "Bütün numaralar", en: "All numbers" },
  price: { tr: "Dakika ücreti", en: "Price of a minute" },
  nothingSpent: { tr: "Henüz harcama yok.", en: "Nothing was spent yet." },
  noRates: { tr: "Ücret girilmemiş.", en: "No prices are set." },
});
