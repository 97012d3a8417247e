// Words of the recording archive.

import { inBoth } from "../../../words/language.tsx";

type Counts = { archived: number; outsideOnly: number; waiting: number; failing: number; toRemove: number };

export const texts = inBoth({
  title: { tr: "Ses kaydı arşivi", en: "Recording archive" },
  about: {
    tr: "Ses kayıtları dışarıdaki bir depoya kopyalanır ve bir süre sonra yalnızca orada durur. Dinleme ve indirme aynı kalır.",
    en: "Recordings are copied to a store outside, and after some days live only there. Listening and downloading stay the same.",
  },
  secretKept: {
    tr: "Kayıtlı ve mühürlü. Boş bırakılırsa değişmez; başka bir sunucu için yeniden yazılır",
    en: "Kept, sealed. Left empty it stays; for another host it has to be typed again",
  },
  switchOn: { tr: "Yeniden aç", en: "Switch on again" },
  switchOff: { tr: "Kapat", en: "Switch off" },
  isOff: {
    tr: "Arşivleme kapalı; dışarıdaki kayıtlar dinlenebilir",
    en: "Archiving is off; what lies outside can be heard",
  },
  test: { tr: "Dene", en: "Try it" },
  testOk: { tr: "Çalışıyor", en: "It works" },
  testOkAbout: {
    tr: "Küçük bir dosya yazıldı, geri okundu ve silindi.",
    en: "A small file was written, read back and deleted.",
  },
  testFailed: { tr: "Çalışmıyor", en: "It does not work" },
  progress: { tr: "Durum", en: "State" },
  goesTo: { tr: (place: string) => `Kayıtların yeri: ${place}`, en: (place: string) => `Recordings go to ${place}` },
  counts: {
    tr: ({ archived, outsideOnly, waiting, failing, toRemove }: Counts) =>
      `${archived} arşivde (${outsideOnly} yalnızca orada), ${waiting} bekliyor, ${failing} başarısız, ${toRemove} oradan silinecek`,
    en: ({ archived, outsideOnly, waiting, failing, toRemove }: Counts) =>
      `${archived} archived (${outsideOnly} only there), ${waiting} waiting, ${failing} failing, ${toRemove} to be removed there`,
  },
  failing: { tr: "Depo kayıtları almıyor", en: "The store does not take recordings" },
  since: { tr: (when: string) => `${when} tarihinden beri`, en: (when: string) => `since ${when}` },
  earlier: { tr: "Önceki yerler", en: "Earlier places" },
  earlierAbout: {
    tr: "Oraya konmuş kayıtlar oradan dinlenir. Kayıt duran bir yer kaldırılamaz.",
    en: "What was put there is heard from there. A place that holds recordings cannot be taken away.",
  },
  place: { tr: "Yer", en: "Place" },
  recordings: { tr: "Kayıt", en: "Recordings" },
  state: { tr: "Durum", en: "State" },
});
