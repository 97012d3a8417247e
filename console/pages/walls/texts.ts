// Words of the page on which boards for the wall are made.

import { inBoth } from "../../words/language.tsx";

export const texts = inBoth({
  title: { tr: "Duvar ekranları", en: "Wall screens" },
  about: {
    tr: "Duvardaki ekranlar için panolar. Her panonun bağlantısı giriş yapmadan açılır ve yalnızca o panoyu gösterir.",
    en: "Boards for screens on the wall. The link of a board opens without signing in, and shows that board alone.",
  },
  none: { tr: "Henüz pano yok", en: "No boards yet" },
  add: { tr: "Pano ekle", en: "Add board" },
  queues: { tr: "Kuyruklar", en: "Queues" },
  ownQueues: { tr: "Kuyruklar (en az biri)", en: "Queues (at least one)" },
  all: { tr: "Hepsi", en: "All" },
  tiles: { tr: "Kutular", en: "Tiles" },
  link: { tr: "Bağlantı", en: "Link" },
  linked: { tr: (at: string) => `${at} verildi`, en: (at: string) => `made ${at}` },
  noLink: { tr: "yok", en: "none" },
  makeLink: { tr: (name: string) => `Bağlantı ver: ${name}`, en: (name: string) => `Make a link: ${name}` },
  renewLink: { tr: (name: string) => `Bağlantıyı yenile: ${name}`, en: (name: string) => `Renew the link: ${name}` },
  dropLink: {
    tr: (name: string) => `Bağlantıyı geri al: ${name}`,
    en: (name: string) => `Take the link back: ${name}`,
  },
  dropped: { tr: "Bağlantı geri alındı; açık ekranlar kararır", en: "The link is taken back; open screens go dark" },
  linkTitle: { tr: (name: string) => `${name} panosunun bağlantısı`, en: (name: string) => `The link of ${name}` },
  renewAbout: {
    tr: "Eski bağlantıyla açılmış ekranlar birkaç saniyede kararır.",
    en: "Screens that were opened by the old link go dark within seconds.",
  },
  renew: { tr: "Yenile", en: "Renew" },
  takeBack: { tr: "Geri al", en: "Take back" },
});
