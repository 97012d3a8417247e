// What may be set of a source of contacts: an address book, or a table behind a URL.

import { noun } from "./field.ts";
import { choice, secret, text, url, whole, words, yesOrNo } from "./kinds.ts";

export const contactSource = noun({
  title: "Sources of contacts",
  command: "santral contacts source add",
  table: "contact_sources",
  knownBy: "name",
  fields: {
    kind: choice(
      { tr: "Tür", en: "Kind" },
      {
        among: {
          carddav: { tr: "CardDAV adres defteri", en: "CardDAV address book" },
          file: { tr: "Bağlantıdaki dosya (CSV, JSON, vCard)", en: "File behind a link (CSV, JSON, vCard)" },
        },
        fixed: true,
      },
    ),
    url: url(
      { tr: "Adres (https://…)", en: "Address (https://…)" },
      {
        required: true,
        about: {
          tr: "CardDAV için sunucunun veya defterin adresi",
          en: "For CardDAV that of the server or of the address book",
        },
      },
    ),
    address_book: url(
      { tr: "Adres defteri", en: "Address book" },
      {
        orNothing: true,
        about: {
          tr: "Sunucuda birden çok defter varsa seçilen; Dene düğmesi hepsini gösterir",
          en: "The chosen one where a server has several; trying the source lists them",
        },
      },
    ),
    username: text({ tr: "Kullanıcı adı", en: "User name" }, { orNothing: true, longest: 255 }),
    password: secret(
      { tr: "Parola veya erişim anahtarı", en: "Password or token" },
      {
        orNothing: true,
        about: {
          tr: "Kullanıcı adı boşsa Bearer anahtarı olarak gönderilir; şifrelenmiş saklanır",
          en: "Sent as a bearer token when there is no user name; kept sealed",
        },
      },
    ),
    columns: words(
      { tr: "Sütunlar", en: "Columns" },
      {
        default: [],
        about: {
          tr: "Başlığı tanınmayan sütunlar için alan:sütun, ör. phone:Cep No; alanlar arayüzdeki gibidir",
          en: "For columns with a heading of their own field:column, as in phone:Mobile No; fields as in the interface",
        },
      },
    ),
    every_minutes: whole(
      { tr: "Kaç dakikada bir okunsun", en: "Minutes between two runs" },
      { least: 5, most: 1_440, default: 15 },
    ),
    active: yesOrNo({ tr: "Etkin", en: "Active" }, { default: true }),
  },
});
