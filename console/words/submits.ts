// What the button at the foot of a form says: the very thing it does. A form that changes what is there says "Save".

import type { ConsoleApi } from "../../src/http/console/api.ts";
import type { Both } from "./language.tsx";

type OperationName = keyof ConsoleApi;
type Making = Extract<OperationName, `${string}.create`>;

/** Add an operation that makes something and this stops compiling. */
const submits: Record<Making, Both> & Partial<Record<OperationName, Both>> = {
  "extensions.create": { tr: "Dahiliyi oluştur", en: "Create extension" },
  "queues.create": { tr: "Kuyruğu oluştur", en: "Create queue" },
  "groups.create": { tr: "Çağrı grubunu oluştur", en: "Create ring group" },
  "menus.create": { tr: "Menüyü oluştur", en: "Create menu" },
  "numbers.create": { tr: "Numarayı ekle", en: "Add number" },
  "holidays.create": { tr: "Tatili ekle", en: "Add holiday" },
  "trunks.create": { tr: "Hattı oluştur", en: "Create trunk" },
  "rules.create": { tr: "Kuralı ekle", en: "Add rule" },
  "campaigns.create": { tr: "Kampanyayı başlat", en: "Start campaign" },
  "contacts.create": { tr: "Kişiyi ekle", en: "Add contact" },
  "contactGroups.create": { tr: "Grubu oluştur", en: "Create group" },
  "keys.create": { tr: "Anahtarı oluştur", en: "Create key" },
  "staff.create": { tr: "Hesabı oluştur", en: "Create account" },
  "sounds.speak": { tr: "Anonsu oluştur", en: "Create announcement" },
  "blocked.add": { tr: "Numarayı engelle", en: "Block number" },
  "faxes.send": { tr: "Faksı gönder", en: "Send fax" },
  "sms.createTitle": { tr: "Başlığı ekle", en: "Add title" },
  "sms.addToBlacklist": { tr: "Kara listeye ekle", en: "Add to blacklist" },
  "sms.uploadConsents": { tr: "İzinleri bildir", en: "Send consents" },
};

export function submitWords(does: OperationName, otherwise: Both): Both {
  return submits[does] ?? otherwise;
}
