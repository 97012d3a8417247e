// Why not, in words. Add a refusal on the server and this file stops compiling.

import type { TargetProblem } from "../../src/exchange/plan/checked-target.ts";
import type { ConsoleRefusal } from "../../src/http/console/operation/refusal.ts";
import { roles } from "../../src/nouns/role.ts";
import { causeInWords } from "../../src/words/causes.ts";
import { fieldName } from "./field-names.ts";
import type { Both, Language } from "./language.tsx";
import { agentStatuses } from "./live-words.ts";
import { nouns } from "./nouns.ts";
import { Refused } from "./refused.ts";
import { faultOfValue, saidInWords } from "./said.ts";
import { smsCodes } from "./sms-codes.ts";

type Words<Kind extends ConsoleRefusal["refused"]> = Both<(no: Extract<ConsoleRefusal, { refused: Kind }>) => string>;

const plain = (tr: string, en: string): Both<() => string> => ({ tr: () => tr, en: () => en });

const noun = (what: string, language: Language) => nouns[what]?.[language] ?? what;

/** Whatever else it may be, it is in the language of the page. */
const NOT_TAKEN: Both = { tr: "Bu istek kabul edilmedi.", en: "This was refused." };

function misfit(language: Language, { field, text }: { field: string; text: string }): string {
  const name = field === "" ? "" : ` “${fieldName(field, language)}”`;
  const fault = faultOfValue(text, language);
  return `${language === "tr" ? "Değer uygun değil" : "This value does not fit"}${name && `:${name}`}${fault ? ` (${fault})` : ""}`;
}

/** `queue 200`, as the store names what uses something. */
function userOf(by: string, language: Language): string {
  if (by.startsWith("the exchange")) return language === "tr" ? "santral ayarları" : by;
  const [kind = "", ...which] = by.split(" ");
  return language === "tr" ? `${noun(kind, "tr").toLocaleLowerCase("tr")} ${which.join(" ")}` : by;
}

