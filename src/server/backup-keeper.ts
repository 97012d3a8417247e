// Backups in the data folder: made by the command, in a process of its own, so that no call waits for it; kept, lent out
// and removed.

import { type Cancel, type Clock, since, type Ticks } from "../clock.ts";
import type { BackupPlan, Backups } from "../http/console/operation/system-office.ts";
import type { Log } from "../log.ts";
import type { RunProgram } from "../programs/program.ts";
import { type BackupFolder, openBackupFolder } from "./backup-folder.ts";
import { backupName, isDue, isPlanned, tooMany } from "./backup-plan.ts";
import { type Lending, openLending } from "./lending.ts";

export type BackupKeeper = Lending & {
  look(): Promise<Backups>;
  make(kind: "planned" | "made"): boolean;
  remove(name: string): Promise<boolean>;
  plan(plan: BackupPlan | null): Promise<void>;
  close(): Promise<void>;
};

export type KeeperNeeds = {
  folder: string;
  /** The words of the command that writes everything to a file. */
  command: (file: string) => { command: string; words: string[] };
  runProgram: RunProgram;
  clock: Clock;
  log: Log;
};

const LOOK_MS = 60_000;
/** After a failure the next hour is soon enough. */
const TIRED_MS = 3_600_000;

export function openBackupKeeper({ folder: path, ...needs }: KeeperNeeds): BackupKeeper {
  const { clock, log } = needs;
  const folder = openBackupFolder(path);
  const maker = openMaker(folder, needs);
  let cancel: Cancel = () => undefined;

  async function look(): Promise<void> {
    const plan = await folder.plan();
    const last = (await folder.files()).find(({ name }) => isPlanned(name))?.madeMs;
    if (plan && !maker.isTired() && isDue(plan, last, clock.wall())) maker.make("planned");
  }

  const again = () => {
    cancel = clock.after(LOOK_MS, () => {
      again();
      void look().catch((error: unknown) => log.warn({ error: String(error) }, "backups could not be looked at"));
    });
  };
  again();

  return {
    ...openLending(folder, clock),
    make: maker.make,
    look: async () => ({ files: await folder.files(), plan: await folder.plan(), ...maker.state() }),
    remove: folder.remove,
    plan: folder.keepPlan,
    async close() {
      cancel();
      await maker.close();
    },
  };
}

function openMaker(folder: BackupFolder, { command, runProgram, clock, log }: Omit<KeeperNeeds, "folder">) {
  const ending = new AbortController();
  let underWay: { sinceMs: number; done: Promise<void> } | undefined;
  let failed: Backups["failed"] = null;
  let failedAt: Ticks | undefined;
  const fail = (why: string) => {
    failed = { atMs: clock.wall(), why: why.slice(-300) };
    failedAt = clock.ticks();
    log.error({ why: failed.why }, "a backup could not be made");
  };

  async function write(kind: "planned" | "made"): Promise<void> {
    const name = backupName(kind, clock.wall());
    const { code, complained } = await runProgram(command(await folder.placeFor(name)), ending.signal);
    if (ending.signal.aborted) return;
    if (code !== 0) return fail(complained.trim() || `code ${code}`);
    failed = null;
    log.info({ backup: name }, "a backup was made");
    const plan = await folder.plan();
    if (plan) for (const old of tooMany(await folder.files(), plan.keep)) await folder.remove(old.name);
  }

  return {
    state: () => ({ underWaySinceMs: underWay?.sinceMs ?? null, failed }),
    isTired: () => failed !== null && failedAt !== undefined && since(clock, failedAt) < TIRED_MS,
    make(kind: "planned" | "made"): boolean {
      if (underWay) return false;
      const done = write(kind)
        .catch((error: unknown) => fail(String(error)))
        .finally(() => {
          underWay = undefined;
        });
      underWay = { sinceMs: clock.wall(), done };
      return true;
    },
    async close() {
      ending.abort();
      await underWay?.done;
    },
  };
}
