// The audit trail in Turkish.

import { officeSwitch } from "../../nouns/choices.ts";
import { archiveTroubleInWords } from "../archive-troubles.ts";
import { ssoTroubleInWords } from "../sso-troubles.ts";
import { supervisionInWords } from "../supervision.ts";
import type { operations as english } from "./en.ts";
import type { DoerWords, ToldWords } from "./table.ts";

export const operations: Record<keyof typeof english, string> = {
  "nodes.drain": "bir düğümün santrallerini devretmesini istedi",
  "nodes.resume": "bir düğümün yeniden santral almasına izin verdi",
  "session.signIn": "konsola giriş yaptı",
  "calls.hangUp": "bir çağrıyı kapattı",
  "calls.transfer": "bir çağrıyı aktardı",
  "calls.send": "bir çağrıyı başka bir hedefe gönderdi",
  "calls.pull": "kuyrukta bekleyen birini sırası gelmeden bağladı",
  "calls.begin": "bir çağrı başlattı",
  "calls.supervise": "bir dahiliyi dinlemek istedi",
  "contacts.create": "kişi ekledi",
  "contacts.update": "kişiyi değiştirdi",
  "contacts.delete": "kişiyi sildi",
  "contacts.import": "rehbere kişi aktardı",
  "contactSources.create": "rehber kaynağı ekledi",
  "contactSources.update": "rehber kaynağını değiştirdi",
  "contactSources.delete": "rehber kaynağını kaldırdı",
  "contactSources.run": "rehber kaynağını hemen okuttu",
  "contactSources.confirm": "kaynakta artık olmayan kişilerin silinmesini onayladı",
  "contactGroups.create": "kişi grubu oluşturdu",
  "contactGroups.rename": "kişi grubunun adını değiştirdi",
  "contactGroups.delete": "kişi grubunu sildi",
  "extensions.create": "dahili oluşturdu",
  "extensions.update": "dahiliyi değiştirdi",
  "extensions.setDnd": "rahatsız etmeyin ayarını değiştirdi",
  "extensions.newPassword": "dahiliye yeni SIP parolası verdi",
  "extensions.invitePhone": "telefon için QR kodu oluşturdu",
  "extensions.openWebphone": "bir dahilinin web telefonunu açtı",
  "extensions.delete": "dahiliyi sildi",
  "mailboxes.update": "sesli mesaj kutusunu değiştirdi",
  "numbers.create": "numara ekledi",
  "numbers.update": "numarayı değiştirdi",
  "numbers.delete": "numarayı sildi",
  "holidays.create": "tatil ekledi",
  "office.switch": "ofisi açık ya da kapalı konuma aldı",
  "holidays.update": "bir tatili değiştirdi",
  "holidays.delete": "tatili sildi",
  "trunks.create": "hat oluşturdu",
  "trunks.update": "hattı değiştirdi",
  "trunks.delete": "hattı sildi",
  "sms.send": "mesaj gönderdi",
  "sms.cancel": "ileri tarihli gönderimi iptal etti",
  "sms.createTitle": "SMS başlığı ekledi",
  "forms.create": "form oluşturdu",
  "forms.update": "formu değiştirdi",
  "forms.delete": "formu sildi",
  "forms.fill": "bir çağrının formunu doldurdu",
  "readyTexts.create": "hazır mesaj kaydetti",
  "readyTexts.delete": "hazır mesaj sildi",
  "sms.addToBlacklist": "SMS kara listesine numara ekledi",
  "sms.removeFromBlacklist": "SMS kara listesinden numara çıkardı",
  "sms.uploadConsents": "izin bildirdi",
  "sms.updateAccount": "SMS hesabını değiştirdi",
  "sms.renewPassword": "SMS parolasını yeniledi",
  "campaigns.create": "kampanya başlattı",
  "campaigns.switch": "kampanyayı açtı ya da durdurdu",
  "campaigns.delete": "kampanyayı sildi",
  "faxes.send": "faks gönderdi",
  "blocked.add": "numara engelledi",
  "blocked.remove": "numaranın engelini kaldırdı",
  "voicemail.markRead": "mesajı dinlenmiş saydı",
  "voicemail.delete": "mesajı sildi",
  "queues.create": "kuyruk oluşturdu",
  "queues.update": "kuyruğu değiştirdi",
  "queues.delete": "kuyruğu sildi",
  "agents.move": "temsilcinin durumunu değiştirdi",
  "groups.create": "çağrı grubu oluşturdu",
  "groups.update": "çağrı grubunu değiştirdi",
  "groups.delete": "çağrı grubunu sildi",
  "menus.create": "menü oluşturdu",
  "menus.update": "menüyü değiştirdi",
  "menus.delete": "menüyü sildi",
  "rules.create": "dış arama kuralı ekledi",
  "rules.update": "dış arama kuralını değiştirdi",
  "rules.move": "dış arama kuralının sırasını değiştirdi",
  "rules.delete": "dış arama kuralını sildi",
  "session.changePassword": "parolasını değiştirdi",
  "session.end": "bir oturumunu kapattı",
  "webphone.open": "web telefonunu açtı",
  "totp.confirm": "iki adımlı doğrulamayı açtı",
  "totp.drop": "iki adımlı doğrulamayı kapattı",
  "settings.update": "santral ayarlarını değiştirdi",
  "crm.update": "çağrı bildirimlerini değiştirdi",
  "crm.test": "deneme bildirimi gönderdi",
  "crm.secret": "bildirim imza anahtarına baktı",
  "sso.update": "tek oturum açmayı ayarladı",
  "sso.test": "tek oturum açmayı denedi",
  "sso.off": "tek oturum açmayı kapattı",
  "recoveryCodes.renew": "yeni kurtarma kodları oluşturdu",
  "archive.update": "ses kaydı arşivini ayarladı",
  "archive.test": "ses kaydı arşivini denedi",
  "archive.off": "ses kaydı arşivini kapattı",
  "archive.delete": "eski bir arşiv yerini kaldırdı",
  "deliveries.again": "bir bildirimi yeniden gönderdi",
  "keys.create": "API anahtarı oluşturdu",
  "keys.revoke": "API anahtarını iptal etti",
  "sounds.upload": "anons yükledi",
  "sounds.speak": "anons seslendirdi",
  "sounds.update": "anonsu değiştirdi",
  "sounds.delete": "anonsu sildi",
  "staff.create": "kullanıcı hesabı oluşturdu",
  "staff.update": "kullanıcı hesabını değiştirdi",
  "staff.resetPassword": "kullanıcıya yeni parola verdi",
  "staff.resetTotp": "kullanıcının iki adımlı doğrulamasını kaldırdı",
  "staff.endSessions": "kullanıcının oturumlarını kapattı",
  "staff.delete": "kullanıcı hesabını sildi",
};

