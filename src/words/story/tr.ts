// A call's story in Turkish.

import type { StoryFactOf } from "../../exchange/calls/story.ts";
import { barredInWords } from "../barred.ts";
import { causeInWords } from "../causes.ts";
import { enders, orderers } from "../enders.ts";
import { faxFailureInWords } from "../fax-failures.ts";
import { gapInWords, lostInWords } from "../lost-calls.ts";
import { supervisingInWords, supervisionInWords } from "../supervision.ts";
import { targetInside } from "../targets.ts";
import { failureInWords, testInWords } from "../trunk-troubles.ts";
import type { OneOf, StoryWords } from "./table.ts";

type Party = StoryFactOf<"rings">["party"];

const place = (target: string | null) => (target === null ? "gidecek yer yok" : targetInside(target, "tr"));
/** With its possessive, to which a case is added. */
const line = (trunk: string | null) => (trunk === null ? "Deneme hattı" : `${trunk} hattı`);
const ended = (cause: string) => causeInWords(cause, "tr");

/** `extension` is how the sentence spells the word: a capital at its beginning. */
function who({ is, number, name }: Party, extension: "Dahili" | "dahili" = "Dahili"): string {
  const words = is === "extension" ? `${extension} ${number}` : number;
  return name === "" ? words : `${words} (${name})`;
}

const hours: Record<OneOf<"leads-to", "because">, string> = {
  open: "Mesai saati içinde",
  closed: "Mesai saati dışında",
  "opened by hand": "ofis elle açık konuma alınmış",
  "closed by hand": "ofis elle kapalı konuma alınmış",
  holiday: "Bugün tatil",
};

const silence: Record<OneOf<"does-not-ring", "why">, string> = {
  forwarded: "bütün çağrıları yönlendirilmiş",
  "no-phone": "bağlı telefon yok",
  "do-not-disturb": "rahatsız edilmek istemiyor",
  "most-calls": "en çok çağrı sayısına ulaştı",
};

const offers: Record<OneOf<"offer-refused", "why">, string> = {
  malformed: "okunamıyor",
  "no-audio": "içinde ses yok",
  "no-common-codec": "ortak kodek yok",
  "encryption-required": "şifreli değil, yalnızca şifreli çağrılar kabul ediliyor",
  "other-family": "sesi bir IPv6 adresinde, bizimki IPv4 adresinde ya da tersi",
  "encryption-not-possible": "istediği şifreleme yapılamıyor",
  webrtc: "tarayıcılar kabul edilmiyor",
  "fax-only": "içinde yalnızca faks var",
};

const missing: Record<OneOf<"no-such", "what">, string> = {
  extension: "dahilisi",
  group: "çağrı grubu",
  queue: "kuyruğu",
  menu: "menüsü",
  mailbox: "sesli mesaj kutusu",
  sound: "anonsu",
};

const strategies: Record<OneOf<"offered" | "rings-group", "strategy">, string> = {
  simultaneous: "hepsi birden",
  sequential: "sırayla",
  random: "rastgele",
  "least-busy": "en az meşgul olan",
  "longest-idle": "en uzun süredir boşta olan",
};

const exits: Record<OneOf<"leaves-queue", "why">, string> = {
  full: "kuyruk dolu",
  empty: "kuyrukta temsilci yok",
  "waited too long": "bekleme süresi doldu",
  "queue gone": "kuyruk kaldırıldı",
  "floor closed": "santral kapanıyor",
};

const unfree: Record<StoryFactOf<"offered">["unfree"][number]["why"], string> = {
  "logged out": "çıkış yapmış",
  "on break": "molada",
  ringing: "çalıyor",
  "on a call": "görüşmede",
  "wrapping up": "işlem sonrasında",
  unreachable: "ulaşılamıyor",
  resting: "dinleniyor",
};

