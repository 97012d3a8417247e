// Words of the first steps.

import { type Both, inBoth } from "../../words/language.tsx";

export type StepName = "name" | "phones" | "call" | "hours" | "menu" | "number" | "trunk";

export const texts = inBoth({
  title: { tr: "Kurulum", en: "Set up" },
  about: {
    tr: "İlk aramaya kadar adım adım. Her adım atlanabilir ve buradan yeniden bulunur.",
    en: "Step by step to the first calls. Each step can be skipped, and is found here again.",
  },
  later: { tr: "Sonra, canlı panoya git", en: "Later, go to the live board" },
  progress: {
    tr: (done: number, all: number) => `${all} adımdan ${done} tamam`,
    en: (done: number, all: number) => `${done} of ${all} steps are done`,
  },
  done: { tr: "Tamam", en: "Done" },
  skipped: { tr: "Atlandı", en: "Skipped" },
  go: { tr: "Başla", en: "Start" },
  look: { tr: "Göster", en: "Show" },
  read: { tr: "Kılavuzda oku (İngilizce)", en: "Read about it" },
  skip: { tr: "Atla", en: "Skip" },
  again: { tr: "Yeniden göster", en: "Show again" },
  noPhone: { tr: "Önce bir telefon bağlayın.", en: "Connect a phone first." },
  callEcho: {
    tr: (extension: string) => `${extension} ile deneme araması yap`,
    en: (extension: string) => `Make a trial call with ${extension}`,
  },
  ringing: { tr: "Telefon çalıyor; açın ve konuşun.", en: "The phone rings: answer it and speak." },
});

export const stepTexts: Record<StepName, { title: Both; about: Both }> = {
  name: {
    title: { tr: "Ad ve dil", en: "Name and language" },
    about: {
      tr: "Santralin adı, saat dilimi ve yazışma dili.",
      en: "What the exchange is called, its time zone, and the language of its letters.",
    },
  },
  phones: {
    title: { tr: "İlk telefonlar", en: "First phones" },
    about: {
      tr: "Dahili ekleyin; web telefonunu açın ya da QR kodu ile bir cep telefonunu bağlayın.",
      en: "Add an extension; open its web phone, or connect a mobile by QR code.",
    },
  },
  call: {
    title: { tr: "İlk arama", en: "A first call" },
    about: {
      tr: "Deneme şebekesindeki 905000000001 numarası hemen açar ve sesinizi size geri verir. Hat gerekmez.",
      en: "905000000001 in the sandbox answers at once and lets you hear yourself. No trunk is needed.",
    },
  },
  hours: {
    title: { tr: "Mesai saatleri", en: "Office hours" },
    about: {
      tr: "Saatler, tatiller ve elle çevrilen gündüz/gece anahtarı. Değiştirilmezse hafta içi 08:00–18:00.",
      en: "Hours, holidays, and a switch for day and night. Unless changed: Monday to Friday, 08:00 to 18:00.",
    },
  },
  menu: {
    title: { tr: "Sesli menü", en: "Voice menu" },
    about: {
      tr: "Arayanı karşılayın ve tuşla yönlendirin. Anons formun içinde kaydedilir ya da seslendirilir.",
      en: "Greet callers and let them choose by a key. The announcement is recorded or spoken in the form itself.",
    },
  },
  number: {
    title: { tr: "Dış numara", en: "A number" },
    about: {
      tr: "İnsanların aradığı numara ve mesaide, mesai dışında nereye gittiği.",
      en: "The number people call, and where it leads in office hours and outside them.",
    },
  },
  trunk: {
    title: { tr: "Hat", en: "A trunk" },
    about: {
      tr: "Taşıyıcınızın SIP hattı. Hat olana kadar dış aramalar deneme şebekesine gider.",
      en: "The SIP line of your carrier. Until there is one, calls to the outside go to the sandbox.",
    },
  },
};
