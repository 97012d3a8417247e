// Refusals in Turkish.

import { languages } from "../../languages.ts";
import { rights } from "../../nouns/role.ts";
import type { Weakness } from "../../passwords/weakness.ts";
import type { User } from "../../store/refusal.ts";
import { causeInWords } from "../causes.ts";
import { answerProblemInWords, definitionProblemInWords } from "../form-words.ts";
import { ssoTroubleInWords } from "../sso-troubles.ts";
import { agentStatuses, fieldName, nouns, smsCodes } from "../terms.ts";
import type { Fault, RefusalWords } from "./refusal.ts";
import { chosen, type DocumentWords, type FaultWords, firstOf, type SoundWords, type TargetWords } from "./table.ts";

const { locale } = languages.tr;
const named = (field: string) => `“${fieldName(field, "tr")}”`;
const noun = (what: User["noun"]) => nouns[what].tr;
const userOf = ({ noun: used, which }: User) =>
  which === "" ? "santral ayarları" : `${noun(used).toLocaleLowerCase(locale)} ${which}`;

const weaknesses: Record<Weakness, string> = {
  common: "Bu parolayı çok kişi kullanıyor ve ilk denenecek olanlardan. Başka bir tane seçin.",
  personal: "Bu parola adınızdan, adresinizden, numaranızdan ya da santralin adından oluşuyor. Başka bir tane seçin.",
  predictable: "Bu parola yan yana tuşlardan, bir tekrardan ya da bir yıldan oluşuyor. Başka bir tane seçin.",
};

const faults: FaultWords = {
  maximum: ({ limit }) => `en çok ${limit} olabilir`,
  minimum: ({ limit }) => `en az ${limit} olmalı`,
  maxLength: ({ limit }) => `en çok ${limit} karakter`,
  minLength: ({ limit }) => (limit === 1 ? "boş olamaz" : `en az ${limit} olmalı`),
  maxItems: ({ limit }) => `en çok ${limit} olabilir`,
  minItems: ({ limit }) => `en az ${limit} olmalı`,
  uniqueItems: () => "iki kez yazılan var",
  oneLine: () => "satır sonu ya da denetim karakteri içeremez",
};

const targets: TargetWords = {
  unreadable: () => "yazımı anlaşılmadı",
  named: () => "adıyla değil numarasıyla yazın",
  "out-of-place": () => "burada kullanılamaz",
  "not-there": (why) => `${noun(why.noun)} ${why.which} yok`,
};

const sounds: SoundWords = {
  extension: ({ known }) => `Ses dosyasının uzantısı şunlardan biri olmalı: ${known.join(" ")}`,
  "not-base64": () => "Dosya okunamadı.",
  undecodable: () => "Ses dosyası çözülemedi.",
  "too-long": ({ limitSeconds }) => `Ses çok uzun: en çok ${limitSeconds} saniye.`,
  "too-large": ({ limitBytes }) => `Dosya çok büyük: en çok ${limitBytes / 1024 ** 2} MB.`,
  "no-converter": () => "Bu sunucu ses dosyalarını dönüştüremiyor: ffmpeg kurulu değil.",
  "no-turn": () => "Bu santralin dönüştürülmeyi bekleyen çok sesi var. Biraz sonra yeniden deneyin.",
};

const documents: DocumentWords = {
  "no-fax": () => "Bu sunucuda faks programı kurulu değil.",
  "no-own-number": () => "Bu santralin faks gönderebileceği bir numarası yok.",
  "not-base64": () => "Dosya okunamadı.",
  "too-large": ({ limitBytes }) => `Dosya çok büyük: en çok ${limitBytes / 1024 ** 2} MB.`,
  "pages-gone": () => "Bu faksın sayfaları artık saklanmıyor.",
  "not-fetched": () => "Belge verilen adresten alınamadı.",
  "unknown-type": () => "Belge PDF, PNG, JPEG, TIFF ya da düz metin olmalı.",
  encrypted: () => "Belge parolayla korunuyor.",
  broken: () => "Belge okunamadı.",
  empty: () => "Belge boş.",
  "too-many-pages": ({ limit }) => `Belgede çok fazla sayfa var: en çok ${limit}.`,
  "too-much": () => "Belge çizilemeyecek kadar ağır.",
  "no-turn": () => "Bu santralin çizilmeyi bekleyen çok belgesi var. Biraz sonra yeniden deneyin.",
};

function misfit(field: string, fault: Fault | undefined): string {
  return `Değer uygun değil${field && `: ${named(field)}`}${fault ? ` (${chosen(faults, "is", fault)})` : ""}`;
}

export const otherwise = "Bu istek kabul edilmedi.";
export const unreachable = "Sunucuya ulaşılamıyor. Bağlantıyı denetleyip yeniden deneyin.";