const diverted: Record<OneOf<"sent-on-by", "reason">, string> = {
  unconditional: "tüm çağrıları yönlendiriliyor",
  "user-busy": "meşguldü",
  "no-answer": "cevap verilmedi",
  unavailable: "ulaşılamadı",
  "do-not-disturb": "rahatsız edilmek istemiyordu",
  deflection: "geri çevirdi",
  unknown: "nedeni bilinmiyor",
};

const signatures: Record<OneOf<"not-attested", "why">, string> = {
  absent: "imzası yok",
  unreadable: "imzası okunamıyor",
  signature: "verilen sertifikalardan hiçbiri doğrulamıyor",
  stale: "imzası eski",
  numbers: "başka numaralar için imzalanmış",
};

const unproved = { silent: "beş saniyedir", many: "aynı durumda çok çağrı varken" } as const;

const greetings: Record<OneOf<"greeting", "did">, string> = {
  kept: "kutusu için yeni karşılama kaydetti",
  dropped: "kutusu için kaydettiği karşılamadan vazgeçti",
  "taken-back": "kutusunun karşılamasını sildi",
};

const unfinished: Record<OneOf<"recording-failed", "step">, string> = {
  open: "dosyası açılamıyor",
  write: "dosyasına yazılamıyor",
  sync: "disk, kaydı aldığını doğrulamıyor",
  close: "dosyası kapatılamıyor",
  thread: "kaydı yazan bölüm durdu",
  keep: "saklama yerine alınamadı, yazıldığı yerde duruyor",
};
const unwritten: Partial<Record<string, string>> = {
  ENOSPC: "disk dolu",
  EDQUOT: "disk kotası doldu",
  EFBIG: "dosya en büyük boyutuna ulaştı",
  EIO: "disk arızalı",
  EROFS: "disk salt okunur",
  EACCES: "oraya yazma izni yok",
  ENOENT: "klasörü yok",
};

const actions: Record<OneOf<"service-says", "action">, string> = {
  transfer: "çağrıyı aktar",
  prompt: "tuşlama iste",
  record: "sesi kaydet",
  listen: "konuşmayı tanı",
};

const services: Record<OneOf<"service-fails", "why">, string> = {
  "not-set": "Servis tanımlı değil",
  "bad-url": "Servisin adresi aranabilir değil",
  "not-public": "Servis cevap vermedi: genel ağda bir adres değil",
  late: "Servis zamanında cevap vermedi",
  unreachable: "Servise ulaşılamıyor",
  status: "Servisin cevabı",
  "too-long": "Servisin cevabı çok uzun",
  "no-json": "Servisin cevabı bir JSON nesnesi değil",
  "no-action": "Servisin cevabında tek bir işlem yok",
  "no-target": "Servis geçerli bir hedef vermedi",
  "no-sound": "Servis çalınacak anonsu ya da metni vermedi",
  "bad-digits": "Servis olmayacak sayıda tuş istiyor",
  circle: "Servis çağrıyı kendi içinde döndürdü",
  "no-recognition": "Konuşma tanıma yok",
  "most-listens": "Konuşma tanıma hakkı doldu",
};

