// Words of the list of calls and of one call.

import { type Became, becameOf } from "../../../src/nouns/became.ts";
import { inBoth } from "../../words/language.tsx";

export const texts = inBoth({
  notes: { tr: "Notlar", en: "Notes" },
  writtenBy: {
    tr: (extension: string, when: string) => `Dahili ${extension} · ${when}`,
    en: (extension: string, when: string) => `Extension ${extension} · ${when}`,
  },
  openNote: { tr: "açık not", en: "open note" },
  owesDisposition: { tr: "sonucu eksik", en: "disposition missing" },
  atDesk: { tr: "Masada aç", en: "Open at the desk" },
  title: { tr: "Çağrılar ve kayıtlar", en: "Calls and recordings" },
  from: { tr: "Başlangıç", en: "From" },
  to: { tr: "Bitiş", en: "To" },
  direction: { tr: "Yön", en: "Direction" },
  caller: { tr: "Arayan", en: "Caller" },
  destination: { tr: "Aranan", en: "Called" },
  about: { tr: "Numara veya ad", en: "Number or name" },
  play: { tr: (who: string) => `Kaydı dinle: ${who}`, en: (who: string) => `Play the recording: ${who}` },
  stop: { tr: (who: string) => `Kaydı durdur: ${who}`, en: (who: string) => `Stop the recording: ${who}` },
  queue: { tr: "Kuyruk veya grup", en: "Queue or group" },
  disposition: { tr: "Görüşme sonucu", en: "Disposition" },
  tag: { tr: "Etiket", en: "Tag" },
  note: { tr: "Notta geçen", en: "Words in a note" },
  recording: { tr: "Ses kaydı", en: "Recording" },
  present: { tr: "Var", en: "Kept" },
  deleted: { tr: "Silinmiş", en: "Deleted" },
  none: { tr: "Yok", en: "None" },
  result: { tr: "Sonuç", en: "Result" },
  untaken: { tr: "Kimse almadı", en: "Taken by nobody" },
  wantedPerson: { tr: "Cevaplanan ve cevapsız", en: "Answered and missed" },
  waitedOver: {
    tr: (seconds: string) => `${seconds} sn’den uzun bekledi`,
    en: (seconds: string) => `Waited over ${seconds} s`,
  },
  waitedUpTo: {
    tr: (seconds: string) => `en çok ${seconds} sn bekledi`,
    en: (seconds: string) => `Waited up to ${seconds} s`,
  },
  hour: { tr: (hour: string) => `saat ${hour}`, en: (hour: string) => `Hour ${hour}` },
  extension: { tr: (number: string) => `Dahili ${number}`, en: (number: string) => `Extension ${number}` },
  weekday: {
    tr: (day: string) =>
      ["", "Pazartesi", "Salı", "Çarşamba", "Perşembe", "Cuma", "Cumartesi", "Pazar"][Number(day)] ?? day,
    en: (day: string) =>
      ["", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][Number(day)] ?? day,
  },
  queueWaitedOver: {
    tr: (seconds: string) => `Kuyrukta ${seconds} sn’den uzun`,
    en: (seconds: string) => `Over ${seconds} s in the queue`,
  },
  queueWaitedUpTo: {
    tr: (seconds: string) => `Kuyrukta en çok ${seconds} sn`,
    en: (seconds: string) => `At most ${seconds} s in the queue`,
  },
  campaign: { tr: (id: string) => `Kampanya ${id}`, en: (id: string) => `Campaign ${id}` },
  became: {
    tr: (what: string) => becameOf[what as Became]?.tr ?? what, // of an address that somebody typed
    en: (what: string) => becameOf[what as Became]?.en ?? what,
  },
  queued: { tr: (_: string) => "Bir kuyruğa gelen", en: (_: string) => "Came to a queue" },
  talked: { tr: (_: string) => "Konuşulan", en: (_: string) => "With talk" },
  talkedBy: { tr: (who: string) => `Konuşan dahili ${who}`, en: (who: string) => `Talk of ${who}` },
  madeBy: { tr: (who: string) => `Arayan dahili ${who}`, en: (who: string) => `Made by ${who}` },
  takenBy: { tr: (who: string) => `Alan dahili ${who}`, en: (who: string) => `Taken by ${who}` },
  unansweredBy: { tr: (who: string) => `${who} cevaplamadı`, en: (who: string) => `Not answered by ${who}` },
  offeredTo: { tr: (who: string) => `Temsilciye sunulan: ${who}`, en: (who: string) => `Offered to agent ${who}` },
  answeredBy: { tr: (who: string) => `Temsilci cevapladı: ${who}`, en: (who: string) => `Answered by agent ${who}` },
  letPassBy: { tr: (who: string) => `Temsilci kaçırdı: ${who}`, en: (who: string) => `Missed by agent ${who}` },
  surveyOf: { tr: (who: string) => `Anket puanı alan: ${who}`, en: (who: string) => `With a score for agent ${who}` },
  ownNumber: { tr: (number: string) => `Dış numara ${number}`, en: (number: string) => `External number ${number}` },
  without: { tr: (text: string) => `Kaldır: ${text}`, en: (text: string) => `Take away: ${text}` },
  any: { tr: "Tümü", en: "All" },
  began: { tr: "Başladı", en: "Began" },
  talk: { tr: "Konuşma", en: "Talk" },
  waited: { tr: "Bekleme", en: "Waited" },
  csv: { tr: "CSV indir", en: "Download CSV" },
  excel: { tr: "Excel indir", en: "Download Excel" },
  cut: {
    tr: (most: string) => `Bir Excel sayfasına en yeni ${most} çağrı sığar; CSV dosyasında hepsi bulunur.`,
    en: (most: string) => `A sheet of Excel holds the newest ${most} calls; the CSV file has all of them.`,
  },
  cutLadder: {
    tr: (shown: number, all: number) => `${all} SIP mesajından ilk ${shown} tanesi gösteriliyor.`,
    en: (shown: number, all: number) => `The first ${shown} of ${all} SIP messages are shown.`,
  },
  noCalls: { tr: "Bu süzgeçle çağrı bulunamadı.", en: "No calls match these filters." },
  open: { tr: "Çağrıyı aç", en: "Open the call" },
  back: { tr: "Çağrı listesi", en: "All calls" },
  oneCall: { tr: "Çağrı", en: "Call" },
  summary: { tr: "Özet", en: "Summary" },
  story: { tr: "Çağrının öyküsü", en: "The call's story" },
  noStory: { tr: "Bu çağrı için not tutulmamış.", en: "Nothing was noted about this call." },
  way: { tr: "Çağrının yolu", en: "The way it took" },
  ladder: { tr: "SIP merdiveni", en: "SIP ladder" },
  noLadder: {
    tr: "SIP mesajları bir gün saklanır; bu çağrınınki yok.",
    en: "SIP messages are kept for a day; there are none of this call.",
  },
  receivedFrom: {
    tr: (label: string, peer: string) => `${label}, gönderen ${peer}`,
    en: (label: string, peer: string) => `${label} from ${peer}`,
  },
  sentTo: {
    tr: (label: string, peer: string) => `${label}, alıcı ${peer}`,
    en: (label: string, peer: string) => `${label} to ${peer}`,
  },
  notForYou: {
    tr: "Ses kaydı var; dinleme yetkiniz yok.",
    en: "There is a recording, but you may not hear it.",
  },
  noRecording: { tr: "Bu çağrının ses kaydı yok.", en: "This call was not recorded." },
  device: { tr: "Cihaz", en: "Device" },
  codecs: { tr: "Kodek", en: "Codecs" },
  duration: { tr: "Süre", en: "Duration" },
  ended: { tr: "Bitti", en: "Ended" },
  endedBy: { tr: "Kapatan", en: "Hung up by" },
  cause: { tr: "Neden", en: "Cause" },
});

export const formTexts = inBoth({
  title: {
    tr: (form: string, extension: string) => `Form: ${form} (${extension})`,
    en: (form: string, extension: string) => `Form: ${form} (${extension})`,
  },
  fillIn: { tr: "Doldur", en: "Fill in" },
  correct: { tr: "Düzelt", en: "Correct" },
  owed: { tr: "Henüz doldurulmadı", en: "Not filled in yet" },
  filledBy: {
    tr: (who: string, when: string) => `${who} doldurdu, ${when}`,
    en: (who: string, when: string) => `Filled in by ${who}, ${when}`,
  },
  changedBy: {
    tr: (who: string, when: string) => `${who} düzeltti, ${when}`,
    en: (who: string, when: string) => `corrected by ${who}, ${when}`,
  },
});
