// Words of queues and ring groups.

import { inBoth } from "../../words/language.tsx";

export const texts = inBoth({
  queues: { tr: "Kuyruklar", en: "Queues" },
  queuesAbout: { tr: "Arayanların temsilci beklediği yerler.", en: "Where callers wait for an agent." },
  noQueues: { tr: "Henüz kuyruk yok.", en: "There are no queues yet." },
  addQueue: { tr: "Kuyruk ekle", en: "Add a queue" },
  groups: { tr: "Çağrı grupları", en: "Ring groups" },
  groupsAbout: { tr: "Tek numarayla birden çok telefon çalar.", en: "Several phones behind one number." },
  noGroups: { tr: "Henüz çağrı grubu yok.", en: "There are no ring groups yet." },
  addGroup: { tr: "Grup ekle", en: "Add a group" },
  members: { tr: "Üyeler (sırayla)", en: "Members, in order" },
  membersAbout: { tr: "Dahililer ya da dış numaralar", en: "Extensions, or numbers outside" },
});
