// Words of the blocked numbers.

import { inBoth } from "../../words/language.tsx";

export const texts = inBoth({
  title: { tr: "Engelli numaralar", en: "Blocked numbers" },
  about: {
    tr: "Bu numaralardan gelen ya da bu numaralara giden çağrılar reddedilir.",
    en: "Calls from or to these numbers are refused.",
  },
  empty: { tr: "Engellenmiş numara yok.", en: "No number is blocked." },
  add: { tr: "Numara engelle", en: "Block a number" },
  direction: { tr: "Yön", en: "Direction" },
});
