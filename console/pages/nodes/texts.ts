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
  exchanges: { tr: "Santral sayısı", en: "Exchanges on it" },
  calls: { tr: "Çağrı", en: "Calls" },
  until: { tr: "Ömrü", en: "Life holds until" },
  late: { tr: "Geç yenileme", en: "Late renewals" },
  since: { tr: "Başlangıcı", en: "Since" },
  drain: { tr: "Boşalt", en: "Drain" },
  resume: { tr: "Sürdür", en: "Resume" },
  drainSure: {
    tr: (name: string) => `${name} santrallerini öteki düğümlere devreder ve yenisini almaz.`,
    en: (name: string) => `${name} gives its exchanges to the other nodes, and takes none.`,
  },
  resumeSure: {
    tr: (name: string) => `${name} yeniden santral alır.`,
    en: (name: string) => `${name} takes exchanges again.`,
  },
  done: { tr: "Düğüme söylendi", en: "The node was told" },
  homes: { tr: "Santraller", en: "Exchanges" },
  exchange: { tr: "Santral adı", en: "Exchange" },
  nowhere: { tr: "hiçbir yerde", en: "nowhere" },
  noExchanges: { tr: "Santral yok.", en: "There are no exchanges." },
});

export const states = {
  up: { tr: "çalışıyor", en: "up" },
  draining: { tr: "boşalıyor", en: "draining" },
  dead: { tr: "ölü", en: "dead" },
};
