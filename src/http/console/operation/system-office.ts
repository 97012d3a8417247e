// The machine this server runs on, for whoever runs it: how it is, and backups of all of it.

import type { Readable } from "node:stream";

export type SystemFacts = {
  version: string;
  node: string;
  startedMs: number;
  /** What keeps it from taking work, in the machine's own words. */
  notReady: string | null;
  diskFreeBytes: number;
  diskBytes: number;
  databaseBytes: number;
  /** Background work that waits, and that was given up. */
  jobs: { waiting: number; dead: number };
  /** What waits on disk because the database was away. */
  owed: number;
};

export type BackupFile = { name: string; bytes: number; madeMs: number };

/** `at` is HH:MM in the zone of the exchange that has set it; `keep`: older ones of the plan are removed. */
export type BackupPlan = { every: "day" | "week"; at: string; keep: number; timeZone: string };

export type Backups = {
  files: BackupFile[];
  plan: BackupPlan | null;
  underWaySinceMs: number | null;
  /** The last one that could not be made, in the machine's own words; null since one was. */
  failed: { atMs: number; why: string } | null;
};

export type SystemOffice = {
  /** Everybody's data is in a backup: only those have it who run the machine. */
  isOperator(exchangeId: number): Promise<boolean>;
  facts(): Promise<SystemFacts>;
  backups(): Promise<Backups>;
  /** False while one is under way. It goes on after the answer. */
  makeBackup(): boolean;
  removeBackup(name: string): Promise<boolean>;
  planBackups(plan: BackupPlan | null): Promise<void>;
  /** A word that opens the file once, for a few minutes. Undefined: no such file. */
  lendBackup(name: string, exchangeId: number): Promise<string | undefined>;
  openLent(word: string, exchangeId: number): Promise<{ name: string; size: number; stream: Readable } | undefined>;
};
