// What may be set of the place outside where an exchange's recordings are put.

import { noun } from "./field.ts";
import { choice, secret, text, url, whole } from "./kinds.ts";

export const archive = noun({
  title: "Recording archive",
  command: "santral archive set",
  table: "archives",
  knownBy: "id",
  fields: {
    kind: choice(
      { tr: "Tür", en: "Kind" },
      {
        among: {
          s3: { tr: "S3 uyumlu depo", en: "S3-compatible bucket" },
          webdav: { tr: "WebDAV klasörü (Nextcloud ve benzeri)", en: "WebDAV folder (Nextcloud and the like)" },
          "google-drive": { tr: "Google Drive klasörü", en: "Google Drive folder" },
        },
      },
    ),
    url: url(
      { tr: "Adres", en: "Address" },
      {
        orNothing: true,
        about: {
          tr: "S3 uç noktası (boş: Amazon), WebDAV klasörünün adresi; Google için boş",
          en: "The S3 endpoint (empty: Amazon's), the URL of the WebDAV folder; empty for Google",
        },
      },
    ),
    region: text({ tr: "Bölge", en: "Region" }, { default: "us-east-1", longest: 64 }),
    bucket: text({ tr: "Kova (bucket)", en: "Bucket" }, { default: "", longest: 63 }),
    addressing: choice(
      { tr: "Kovanın yeri", en: "Where the bucket is named" },
      {
        among: {
          path: { tr: "Yolda (host/kova)", en: "In the path (host/bucket)" },
          host: { tr: "Alan adında (kova.host)", en: "Before the host (bucket.host)" },
        },
        default: "path",
      },
    ),
    prefix: text(
      { tr: "Alt klasör", en: "Folder in it" },
      { default: "", longest: 200, about: { tr: "Her dosya adının başında durur", en: "Stands before every name" } },
    ),
    folder: text({ tr: "Drive klasörünün kimliği", en: "Id of the Drive folder" }, { default: "", longest: 200 }),
    user: text(
      { tr: "Erişim anahtarı veya kullanıcı", en: "Access key, or user" },
      { default: "", longest: 200, column: "user_name" },
    ),
    secret: secret(
      { tr: "Gizli anahtar veya parola", en: "Secret key, or password" },
      {
        orNothing: true,
        longest: 10_000,
        about: {
          tr: "Google için hizmet hesabının JSON anahtarı. Mühürlü saklanır, bir daha gösterilmez",
          en: "For Google the service account's key, as JSON. Kept sealed, never shown again",
        },
      },
    ),
    after_days: whole(
      { tr: "Kaç gün sonra arşivlenir", en: "Put away after (days)" },
      {
        least: 0,
        most: 36_500,
        default: 0,
        about: { tr: "0: kayıt sıkıştırılır sıkıştırılmaz", en: "0: once the recording is compressed" },
      },
    ),
    local_days: whole(
      { tr: "Yerel kopya kaç gün daha kalır", en: "The copy here stays for another (days)" },
      { least: 1, most: 36_500, default: 30 },
    ),
  },
});
