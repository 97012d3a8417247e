// Words that open a backup once, for a few minutes and for who asked: what asked left a line in the audit trail.

import { randomBytes } from "node:crypto";
import { type Clock, since, type Ticks } from "../clock.ts";
import type { BackupFolder, OpenedBackup } from "./backup-folder.ts";

const LENT_MS = 5 * 60_000;
const MOST_LENT = 20;

type Lent = { name: string; exchangeId: number; from: Ticks };

export type Lending = {
  lend(name: string, exchangeId: number): Promise<string | undefined>;
  openLent(word: string, exchangeId: number): Promise<OpenedBackup | undefined>;
};

export function openLending(folder: Pick<BackupFolder, "has" | "open">, clock: Clock): Lending {
  const lent = new Map<string, Lent>();
  return {
    async lend(name, exchangeId) {
      if (!(await folder.has(name))) return undefined;
      for (const [word, { from }] of lent)
        if (since(clock, from) > LENT_MS || lent.size >= MOST_LENT) lent.delete(word);
      const word = randomBytes(24).toString("base64url");
      lent.set(word, { name, exchangeId, from: clock.ticks() });
      return word;
    },
    async openLent(word, exchangeId) {
      const found = lent.get(word);
      if (found?.exchangeId !== exchangeId) return undefined;
      lent.delete(word);
      return since(clock, found.from) > LENT_MS ? undefined : folder.open(found.name);
    },
  };
}
