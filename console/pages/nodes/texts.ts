// Words of the page of nodes.

import { inBoth } from "../../words/language.tsx";

export const texts = inBoth({
  title: { tr: "Düğümler", en: "Nodes" },
  about: {
    tr: "Aynı veritabanını paylaşan sunucular ve hangi santralin hangisinde yaşadığı.",
    en: "The servers that share one database, and which exchange lives on which.",
  },
  none: { tr: "Düğüm yok.", en: "There are no nodes." },
  node: { tr: "Düğüm", en: "Node" },
  thisOne: { tr: "bu sayfayı veren", en: "serves this page" },
  state: { tr: "Durum", en: "State" },
  version: { tr: "Sürüm", en: "Version" },
  exchanges: { tr: "Santral", en: "Exchanges" },
  calls: { tr: "Çağrı", en: "Calls" },
  notYours: {
    tr: "Bu sayfayı yalnızca sunucuları işletenler görür: SANTRAL_OPERATORS ile belirtilen santralin yöneticileri.",
    en: "Only those who run the servers see this page: the administrators of the exchange that SANTRAL_OPERATORS names.",
  },
  starting: { tr: "başlıyor", en: "is starting" },
  silent: { tr: "yanıt vermiyor", en: "does not answer" },
  gone: { tr: (when: string) => `${when} anına dek`, en: (when: string) => `until ${when}` },
  late: { tr: "Geç yenileme", en: "Late renewals" },
  since: { tr: "Başlangıcı", en: "Since" },
  drain: { tr: "Boşalt", en: "Drain" },
  resume: { tr: "Sürdür", en: "Resume" },
  drainSure: {
    tr: (name: string) =>
      `${name}, santrallerini süren çağrılarıyla birlikte öteki düğümlere devreder ve sürdürülene kadar yenisini almaz. Taşınamayan bir çağrı varsa santrali çağrının bitmesini bekler.`,
    en: (name: string) =>
      `${name} gives its exchanges to the other nodes, with the calls that are up, and takes none until it is resumed. An exchange with a call that cannot move waits for its end.`,
  },
  alone: {
    tr: "Çalışan başka düğüm yok: biri gelene kadar santraller yerinde kalır.",
    en: "No other node is up: the exchanges stay where they are until one comes.",
  },
  resumeSure: {
    tr: (name: string) => `${name} yeniden santral alır.`,
    en: (name: string) => `${name} takes exchanges again.`,
  },
  drainTold: { tr: (name: string) => `${name} boşaltılıyor`, en: (name: string) => `${name} is being drained` },
  resumeTold: {
    tr: (name: string) => `${name} yeniden santral alıyor`,
    en: (name: string) => `${name} takes exchanges again`,
  },
  homes: { tr: "Santraller", en: "Exchanges" },
  exchange: { tr: "Santral adı", en: "Exchange" },
  nowhere: { tr: "hiçbir yerde", en: "nowhere" },
  noExchanges: { tr: "Santral yok.", en: "There are no exchanges." },
});

export const states = {
  up: { tr: "çalışıyor", en: "up" },
  draining: { tr: "boşalıyor", en: "draining" },
  drained: { tr: "boşaldı", en: "drained" },
  dead: { tr: "ölü", en: "dead" },
};