export const words: RefusalWords = {
  invalid: ({ field, fault }) => misfit(field, fault),
  "several-fields": ({ wrong }) => `${wrong.length} alan uygun değil. Nedeni her birinin altında yazıyor.`,
  blank: ({ field }) => `${named(field)} boş olamaz.`,
  required: ({ field }) => `${named(field)} boş olamaz.`,
  misfit: ({ field, value }) => `${named(field)} uygun değil: ${value}`,
  malformed: ({ field }) => `${named(field)} uygun değil.`,
  "text-too-long": ({ field, most }) => `${named(field)} en çok ${most} karakter olabilir.`,
  "list-too-long": ({ field }) => `${named(field)} çok fazla kayıt içeriyor.`,
  "out-of-range": ({ field, least, most }) => `${named(field)} ${least} ile ${most} arasında olmalı.`,
  "not-above": ({ field, least }) => `${named(field)} ${least} değerinden büyük olmalı.`,
  "not-one-of": ({ field, choices }) => `${named(field)} ${choices.join(" veya ")} olmalı.`,
  "url-silent": ({ field }) => `${named(field)} deneme isteğine 200 ile cevap vermedi.`,

  "signed-out": () => "Oturum kapandı. Yeniden giriş yapın.",
  "password-must-change": () => "Önce parolanızı değiştirin.",
  "second-factor-first": () => "Santraliniz iki adımlı doğrulama istiyor. Önce onu açın.",
  "prove-yourself": () => "Bunun için kim olduğunuzu yeniden gösterin.",
  "weak-password": ({ least }) => `Parola en az ${least} karakter olmalı.`,
  "common-password": ({ why }) => weaknesses[why],
  "simple-pin": () => "Bu PIN ilk denenecek olanlardan. Başka bir tane seçin.",
  "same-password": () => "Yeni parola eskisinden farklı olmalı.",
  "wrong-password": () => "E-posta veya parola yanlış. Art arda beş yanlıştan sonra hesap çeyrek saat kapalı kalır.",
  "code-needed": () => "Doğrulama kodunu girin.",
  "wrong-code": () => "Kod yanlış ya da kullanılmış.",
  "secret-unreadable": () => "Kayıtlı gizli bilgi açılamıyor: anahtarı eksik. Santrali işletenlere haber verin.",
  "not-your-role": ({ needs }) => `Rolünüz buna izin vermiyor: ${rights[needs].tr}. Bir yöneticiye başvurun.`,
  "passwords-off": () => "Bu santralde artık parolayla girilmiyor. Tek oturum açmayı kullanın.",
  "no-second-factor": () => "Önce iki adımlı doğrulamayı açın.",
  "no-break-glass": () =>
    "Parolaları kapatmadan önce bir acil durum hesabı belirleyin: bu santralin etkin bir yöneticisi.",
  sso: ({ why }) => ssoTroubleInWords(why, "tr"),
  "too-many": ({ seconds }) => `Çok sık denendi. ${seconds} saniye sonra yeniden deneyin.`,
  "last-administrator": () => "Son yönetici kaldırılamaz.",
  yourself: () => "Bunu kendi hesabınıza yapamazsınız.",

  "number-taken": ({ number, by }) => `${number} numarası zaten kullanılıyor: ${noun(by).toLocaleLowerCase(locale)}.`,
  "emergency-number": ({ number }) =>
    `${number} acil çağrı numarasıdır: onu çeviren yardım çağırır. Başka bir numara seçin.`,
  "bad-number": ({ number, least, most }) =>
    `“${number}” uygun bir numara değil: ${least} ile ${most} arası rakam olmalı.`,
  "bad-title": ({ name }) =>
    `“${name}” başlık olamaz: 1 ile 11 arası harf, rakam, boşluk, yıldız, nokta ya da tire olmalı.`,
  "name-taken": ({ name }) => `“${name}” zaten var.`,
  "not-found": ({ what, which }) => `${noun(what)} bulunamadı: ${which}`,
  "most-reached": ({ what, most }) => `Zaten ${most} tane var, bir tane daha eklenemez: ${nouns[what].tr}.`,
  "network-taken": ({ network }) =>
    `${network}, bu sunucudaki başka bir santralin adresiyle çakışıyor: operatörün kendi adreslerini yazın ya da sunucuyu işletene başvurun.`,
  "twice-in-list": ({ number }) => `${number} listede iki kez var.`,
  "in-use": ({ which, by }) => `${which} silinemez, kullanan: ${userOf(by)}`,
  "bad-target": ({ target, why }) => `“${target}” hedef olamaz: ${chosen(targets, "problem", why)}`,
  "not-own-number": ({ number }) => `${number} bu santralin numarası değil.`,
  "no-receiver": () => "Önce bildirim adresini girin.",
  "no-voice": () => "Bu metin seslendirilemedi.",
  "caller-taken": () => "Bu arayanı bir çalışma arkadaşınız aldı.",
  "not-a-disposition": ({ disposition }) => `“${disposition}” bu çağrının kuyruğunda bir sonuç değil.`,
  "owes-disposition": () => "Önce son görüşmenizin sonucunu seçin.",
  "no-agent": () => "Bu dahili temsilci değil.",
  "form-answers": ({ problems }) =>
    `Form kaydedilmedi. ${firstOf(problems, (problem) => answerProblemInWords(problem, "tr"))}`.trim(),
  "form-definition": ({ problems }) =>
    `Form kaydedilmedi. ${firstOf(problems, (problem) => definitionProblemInWords(problem, "tr"))}`.trim(),
  "agent-is": ({ status }) => `Temsilci şu anda buna uygun değil: ${agentStatuses[status].tr}`,
  "no-staff": ({ extension }) => `${extension} dahilisine bağlı bir kullanıcı hesabı yok.`,
  "no-user": ({ extension }) => `${extension} dahilisi yok.`,
  "empty-file": () => "Dosyada satır yok.",
  "unreadable-file": () => "Dosya okunamadı. CSV veya Excel (xlsx) gönderin.",
  "file-too-large": ({ most }) => `Dosya çok büyük: en çok ${most} MB.`,
  "missing-column": ({ field }) => `“${fieldName(field, "tr")}” sütununu seçin.`,
  "import-begun": () => "Bu aktarım zaten başlatılmış.",
  "test-under-way": () => "Şu anda bir hat deneniyor. Az sonra yeniden deneyin.",
  "no-test-for-help": ({ number }) => `${number} acil çağrı numarası. Deneme araması yapılamaz.`,
  "backup-under-way": () => "Zaten bir yedek alınıyor.",
  "external-contacts": () => "Rehber dış kaynaktan yönetiliyor.",
  "contact-not-found": ({ id }) => `${id} numaralı kayıt yok.`,
  "already-blocked": ({ number }) => `${number} zaten engelli.`,
  "not-blocked": ({ number }) => `${number} engelli değil.`,
  sound: ({ no }) => chosen(sounds, "refused", no),
  fax: ({ no }) => chosen(documents, "refused", no),

  "no-sms-account": () => "Bu santralin SMS hesabı yok.",
  sms: ({ code }) => smsCodes[code].tr,
  "campaign-not-found": ({ id }) => `${id} numaralı kampanya yok.`,
  "one-line-only": () => "Bu santralde aynı anda birden çok otomatik arama kapalı.",
  "no-digit-target": () => "En az bir tuşun hedefi olmalı.",
  "too-many-numbers": ({ most }) => `En çok ${most} numara verilebilir.`,
  "range-reversed": () => "Son gün ilk günden önce olamaz.",
  "range-too-long": ({ days }) => `En çok ${days} gün istenebilir.`,

  "not-operator": () => "Bunu yalnızca sunucuları işletenler görür.",
  "no-such-node": ({ name }) => `${name} adında çalışan bir düğüm yok.`,
  "not-running": () => "Santral şu anda çağrı almıyor.",
  "missing-extension": () => "Hesabınıza bağlı bir dahili yok.",
  "extension-not-found": ({ extension }) => `${extension} dahilisi yok.`,
  "no-such-extension": ({ extension }) => `${extension} dahilisi yok.`,
  "extension-not-reachable": ({ extension }) => `${extension} dahilisinin telefonu kayıtlı değil.`,
  "do-not-disturb": () => "Dahili rahatsız etmeyin modunda.",
  "invalid-source": ({ source }) => `Geçersiz numara: ${source}`,
  "invalid-destination": ({ destination }) => `Geçersiz numara: ${destination}`,
  "destination-barred": ({ destination }) => `${destination} aramaya kapalı.`,
  "caller-id-not-owned": () => "Bu arayan numarası sizin değil.",
  "announcement-not-found": ({ id }) => `${id} numaralı anons yok.`,
  "missing-queue": () => "Kuyruk belirtilmedi.",
  "queue-not-found": ({ queue }) => `${queue} kuyruğu yok.`,
  "missing-members": () => "Üye belirtilmedi.",
  "no-such-member": ({ extension }) => `${extension} dahilisi yok.`,
  "member-already": ({ extension }) => `${extension} dahilisi zaten üye.`,
  "no-such-call": () => "Çağrı sona ermiş.",
  "not-now": () => "Çağrı şu anda buna uygun değil.",
  "no-trunk": () => "Bu numara için hat yok.",
  "no-free-channel": () => "Boş kanal yok.",
  "call-failed": ({ cause }) => `Çağrı kurulamadı: ${causeInWords(cause, "tr")}`,
  overloaded: () => "Şu anda çok fazla çağrı var. Bir saniye sonra yeniden deneyin.",
  closing: () => "Santral kapanıyor.",
  "given-up": () => "Santral bunu zamanında yapamadı. Biraz sonra yeniden deneyin.",
  "call-not-found": ({ uuid }) => `${uuid} çağrısı yok.`,
  "call-has-no-file": ({ uuid }) => `${uuid} çağrısından saklanan bir şey yok.`,
  "voicemail-not-found": ({ uuid }) => `${uuid} mesajı yok.`,
  "archive-silent": () => "Bu kaydı tutan dış depo şu anda cevap vermiyor. Daha sonra yeniden deneyin.",
  "ticket-expired": () => "Bu bağlantının süresi dolmuş.",
  "no-such-page": ({ page }) => `${page} numaralı sayfa yok.`,
};
