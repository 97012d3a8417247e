// Words of the menus.

import { inBoth } from "../../words/language.tsx";

export const texts = inBoth({
  title: { tr: "Menüler ve çağrı akışı", en: "Menus and call flow" },
  about: {
    tr: "Bir çağrının numaradan telefona kadar izlediği yol.",
    en: "The way a call takes from a number to a phone.",
  },
  flow: { tr: "Çağrı akışı", en: "Call flow" },
  menus: { tr: "Sesli menüler", en: "Voice menus" },
  empty: { tr: "Henüz menü yok.", en: "There are no menus yet." },
  add: { tr: "Menü ekle", en: "Add a menu" },
  welcome: { tr: "Karşılama anonsu", en: "Welcome announcement" },
  timeout: { tr: "Tuşlanmazsa", en: "When no key comes" },
  invalid: { tr: "Başka bir tuşta", en: "On every other key" },
  retries: { tr: "Yineleme", en: "Retries" },
  keySeconds: { tr: "Tuş bekleme (sn)", en: "Waits for a key (seconds)" },
  keys: { tr: "Tuşlar", en: "Keys" },
  key: { tr: "Tuş", en: "Key" },
  closed: { tr: "Mesai dışı", en: "Closed" },
  open: { tr: "Mesai", en: "Open" },
  edit: { tr: "Menüyü düzenle", en: "Edit the menu" },
  again: { tr: "(yukarıda gösterildi)", en: "(shown above)" },
  noNumbers: { tr: "Henüz numara yok.", en: "There are no numbers yet." },
});
