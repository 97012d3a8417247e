// What became of a call at one of the queues and ring groups that it came to, as people are told it: docs/reports.md.

import type { Words } from "./field.ts";

export const becameOf = {
  /** A person took it there. */
  answered: { tr: "Kuyrukta cevaplandı", en: "Answered there" },
  /** The caller gave up there, or was told that nobody comes. */
  abandoned: { tr: "Kuyrukta vazgeçildi", en: "Abandoned there" },
  /** It went on elsewhere, and nobody had taken it there. */
  "passed-on": { tr: "Kuyruktan aktarıldı", en: "Passed on" },
} as const satisfies Record<string, Words>;

export type Became = keyof typeof becameOf;

export const BECAME = Object.keys(becameOf) as Became[]; // of the record above
