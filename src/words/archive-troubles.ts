// What is the matter with a store outside, for people. Codes of the store itself stand behind it as they are.

import type { TroubleKind } from "../archive/archive.ts";
import type { ProbeStep } from "../archive/probe.ts";
import type { Both, Language } from "../languages.ts";

const words: Record<TroubleKind, Both> = {
  "bad-address": { tr: "adresi çağrılamaz", en: "its address cannot be called" },
  "not-encrypted": {
    tr: "adresi https ile başlamalı (http yalnızca SANTRAL_PRIVATE_WEBHOOKS açıkken)",
    en: "its address has to begin with https (http only with SANTRAL_PRIVATE_WEBHOOKS on)",
  },
  "not-public": {
    tr: "adresi herkese açık ağda değil (izin: SANTRAL_PRIVATE_WEBHOOKS)",
    en: "its address is not on the public network (SANTRAL_PRIVATE_WEBHOOKS allows it)",
  },
  "no-address": { tr: "adı bir adrese götürmüyor", en: "its name leads to no address" },
  unreachable: { tr: "ulaşılamıyor veya bağlantı koptu", en: "it cannot be reached, or the connection broke" },
  late: { tr: "zamanında cevap vermiyor", en: "it does not answer in time" },
  certificate: { tr: "sertifikası geçersiz", en: "its certificate is not valid" },
  redirected: { tr: "başka bir yere yönlendiriyor", en: "it sends us elsewhere, where we do not go" },
  login: { tr: "anahtar veya parola kabul edilmiyor", en: "it does not take the key or password" },
  forbidden: { tr: "bu kullanıcıya izin vermiyor", en: "it does not allow this user to do so" },
  "no-place": { tr: "kova veya klasör orada yok", en: "the bucket or folder is not there" },
  region: { tr: "kova başka bir bölgede", en: "the bucket is in another region" },
  clock: { tr: "saatimiz onunkinden çok farklı", en: "our clock is too far from its own" },
  full: { tr: "yer kalmamış", en: "there is no room left" },
  busy: { tr: "şu anda hizmet veremiyor", en: "it cannot serve us now" },
  "not-there": { tr: "dosya orada yok", en: "the file is not there" },
  differs: { tr: "orada duran, gönderilenle aynı değil", en: "what lies there is not what was put" },
  refused: { tr: "isteği reddediyor", en: "it refuses the request" },
  secret: { tr: "anahtarı açılamıyor", en: "its secret cannot be opened" },
  "no-local-file": { tr: "kayıt dosyası burada yok", en: "the file of the recording is not here" },
  stopped: { tr: "durduruldu", en: "it was stopped" },
};

const steps: Record<ProbeStep, Both> = {
  write: { tr: "Deneme dosyası yazılamadı", en: "A test file could not be written" },
  read: { tr: "Deneme dosyası geri okunamadı", en: "The test file could not be read back" },
  delete: { tr: "Deneme dosyası silinemedi", en: "The test file could not be deleted" },
};

export function archiveTroubleInWords({ trouble, detail }: { trouble: string; detail: string }, language: Language) {
  const said = Object.hasOwn(words, trouble) ? words[trouble as TroubleKind][language] : trouble; // just looked for
  return detail === "" ? said : `${said} (${detail})`;
}

export function probeInWords(
  { step, ...trouble }: { step: ProbeStep; trouble: string; detail: string },
  language: Language,
): string {
  return `${steps[step][language]}: ${archiveTroubleInWords(trouble, language)}`;
}
