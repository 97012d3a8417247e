// Words of a new campaign's form.

import { inBoth } from "../../words/language.tsx";

export const texts = inBoth({
  make: { tr: "Kampanya başlat", en: "Begin a campaign" },
  begun: { tr: "Kampanya başladı.", en: "The campaign has begun." },
  numbers: { tr: "Numaralar", en: "Numbers" },
  numbersAbout: {
    tr: "Her satıra bir numara; yanına, virgül veya noktalı virgülle ayrılmış, ona söylenecek söz yazılabilir",
    en: "One a line; beside it, after a comma or semicolon, what is said to that person",
  },
  list: { tr: "Ya da bir liste dosyası (CSV)", en: "Or a file with the list (CSV)" },
});