const refusals: { [Kind in ConsoleRefusal["refused"]]: Words<Kind> } = {
  invalid: { tr: (no) => misfit("tr", no), en: (no) => misfit("en", no) },
  "signed-out": plain("Oturum kapandı. Yeniden giriş yapın.", "You are signed out. Please sign in again."),
  "password-must-change": plain("Önce parolanızı değiştirin.", "Change your password first."),
  "weak-password": {
    tr: ({ least }) => `Parola en az ${least} karakter olmalı.`,
    en: ({ least }) => `A password takes at least ${least} characters.`,
  },
  "same-password": plain("Yeni parola eskisinden farklı olmalı.", "The new password must differ from the old one."),
  "not-your-role": {
    tr: ({ needs }) => `Bunun için “${roles[needs].words.tr}” rolü gerekir.`,
    en: ({ needs }) => `This needs the role “${roles[needs].words.en}”.`,
  },
  "too-many": {
    tr: ({ seconds }) => `Çok sık denendi. ${seconds} saniye sonra yeniden deneyin.`,
    en: ({ seconds }) => `Too many attempts. Try again in ${seconds} seconds.`,
  },
  "last-administrator": plain("Son yönetici kaldırılamaz.", "The last administrator has to stay one."),
  yourself: plain("Bunu kendi hesabınıza yapamazsınız.", "You cannot do this to your own account."),
  "not-running": plain("Santral şu anda çağrı almıyor.", "The exchange is not running calls now."),
  "bad-target": {
    tr: ({ target, why }) => `“${target}” hedef olamaz: ${targetProblem(why, "tr")}`,
    en: ({ target, why }) => `“${target}” cannot be a target: ${targetProblem(why, "en")}`,
  },
  "not-own-number": {
    tr: ({ number }) => `${number} bu santralin numarası değil.`,
    en: ({ number }) => `${number} is not one of this exchange's numbers.`,
  },
  "no-receiver": plain("Önce bildirim adresini girin.", "Enter the notification URL first."),
  "no-voice": plain("Bu metin seslendirilemedi.", "No voice could speak this text."),
  "no-agent": plain("Bu dahili temsilci değil.", "This extension is no agent."),
  "no-sms-account": plain("Bu santralin SMS hesabı yok.", "This exchange has no SMS account."),
  "no-staff": {
    tr: ({ extension }) => `${extension} dahilisine bağlı bir kullanıcı hesabı yok.`,
    en: ({ extension }) => `No staff account is linked to extension ${extension}.`,
  },
  "empty-file": plain("Dosyada satır yok.", "The file has no rows."),
  "unreadable-file": plain(
    "Dosya okunamadı. CSV veya Excel (xlsx) gönderin.",
    "Not readable. Send CSV or Excel (xlsx).",
  ),
  "external-contacts": plain("Rehber dış kaynaktan yönetiliyor.", "Contacts are managed by an outside integration."),
  sms: { tr: ({ code }) => smsCodes[code].tr, en: ({ code }) => smsCodes[code].en },
  said: {
    tr: ({ text }) => saidInWords(text, "tr") ?? NOT_TAKEN.tr,
    en: ({ text }) => saidInWords(text, "en") ?? text,
  },
  "agent-is": {
    tr: ({ status }) => `Temsilci şu anda buna uygun değil: ${agentStatuses[status].tr}`,
    en: ({ status }) => `Not while the agent is in this state: ${agentStatuses[status].en}`,
  },
  "wrong-password": plain("E-posta veya parola yanlış.", "Wrong e-mail address or password."),
  locked: {
    tr: ({ untilMs }) => `Hesap kilitli. ${time(untilMs, "tr")} saatinden sonra deneyin.`,
    en: ({ untilMs }) => `The account is locked. Try again after ${time(untilMs, "en")}.`,
  },
  "code-needed": plain("Doğrulama kodunu girin.", "Enter the code of your authenticator app."),
  "secret-unreadable": plain(
    "Kayıtlı gizli bilgi açılamıyor: anahtarı eksik. Santrali işletenlere haber verin.",
    "What is stored cannot be opened: its key is missing. Tell those who run the exchange.",
  ),
  "wrong-code": plain("Kod yanlış ya da kullanılmış.", "The code is wrong or was used already."),
  "number-taken": {
    tr: ({ number }) => `${number} numarası zaten kullanılıyor.`,
    en: ({ number }) => `${number} is taken already.`,
  },
  "bad-number": {
    tr: ({ number }) => `“${number}” uygun bir numara değil.`,
    en: ({ number, form }) => `“${number}” does not fit: ${form}.`,
  },
  "name-taken": { tr: ({ name }) => `“${name}” zaten var.`, en: ({ name }) => `“${name}” exists already.` },
  "not-found": {
    tr: ({ what, which }) => `${noun(what, "tr")} bulunamadı: ${which}`,
    en: ({ what, which }) => `There is no ${noun(what, "en")} ${which}.`,
  },
  "twice-in-list": {
    tr: ({ number }) => `${number} listede iki kez var.`,
    en: ({ number }) => `${number} is listed twice.`,
  },
  "in-use": {
    tr: ({ which, by }) => `${which} silinemez, kullanan: ${userOf(by, "tr")}`,
    en: ({ which, by }) => `${which} cannot be deleted: it is used by ${by}.`,
  },
  "missing-extension": plain("Hesabınıza bağlı bir dahili yok.", "Your account has no extension."),
  "extension-not-found": {
    tr: ({ extension }) => `${extension} dahilisi yok.`,
    en: ({ extension }) => `There is no extension ${extension}.`,
  },
  "extension-not-reachable": {
    tr: ({ extension }) => `${extension} dahilisinin telefonu kayıtlı değil.`,
    en: ({ extension }) => `No phone of extension ${extension} is registered.`,
  },
  "do-not-disturb": plain("Dahili rahatsız etmeyin modunda.", "The extension does not want to be disturbed."),
  "invalid-source": { tr: ({ source }) => `Geçersiz numara: ${source}`, en: ({ source }) => `Not a number: ${source}` },
  "invalid-destination": {
    tr: ({ destination }) => `Geçersiz numara: ${destination}`,
    en: ({ destination }) => `Not a number: ${destination}`,
  },
  "destination-barred": {
    tr: ({ destination }) => `${destination} aramaya kapalı.`,
    en: ({ destination }) => `Calls to ${destination} are barred.`,
  },
  "caller-id-not-owned": plain("Bu arayan numarası sizin değil.", "This caller number is not yours."),
  "announcement-not-found": {
    tr: ({ id }) => `${id} numaralı anons yok.`,
    en: ({ id }) => `There is no announcement ${id}.`,
  },
  "queue-not-found": { tr: ({ queue }) => `${queue} kuyruğu yok.`, en: ({ queue }) => `There is no queue ${queue}.` },
  "no-such-call": plain("Çağrı sona ermiş.", "The call is over."),
  "not-now": plain("Çağrı şu anda buna uygun değil.", "The call is not in a state for this."),
  "no-trunk": plain("Bu numara için hat yok.", "There is no trunk for this number."),
  "no-free-channel": plain("Boş kanal yok.", "No channel is free."),
  "call-failed": {
    tr: ({ cause }) => `Çağrı kurulamadı: ${causeInWords(cause, "tr")}`,
    en: ({ cause }) => `The call failed: ${causeInWords(cause, "en")}`,
  },
  overloaded: plain(
    "Şu anda çok fazla çağrı var. Bir saniye sonra yeniden deneyin.",
    "There are too many calls at once. Try again in a second.",
  ),
  closing: plain("Santral kapanıyor.", "The exchange is stopping."),
};

function targetProblem(why: TargetProblem, language: Language): string {
  const tr = language === "tr";
  switch (why.problem) {
    case "unreadable":
      return tr ? "yazımı anlaşılmadı" : "it cannot be read";
    case "named":
      return tr ? "adıyla değil numarasıyla yazın" : "write its number instead of its name";
    case "out-of-place":
      return tr ? "burada kullanılamaz" : "it makes no sense here";
    case "not-there":
      return tr ? `${noun(why.noun, "tr")} ${why.which} yok` : `there is no ${noun(why.noun, "en")} ${why.which}`;
  }
}

const time = (ms: number, language: Language) =>
  new Date(ms).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });

const UNREACHABLE: Both = {
  tr: "Sunucuya ulaşılamıyor. Bağlantıyı denetleyip yeniden deneyin.",
  en: "The server cannot be reached. Check the connection and try again.",
};

export function faultInWords(fault: unknown, language: Language): string {
  if (!(fault instanceof Refused)) return UNREACHABLE[language];
  const { refusal } = fault;
  const words = refusals[refusal.refused] as Both<(no: ConsoleRefusal) => string> | undefined; // chosen by its own field
  return words?.[language](refusal) ?? NOT_TAKEN[language];
}