export const told: ToldWords = {
  "agent-moved": ({ extension, from, to }) =>
    `temsilci ${extension}: ${states[from] ?? from}, şimdi ${states[to] ?? to}`,
  "call-supervised": ({ extension, mode, call }) =>
    `${extension} dahilisinde ${supervisionInWords(mode, "tr")}, çağrı ${call}`,
  "supervision-refused": ({ extension, mode }) =>
    `${extension} dahilisinde ${supervisionInWords(mode, "tr")} isteği geri çevrildi`,
  "phone-settings-fetched": ({ extension, address }) =>
    `${address} adresindeki bir telefon ${extension} dahilisinin ayarlarını aldı`,
  "office-switched": ({ to }) => `ofis anahtarını çevirdi: ${positions[to] ?? to}`,
  "recording-heard": ({ call }) => `${call} çağrısının ses kaydını dinledi`,
  "message-heard": ({ call }) => `${call} sesli mesajını dinledi`,
  "table-exported": ({ table, format }) => `“${tables[table] ?? table}” tablosunu indirdi (${format})`,
  "spending-limit-reached": ({ limit, month }) =>
    `${limit} harcama sınırına ulaşıldı: ${month} içinde dış arama yapılamaz`,
  "emergency-call": ({ number, caller, call }) => `${caller} acil çağrı numarasını aradı: ${number}, çağrı ${call}`,
  "sms-credits-low": ({ account, credits }) => `${account} SMS hesabında yalnızca ${credits} kredi kaldı`,
  "archive-failing": ({ place, why }) =>
    `ses kayıtları ${place} arşivine konamıyor: ${archiveTroubleInWords({ trouble: why, detail: "" }, "tr")}`,
  "archive-works": ({ place }) => `ses kayıtları yeniden ${place} arşivine konuyor`,
  "contact-removal-held": ({ source, contacts }) =>
    `${source} kaynağındaki ${contacts} kişinin silinmesi onay bekliyor`,
  "signed-in": ({ door, address }) => `${doors[door] ?? door} giriş yaptı${from(address)}`,
  "sign-in-failed": ({ door, why, address }) =>
    `${doors[door] ?? door} giremedi: ${failures[why] ?? ssoTroubleInWords(why, "tr")}${from(address)}`,
  "signed-out": ({ address }) => `çıkış yaptı${from(address)}`,
  "demo-made": () => "ilk açılışta deneme santralini kurdu",
  command: ({ command }) => command,
};

const doors: Record<string, string> = {
  password: "parolayla",
  "second-factor": "parola ve doğrulama koduyla",
  "recovery-code": "parola ve kurtarma koduyla",
  oidc: "tek oturum açmayla",
};
const failures: Record<string, string> = {
  "wrong-password": "yanlış parola",
  "wrong-code": "yanlış kod",
  locked: "hesap kilitli",
  "passwords-off": "parolalar kabul edilmiyor",
  "unknown-name": "bilinmeyen ad",
  "secret-unreadable": "ikinci adım denetlenemiyor",
};
const from = (address: string) => (address === "" ? "" : `, adres ${address}`);
const positions: Record<string, string> = Object.fromEntries(
  Object.entries(officeSwitch).map(([to, words]) => [to, words.tr]),
);
const states: Record<string, string> = { AVAILABLE: "hazır", LOGGED_OUT: "çıkış yapmış", ON_BREAK: "molada" };
const tables: Record<string, string> = { calls: "Çağrılar", "response-times": "Yanıtlama süreleri", forms: "Formlar" };

export const doers: DoerWords = {
  staff: (email) => email || "birisi",
  extension: (number) => `dahili ${number}`,
  "web phone": (number) => `${number} dahilisinin web telefonu`,
  "command line": (user) => (user === "" ? "komut satırı" : `komut satırı (${user})`),
  queue: () => "kuyruk",
  exchange: () => "santral",
  start: () => "santral start",
};
