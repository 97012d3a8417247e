// What is wrong with a trunk, for people. What the carrier said itself is shown as it is.

import type { StoryFactOf } from "../exchange/calls/story.ts";
import type { Trouble } from "../exchange/signalling/trunks/troubles.ts";
import type { Language } from "../languages.ts";

const words: Record<Trouble, Record<Language, string>> = {
  timeout: { tr: "cevap vermiyor", en: "it does not answer" },
  unreachable: { tr: "ulaşılamıyor", en: "it cannot be reached" },
  refused: { tr: "bağlantıyı reddediyor", en: "it refuses the connection" },
  "no-address": { tr: "adı bir adrese götürmüyor", en: "its name leads to no address" },
  "no-door": {
    tr: "oraya yol yok, veya santral bu taşımayı ya da adres ailesini konuşmuyor (TLS için SANTRAL_SIP_TLS)",
    en: "no way leads there, or the exchange does not speak that transport or family of addresses (for TLS: SANTRAL_SIP_TLS)",
  },
  certificate: { tr: "sertifikası geçersiz", en: "its certificate is not valid" },
  "certificate-expired": {
    tr: "sertifikasının süresi dolmuş veya başlamamış",
    en: "its certificate has expired, or is not valid yet",
  },
  "certificate-name": { tr: "sertifikası başka bir ada ait", en: "its certificate is for another name" },
  "certificate-untrusted": { tr: "sertifikasına güvenilmiyor", en: "its certificate is signed by nobody we trust" },
  "certificate-file": { tr: "otorite dosyası okunamıyor", en: "its file of the certificate authority cannot be read" },
  "password-lost": { tr: "parolası açılamıyor", en: "its password cannot be opened" },
};

/** What a carrier means by its answer, by its number; and by the class of it where there is nothing to say of that one. */
const statuses: Record<number, Record<Language, string>> = {
  3: { tr: "başka bir yer gösteriyor", en: "it points elsewhere" },
  4: { tr: "çağrıyı kabul etmiyor", en: "it does not take the call" },
  5: { tr: "operatörde bir arıza var", en: "something is wrong at the carrier" },
  6: { tr: "aranan kişi reddetti", en: "whoever was called declined" },
  401: { tr: "kullanıcı adı veya parola yanlış", en: "the user name or password is wrong" },
  402: { tr: "operatörde bakiye yok", en: "there is no credit left at the carrier" },
  403: {
    tr: "izin vermiyor: hesap, gösterilen numara veya aranan yer operatörde kapalı",
    en: "it is forbidden: the carrier bars the account, the number shown or the place called",
  },
  404: { tr: "numarayı tanımıyor", en: "it does not know the number" },
  407: { tr: "kullanıcı adı veya parola yanlış", en: "the user name or password is wrong" },
  408: { tr: "aranan yer zamanında cevap vermedi", en: "the place called did not answer in time" },
  415: { tr: "çağrının biçimini tanımıyor", en: "it does not know the form of the call" },
  480: { tr: "aranan kişiye şu anda ulaşılamıyor", en: "whoever was called cannot be reached now" },
  484: { tr: "numara eksik", en: "the number is not complete" },
  486: { tr: "meşgul", en: "busy" },
  488: { tr: "ortak ses kodlaması yok", en: "there is no common codec" },
  503: { tr: "hizmet dışı veya aşırı yüklü", en: "it is out of service or overloaded" },
  600: { tr: "meşgul", en: "busy" },
  603: { tr: "aranan kişi reddetti", en: "whoever was called declined" },
  604: { tr: "böyle bir numara yok", en: "there is no such number" },
};

/** Undefined for an answer that is no complaint. */
function statusInWords(status: number, language: Language): string | undefined {
  return (statuses[status] ?? statuses[Math.floor(status / 100)])?.[language];
}

/** The answer of a carrier as it said it, such as "403 Forbidden", or a word of trouble: what it means, and the answer itself. */
export function answerInWords(answer: string, language: Language): string {
  const status = /^([3-6]\d\d)\b/.exec(answer)?.[1];
  const words = status === undefined ? undefined : statusInWords(Number(status), language);
  return words === undefined ? troubleInWords(answer, language) : `${words} (${answer})`;
}

const failures: Record<StoryFactOf<"trunk-failed">["why"], Record<Language, string>> = {
  silent: { tr: "cevap vermiyor", en: "does not answer" },
  stalled: { tr: "çağrıyı ilerletmiyor", en: "only says that it tries" },
  unreachable: { tr: "ulaşılamıyor", en: "cannot be reached" },
  refused: { tr: "çağrıyı reddetti", en: "refuses the call" },
};

/** Why a call goes on by another trunk, as what follows the name of the first. */
export function failureInWords(why: keyof typeof failures, language: Language): string {
  return failures[why][language];
}

type TestFact = StoryFactOf<"trunk-tested">;

const results: Record<TestFact["how"], Record<Language, string>> = {
  answered: { tr: "çalışıyor: aranan yer açtı", en: "works: the place called answered" },
  unanswered: {
    tr: "çalışıyor: aranan yer çaldı, ama kimse açmadı",
    en: "works: the place called rang, but nobody picked up",
  },
  refused: { tr: "çağrıyı reddetti", en: "refuses the call" },
  silent: {
    tr: "çağrıya hiç cevap vermedi: adres, bağlantı noktası, güvenlik duvarı veya operatördeki IP izni yanlış olabilir",
    en: "said nothing to the call: the address, the port, a firewall or the carrier's list of IP addresses may be wrong",
  },
  stalled: {
    tr: "çağrıyı aldı, ama ilerletmedi",
    en: "took the call, and then said no more",
  },
  unreachable: { tr: "ulaşılamıyor", en: "cannot be reached" },
  full: { tr: "bütün kanalları dolu", en: "has no free channel" },
  "no-address": {
    tr: "adı bir adrese götürmüyor (DNS)",
    en: "has a name that leads to no address (DNS)",
  },
};

/** What came of the test of a trunk, as what follows its name. */
export function testInWords({ how, status, trouble }: Omit<TestFact, "is" | "trunk">, language: Language): string {
  const result = results[how][language];
  if (status !== undefined) return `${result}: ${answerInWords(String(status), language)}`;
  return trouble === undefined ? result : `${result}: ${troubleInWords(trouble, language)}`;
}

export function troubleInWords(trouble: string, language: Language): string {
  return Object.hasOwn(words, trouble) ? words[trouble as Trouble][language] : trouble; // just looked for
}