export const tr: StoryWords = {
  called: ({ from, to }) => `${from || "Gizli numara"}, ${to} numarasını arıyor`,
  dialled: ({ by, number }) => `Dahili ${by}, ${number} numarasını çeviriyor`,
  "withholds-number": () => "Arayanın numarası gizleniyor",
  "sent-on-by": ({ number, reason }) =>
    `Çağrıyı daha önce ${number || "gizli bir numara"} yönlendirmiş: ${diverted[reason]}`,
  attested: ({ level }) => `Arayanın numarası imzalı ve doğrulandı${level === "" ? "" : ` (${level} düzeyi)`}`,
  "not-attested": ({ why, refused }) =>
    `Arayanın numarası doğrulanmadı: ${signatures[why]}${refused ? "; çağrı reddediliyor" : ""}`,
  "interface-connects": ({ party, to, as }) =>
    `API, ${who(party, "dahili")} ile ${to} numarasını görüştürüyor${as === undefined ? "" : `, görünen numara ${as}`}`,
  "campaign-calls": ({ campaign, name, number, attempt }) =>
    `Arama kampanyası ${campaign} (${name}), ${number} numarasını arıyor, ${attempt}. deneme`,
  "fax-order": ({ order, number, from, to }) =>
    `Faks gönderimi ${order}, ${number} numarasına gidiyor: sayfa ${from}–${to}`,
  "tests-trunk": ({ trunk, number }) => `Konsol, ${line(trunk)}nı ${number} numarasını arayarak deniyor`,
  "called-back": ({ number, queue, call }) =>
    `Kuyruk ${queue} sırasını koruyan ${number} geri aranıyor (çağrı ${call})`,

  blocked: ({ number }) => `${number} engellenmiş`,
  "not-our-number": ({ number }) => `${number} bu santralin numarası değil`,
  "leads-to": ({ number, target, because, holiday }) =>
    `${hours[because]}${holiday === undefined ? "" : ` (${holiday})`}: ${number} → ${place(target)}`,
  "leads-nowhere": ({ number, target }) => `${number} bir yere gitmiyor: ${target}`,

  rings: ({ party }) => `${who(party)} çalıyor`,
  talk: ({ one, other }) => `${who(one)} ile ${who(other, "dahili")} görüşüyor`,
  gone: ({ party, cause }) => `${who(party)} ayrıldı: ${ended(cause)}`,
  over: ({ cause, by }) => `Çağrı bitti: ${ended(cause)}${by ? ` (${enders[by].tr})` : ""}`,
  "left-out": ({ count }) => `… burada ${count} satır atlandı …`,
  "exchange-stopped": () => "Çağrı sürerken santral durdu",
  resumed: ({ gapMs, ringing }) =>
    `Santral yeniden başladı, ${ringing ? "çalan çağrı" : "çağrı"} ${gapInWords(gapMs, "tr")} sn sonra sürüyor`,
  "not-resumed": ({ why }) => `Çağrı sürdürülemedi: ${lostInWords(why, "tr")}`,
  "recording-part-left": ({ node }) => `Kaydın başı ulaşılamayan ${node} düğümünde, kayıt onsuz sürüyor`,
  "recording-failed": ({ step, code }) => `Görüşme kaydı yazılamadı: ${unwritten[code] ?? unfinished[step]} (${code})`,
  "hung-up-by": ({ who }) => `${orderers[who].tr} çağrıyı kapatıyor`,
  "offer-refused": ({ party, why }) => `${who(party)} telefonunun ses önerisi reddedildi: ${offers[why]}`,
  "not-encrypted": ({ party }) => `${who(party)} şifreli çağrı kabul etmiyor, şifresiz çağrıya da izin yok`,
  "voice-held-back": ({ party, address, trunk, why }) =>
    `${who(party)} için ses tutuluyor: ${unproved[why]} ${address} adresinden hiçbir şey gelmedi${trunk === undefined ? "" : `; adres operatörünse ${trunk} hattının ses ağlarına yazın`}`,
  muted: ({ on }) => (on ? "API sesi kesiyor" : "API sesi açıyor"),
  "interface-sends-on": ({ extension }) => `API çağrıyı aktarıyor: dahili ${extension}`,
  "sends-on": ({ extension, to }) => `Dahili ${extension} çağrıyı aktarıyor: ${to}`,
  "puts-through": ({ extension, to }) => `Dahili ${extension} çağrıyı ${to} numarasına bağlıyor`,
  "picks-up-for": ({ extension, of }) => `Dahili ${extension}, dahili ${of} yerine cevaplıyor`,

  forwards: ({ extension, to }) => `Dahili ${extension} yönlendiriyor: ${place(to)}`,
  "phone-forwards": ({ extension, to, followed }) =>
    `Dahili ${extension} telefonu yönlendiriyor: ${to}${followed ? "" : " (izlenmiyor)"}`,
  wakes: ({ extension, browsers }) => `Dahili ${extension} ${browsers} tarayıcıda haberdar edildi`,
  "does-not-ring": ({ extension, why }) => `Dahili ${extension} çalmıyor: ${silence[why]}`,
  dials: ({ number, trunk, as }) => `${line(trunk)}ndan ${number} aranıyor${as && `, görünen numara ${as}`}`,
  "trunk-full": ({ trunk }) => `${line(trunk)}nın bütün kanalları dolu`,
  "trunk-failed": ({ trunk, why, status }) =>
    `${line(trunk)} ${failureInWords(why, "tr")}${status === undefined ? "" : ` (${status})`}`,
  "trunk-tested": ({ trunk, ...result }) => `${line(trunk)} ${testInWords(result, "tr")}`,
  "carrier-moves": ({ trunk, number, to, followed }) =>
    `${line(trunk)} ${number} için başka yer gösterdi: ${to}${followed ? "" : " (izlenmedi)"}`,
  emergency: ({ number }) => `${number} acil çağrı numarası: hiçbir kural ya da sınır çağrıyı engellemez`,
  "gives-way": ({ trunk }) => `Acil çağrıya ${line(trunk)}nda yer açmak için bitiriliyor`,
  barred: ({ number, why }) => `${number} aranamaz: ${barredInWords(why, "tr")}`,
  "spending-limit": ({ number }) => `Harcama sınırı ${number} ile bir dakika daha konuşmaya yetmiyor`,
  "no-own-number": () => "Gösterilecek numaramız yok",
  "not-a-number": ({ number }) => `${number} telefon numarası değil`,
  "no-such": ({ what, which }) => `${which} ${missing[what]} yok`,
  "not-a-target": ({ target }) => `${target} gidilecek bir yer değil`,
  "no-such-place": () => "Santralde böyle bir yer yok",
  circle: () => "Yönlendirmeler kendine dönüyor",
  "group-again": ({ group }) => `Çağrı grubu ${group} daha önce çaldırıldı`,
  ended: ({ how }) => (how === "busy" ? "Meşgul tonu veriliyor" : "Kapatılıyor"),

  "rings-group": ({ group, name, strategy }) => `Çağrı grubu ${group} (${name}) çaldırılıyor, ${strategies[strategy]}`,
  "group-gives-up": ({ group }) => `Çağrı grubu ${group} üyelerinden kimse almadı`,
  "hears-menu": ({ menu, name }) => `Menü ${menu} (${name}) dinletiliyor`,
  presses: ({ key, target }) => {
    if (key === "") return "Hiçbir tuşa basmadı";
    return target === null ? `${key} tuşladı, bir yere gitmiyor` : `${key} tuşladı: ${place(target)}`;
  },
  "menu-gives-up": ({ pressed, target }) => `${pressed ? "Yanlış tuş" : "Tuşlamadı"}: ${place(target)}`,
  "hears-sound": ({ sound }) => `Anons ${sound} dinletiliyor`,
  hears: ({ text }) => `Dinletilen: ${text}`,
  "cannot-say": ({ text }) => `Seslendirilemiyor: ${text}`,
  "no-voice": () => "Seslendirecek bir ses yok",

  "comes-to-queue": ({ queue, name }) => `Kuyruk ${queue} (${name}) sırasına giriyor`,
  "leaves-queue": ({ queue, why }) => `Kuyruk ${queue} sırasından çıkıyor: ${exits[why]}`,
  offered: ({ agents, queue, strategy, free, freeInAll, unfree: others, callback }) => {
    const among = `${free.join(", ")}${freeInAll > free.length ? ", …" : ""}`;
    const rest = others.map(({ why, agents }) => `${agents} ${unfree[why]}`).join(", ");
    const whom = callback ? "arayan" : "çağrı";
    const why = `${strategies[strategy]}; boşta: ${among}${rest === "" ? "" : `; boşta olmayan: ${rest}`}`;
    return `Kuyruk ${queue}: ${whom} ${agents.join(", ")} temsilcisine sunuluyor (${why})`;
  },
  "agent-declines": ({ agent, cause }) => `Dahili ${agent} almadı: ${ended(cause)}`,
  "agent-hangs-up": ({ agent }) => `Dahili ${agent} bağlanmadan kapattı`,
  "no-callback": ({ number, why }) =>
    `${number === "" ? "Gizli numara" : number} için geri arama sunulmadı: ${barredInWords(why, "tr")}`,
  "keeps-place": ({ queue }) => `Kuyruk ${queue} sırasını koruyor, geri aranacak`,
  score: ({ agent, score }) => `Dahili ${agent} için 5 üzerinden ${score} puan verdi`,
  "no-score": ({ key }) => (key === "" ? "Puan vermedi" : `${key} tuşladı, puan değil`),

  "talks-with-nobody": ({ extension }) => `Dahili ${extension} kimseyle görüşmüyor`,
  supervises: ({ extension, mode, call }) =>
    `Dahili ${extension} izleniyor (${supervisionInWords(mode, "tr")}), çağrı ${call}`,
  supervised: ({ by, mode }) => `${who(by)} ${supervisingInWords(mode, "tr")}`,
  "taken-over": ({ by, from }) => `${who(by)} çağrıyı devraldı, ${who(from, "dahili")} ayrıldı`,
  pulled: ({ queue, extension, by = "Yönetici" }) =>
    `${by} kuyruk ${queue} içinden sıra beklemeden dahili ${extension} için çekti`,
  "supervisor-sends-on": ({ target }) => `Yönetici çağrıyı aktarıyor: ${place(target)}`,

  "asked-for-message": ({ mailbox }) => `${mailbox} için mesaj bırakması isteniyor`,
  message: ({ seconds }) => `${seconds} saniyelik mesaj bıraktı`,
  "no-message": () => "Mesaj bırakmadı",
  "hears-messages": () => "Sesli mesajlarını dinliyor",
  "deleted-message": ({ mailbox }) => `${mailbox} kutusundan bir mesaj sildi`,
  greeting: ({ mailbox, did }) => `${mailbox} ${greetings[did]}`,
  "wrong-pin": () => "Şifreyi bilemedi",
  "pins-closed": () => "Çok sayıda yanlıştan sonra posta kutusu bir süre şifre dinlemiyor",
  "pin-sealed": () => "Şifre açılamıyor: anahtarı eksik",

  "fax-tone": () => "Tonuna göre bir faks makinesi",
  "no-fax": ({ why }) =>
    `Faks alınamıyor: ${why === "not-set-up" ? "santralde faks makinesi yok" : "faks makinesi çalışmıyor"}`,
  "to-fax-machine": () => "Faks makinesine bağlanıyor",
  "fax-machine": ({ name }) => `Faks makinesinin adı “${name}”`,
  "fax-page": ({ page }) => `Sayfa ${page} tamam`,
  "fax-done": ({ role, pages, rate, t38 }) =>
    `${pages} sayfalık faks ${role === "sent" ? "gönderdi" : "aldı"}, saniyede ${rate} bit, ${t38 ? "T.38" : "ses"} ile`,
  "fax-failed": ({ role, pages, code }) =>
    `${pages} sayfa ${role === "sent" ? "gönderdi" : "aldı"}, sonra: ${faxFailureInWords(code, "tr")}`,

  "service-says": ({ action }) => `Servisin isteği: ${actions[action]}`,
  keys: ({ count }) => `${count} tuşa bastı`,
  "service-fails": ({ why, status, target }) => {
    const reason = status === undefined ? services[why] : `${services[why]}: ${status}`;
    return `${reason}; yedek hedefe gidiyor: ${target === null ? "yok" : place(target)}`;
  },

  "no-consent": ({ number }) => `${number} aranmaya onay vermemiş`,
  "opts-out": () => "Bir daha böyle aranmak istemiyor",
  "answering-machine": () => "Telesekreter",
};
