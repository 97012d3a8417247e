// What a command changes, for the audit trail: read from its words, and noted beside what stood there before.

import type { Changes, Noun } from "../nouns/field.ts";
import { type Details, HIDDEN } from "../store/audit-facts.ts";
import { audited } from "../store/audited.ts";
import { readCalled } from "../store/called.ts";
import type { Db } from "../store/db.ts";
import { readFormer } from "../store/former.ts";
import { readOptions, readSettings } from "./settings.ts";

/** Which one is changed: undefined is a new one, null the one that the exchange has. */
type Which = string | number | null | undefined;

export type Noting = {
  /** `ring-seconds=20` as changes, which are noted. */
  settings<N extends Noun>(noun: N, words: readonly string[], which?: Which): Promise<Changes<N>>;
  /** The same of `--ring-seconds 20`. */
  options<N extends Noun>(noun: N, given: Parameters<typeof readOptions>[1], which?: Which): Promise<Changes<N>>;
  /** Before they are made. */
  note(noun: Noun, changes: Readonly<Record<string, unknown>>, which?: Which): Promise<void>;
};

/** `noted` is what has been noted so far, as the line of the audit trail holds it. */
export function openNotes(db: Db, exchangeId: number): Noting & { noted(): Promise<Details> } {
  const where = { db, exchangeId };
  let details: Details = {};
  const noting: Noting = {
    async settings(noun, words, which) {
      const changes = await readSettings(noun, words, where);
      await noting.note(noun, changes, which);
      return changes;
    },
    async options(noun, given, which) {
      const changes = await readOptions(noun, given, where);
      await noting.note(noun, changes, which);
      return changes;
    },
    async note(noun, changes, which) {
      const names = Object.keys(changes).filter((name) => changes[name] !== undefined);
      if (names.length === 0) return;
      const was =
        which === undefined ? undefined : await readFormer(db, noun, { exchangeId, which: which ?? undefined, names });
      details = { of: noun.table, changes: withoutSecrets(noun, changes), ...(was && { was }) };
    },
  };
  return {
    ...noting,
    async noted() {
      const called = await readCalled(db, exchangeId, { did: "command", told: [details.changes, details.was] });
      return audited({ ...details, ...(called && { called }) }, []);
    },
  };
}

function withoutSecrets({ fields }: Noun, changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const hide = ([name, value]: [string, unknown]) => [name, fields[name]?.is === "secret" ? HIDDEN : value];
  return Object.fromEntries(Object.entries(changes).map(hide));
}
