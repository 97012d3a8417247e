// Words of numbers, hours, trunks and outbound rules.

import { inBoth } from "../../words/language.tsx";

export const texts = inBoth({
  numbers: { tr: "Numaralar ve saatler", en: "Numbers and hours" },
  numbersAbout: {
    tr: "Dışarıdan aranan numaralar: mesaide ve mesai dışında nereye gittikleri.",
    en: "Numbers people call: where they lead in office hours and outside them.",
  },
  noNumbers: { tr: "Henüz numara yok.", en: "There are no numbers yet." },
  addNumber: { tr: "Numara ekle", en: "Add a number" },
  numberForm: { tr: "Ülke koduyla, örneğin 908505320000", en: "With country code, such as 908505320000" },
  description: { tr: "Açıklama", en: "Description" },
  holidays: { tr: "Tatiller", en: "Holidays" },
  noHolidays: { tr: "Tatil tanımlanmamış.", en: "No holidays are set." },
  addHoliday: { tr: "Tatil ekle", en: "Add a holiday" },
  day: { tr: "Gün", en: "Day" },
  everyNumber: { tr: "Tüm numaralar", en: "Every number" },
  holidayTarget: { tr: "O gün hedef", en: "Leads to on that day" },
  trunks: { tr: "Hatlar ve kurallar", en: "Trunks and rules" },
  trunksAbout: {
    tr: "Taşıyıcılara giden SIP hatları ve dış aramaların hangi hattan çıktığı.",
    en: "SIP lines to carriers, and by which of them calls leave.",
  },
  noTrunks: {
    tr: "Henüz hat yok. Hat olmadıkça deneme şebekesi kullanılır.",
    en: "There are no trunks yet. Until there is one, the sandbox network is used.",
  },
  addTrunk: { tr: "Hat ekle", en: "Add a trunk" },
  health: { tr: "Durum", en: "Health" },
  up: { tr: "Çalışıyor", en: "Up" },
  down: { tr: "Yanıt yok", en: "Down" },
  passive: { tr: "Pasif", en: "Passive" },
  unknown: { tr: "Bilinmiyor", en: "Unknown" },
  since: { tr: (time: string) => `${time} saatinden beri`, en: (time: string) => `since ${time}` },
  lastAnswer: { tr: "Son yanıt", en: "Last answer" },
  nextTry: { tr: (time: string) => `(sonraki ${time})`, en: (time: string) => `(next ${time})` },
  inUse: { tr: "Kullanılan kanal", en: "Channels in use" },
  registeredUntil: { tr: "Kayıt geçerli", en: "Registered until" },
  rules: { tr: "Dış arama kuralları", en: "Outbound rules" },
  noRules: {
    tr: "Kural yok: çağrılar önceliği en küçük hattan çıkar.",
    en: "There are no rules: calls leave by the trunk with the lowest priority.",
  },
  addRule: { tr: "Kural ekle", en: "Add a rule" },
  anyNumber: { tr: "Her numara", en: "Any number" },
  neverUsed: { tr: "Hiç kullanılmaz", en: "Never used" },
  shadowed: {
    tr: (by: string) => `Önceki “${by}” kuralı bu numaraların hepsine uyuyor.`,
    en: (by: string) => `The rule “${by}” before it matches every number of this one.`,
  },
  order: { tr: "Sıra", en: "Order" },
  earlier: { tr: "Yukarı taşı", en: "Move up" },
  later: { tr: "Aşağı taşı", en: "Move down" },
  anyTrunk: { tr: "Uygun hat", en: "Any trunk" },
});
