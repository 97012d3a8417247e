// What an exchange sets of its agents' desks.

import { choice, link, words, yesOrNo } from "./kinds.ts";

const ofDesks = { tr: "Temsilci masası", en: "Agents' desks" };

const popPlaces = {
  tab: { tr: "Yeni sekmede", en: "In a tab" },
  frame: { tr: "Masanın içinde", en: "On the desk itself" },
};

export const deskFields = {
  breaks: words(
    { tr: "Mola adları", en: "Names of breaks" },
    {
      default: ["Kahve", "Yemek", "Toplantı", "Eğitim"],
      under: ofDesks,
      about: {
        tr: "Temsilci molaya çıkarken seçer; telefonda *22'den sonraki rakam sırasıdır",
        en: "Chosen by agents who take a break; by phone the digit after *22 is the place in this list",
      },
    },
  ),
  call_tags: words(
    { tr: "Önerilen etiketler", en: "Tags to choose from" },
    {
      default: [],
      under: ofDesks,
      about: { tr: "Temsilciler başkalarını da yazabilir", en: "Agents may write others as well" },
    },
  ),
  screen_pop: link(
    { tr: "Çağrıda açılacak bağlantı", en: "Link that opens with a call" },
    {
      orNothing: true,
      under: ofDesks,
      about: {
        tr: "{number}, {uuid} ve {queue} yerine çağrınınkiler yazılır",
        en: "{number}, {uuid} and {queue} are those of the call",
      },
    },
  ),
  screen_pop_in: choice(
    { tr: "Bağlantı nerede açılır", en: "Where that link opens" },
    { among: popPlaces, default: "tab", under: ofDesks },
  ),
  crm_notes: yesOrNo(
    { tr: "Sonuç, etiket ve notlar da bildirilsin", en: "Report dispositions, tags and notes as well" },
    {
      default: false,
      under: ofDesks,
      about: {
        tr: "Çağrı sonu bildiriminde ek alanlar; sonradan yazılanlar call_note bildirimiyle",
        en: "Further fields of the hangup event; what is written later comes as a call_note event",
      },
    },
  ),
};
