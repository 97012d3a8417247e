// Words of the parts that many pages are built from.

import { type Both, inBoth } from "../words/language.tsx";
import type { NoMicrophone } from "./microphone.ts";

export const keysTexts = inBoth({
  key: { tr: (key: string) => `${key} tuşu`, en: (key: string) => `Key ${key}` },
  add: { tr: "Tuş ekle", en: "Add a key" },
});

export const passwordTexts = inBoth({ show: { tr: "Parolayı göster veya gizle", en: "Show or hide the password" } });

export const playerTexts = inBoth({
  listen: { tr: "Dinle", en: "Play" },
  pause: { tr: "Duraklat", en: "Pause" },
  position: { tr: "Konum", en: "Position" },
  download: { tr: "Ses dosyasını indir", en: "Download the sound" },
  unheard: {
    tr: "Ses şu anda alınamıyor. Daha sonra yeniden deneyin.",
    en: "The sound cannot be had now. Try again later.",
  },
});

export const preferenceTexts = inBoth({
  darker: { tr: "Koyu görünüm", en: "Dark" },
  lighter: { tr: "Açık görünüm", en: "Light" },
});

export const officeTexts = inBoth({
  open: { tr: "Ofis açık", en: "Office open" },
  closed: { tr: "Ofis kapalı", en: "Office closed" },
  byHand: { tr: "elle", en: "by hand" },
  about: {
    tr: "Elle çevrilen anahtar, geri çevrilene kadar saatlerden ve tatillerden önce gelir.",
    en: "What is switched by hand goes before hours and holidays until it is switched back.",
  },
});

export const weekTexts = inBoth({
  own: { tr: "Bu numaranın kendi saatleri var", en: "This number has hours of its own" },
  closed: { tr: "Kapalı", en: "Closed" },
  opens: { tr: "açılış", en: "opens" },
  closes: { tr: "kapanış", en: "closes" },
  add: { tr: "Aralık ekle", en: "Add a stretch" },
  sameAsFirst: { tr: "Pazartesiyi hafta içine uygula", en: "Use Monday's for Monday to Friday" },
});

export const passive: Both = { tr: "pasif", en: "passive" };

export const recorderTexts = inBoth({
  record: { tr: "Mikrofonla kaydet", en: "Record" },
  title: { tr: "Mikrofonla anons kaydı", en: "Record an announcement" },
  about: {
    tr: (minutes: number) => `Bu bilgisayarın mikrofonuyla, en çok ${minutes} dakika. Kaydetmeden önce dinlersiniz.`,
    en: (minutes: number) =>
      `With this computer's microphone, at most ${minutes} minutes. You listen before it is kept.`,
  },
  begin: { tr: "Kayda başla", en: "Start recording" },
  stop: { tr: "Kaydı bitir", en: "Stop recording" },
  recording: { tr: "Kaydediliyor", en: "Recording" },
  level: { tr: "Ses düzeyi", en: "Level" },
  listen: { tr: "Kaydı dinle", en: "Listen to the recording" },
  again: { tr: "Yeniden kaydet", en: "Record again" },
  keep: { tr: "Anonsu kaydet", en: "Save announcement" },
  named: { tr: "Kayıt", en: "Recording" },
  atLimit: {
    tr: (minutes: number) => `Kayıt ${minutes} dakikada kesildi: bir anons daha uzun olamaz.`,
    en: (minutes: number) => `The recording was cut at ${minutes} minutes: no announcement is longer.`,
  },
  quiet: {
    tr: "Hiç ses gelmedi. Mikrofon kapalı ya da yanlış aygıt seçili olabilir.",
    en: "Nothing was heard. The microphone may be muted, or the wrong one chosen.",
  },
  noneTitle: { tr: "Mikrofon kullanılamıyor", en: "The microphone cannot be used" },
});

export const noMicrophone: Record<NoMicrophone, Both> = {
  insecure: {
    tr: "Tarayıcılar mikrofonu yalnızca https ile açılan sayfalara verir. Konsolu https adresinden açın ya da bir dosya yükleyin.",
    en: "Browsers give a microphone only to pages that came by https. Open the console by its https address, or upload a file.",
  },
  unable: {
    tr: "Bu tarayıcı ses kaydedemiyor. Başka bir tarayıcı deneyin ya da bir dosya yükleyin.",
    en: "This browser cannot record sound. Try another one, or upload a file.",
  },
  absent: {
    tr: "Bu bilgisayarda mikrofon bulunamadı. Takılı olduğuna bakın.",
    en: "This computer has no microphone. See whether it is plugged in.",
  },
  forbidden: {
    tr: "Mikrofona izin verilmedi. Adres çubuğundaki simgeden izin verip yeniden deneyin.",
    en: "The microphone is not allowed. Allow it by the icon in the address bar, and try again.",
  },
  busy: {
    tr: "Mikrofona ulaşılamadı: başka bir program kullanıyor olabilir.",
    en: "The microphone cannot be reached: another program may be using it.",
  },
};

export const downloadTexts = inBoth({
  coming: {
    tr: (what: string, amount: string) => `${what}: ${amount} geldi`,
    en: (what: string, amount: string) => `${what}: ${amount} so far`,
  },
  rows: {
    tr: (what: string, done: string, all: string) => `${what}: ${all} satırdan ${done} geldi`,
    en: (what: string, done: string, all: string) => `${what}: ${done} of ${all} rows`,
  },
  stop: { tr: "Durdur", en: "Stop" },
  notFetched: { tr: "Tablo indirilemedi.", en: "The table could not be fetched." },
});

export const newSoundTexts = inBoth({
  make: { tr: "Yeni anons", en: "New announcement" },
  speak: { tr: "Metni seslendir", en: "Have a text spoken" },
  upload: { tr: "Dosya yükle", en: "Upload a file" },
  text: { tr: "Metin", en: "Text" },
  language: { tr: "Dil", en: "Language" },
  choose: { tr: "Ses dosyası seç", en: "Choose a sound file" },
  keep: { tr: "Seslendir ve kaydet", en: "Speak and save" },
});

export const notYoursTexts = inBoth({
  title: { tr: "Bu sayfayı açma yetkiniz yok", en: "You may not open this page" },
  needs: {
    tr: (right: string) => `Bu sayfa için gereken yetki: ${right}. Rolünüzde bu yetki yok.`,
    en: (right: string) => `This page is for those who may ${right}. Your role does not include that.`,
  },
  askWhom: {
    tr: (names: string) => `Yetki verebilecek kişi: ${names}.`,
    en: (names: string) => `Ask ${names}.`,
  },
});

export const breakTexts = inBoth({
  other: { tr: "Diğer", en: "Other" },
});

export const leaveCallTexts = inBoth({
  discardTitle: { tr: "Görüşmeniz sürüyor", en: "You are in a call" },
  discardAbout: { tr: "Çıkış yaparsanız görüşme kapanır.", en: "Signing out hangs up." },
  discard: { tr: "Kapat ve çık", en: "Hang up and sign out" },
  keepEditing: { tr: "Görüşmede kal", en: "Stay in the call" },
});
