// Kinds of lines that somebody looks for in the audit trail, by how the names of their facts begin.

import type { Words } from "../../nouns/field.ts";

export const auditKinds = {
  "sign-ins": { words: { tr: "Girişler", en: "Sign-ins" }, begin: ["session.", "sign-in", "signed-in", "totp."] },
  exports: { words: { tr: "İndirilen tablolar", en: "Downloads" }, begin: ["table-exported", "reportPlans."] },
  recordings: {
    words: { tr: "Dinlenen kayıtlar", en: "Recordings heard" },
    begin: ["recording-heard", "message-heard"],
  },
  listening: {
    words: { tr: "Çağrı dinleme", en: "Listening in" },
    begin: ["call-supervised", "supervision-refused", "calls.supervise"],
  },
  people: { words: { tr: "Kullanıcılar ve anahtarlar", en: "Staff and keys" }, begin: ["staff.", "keys."] },
  setup: {
    words: { tr: "Kurulum", en: "Setting up" },
    begin: [
      ...["settings.", "crm.", "archive.", "extensions.", "mailboxes.", "queues.", "groups.", "menus.", "numbers."],
      ...["holidays.", "trunks.", "rules.", "sounds.", "forms.", "contactSources.", "walls."],
    ],
  },
  calls: {
    words: { tr: "Çağrılar ve temsilciler", en: "Calls and agents" },
    begin: ["calls.", "agents.", "desk.", "agent-moved", "voicemail.", "emergency-call"],
  },
  commands: { words: { tr: "Komut satırı", en: "Command line" }, begin: ["command"] },
} as const satisfies Record<string, { words: Words; begin: readonly string[] }>;

export type AuditKind = keyof typeof auditKinds;

export const AUDIT_KINDS = Object.keys(auditKinds) as AuditKind[]; // of the record above
