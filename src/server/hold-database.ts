// One server a database. A lock that lives and dies with our connection says who may begin; a lease in the database's
// own time says who it is, and to one that was cut off whether it may go on.

import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { type Cancel, type Clock, pause } from "../clock.ts";
import type { Log } from "../log.ts";
import { isRunning, ownMark } from "../process-mark.ts";
import { connectLine, type OpenLine } from "../store/line.ts";
import { endEveryLife, livingNodes } from "../store/nodes.ts";
import {
  endLease,
  type LeaseHolder,
  type Line,
  lockServer,
  readLease,
  renewLease,
  type ServerLease,
  takeLease,
  unlockServer,
} from "../store/server-lease.ts";
import { giveUp } from "./give-up.ts";

export type DatabaseHold = {
  /** Once the schema is up to date: from then on it is ours by name. A number that grows with every server. */
  take(): Promise<number>;
  /** Kept when another server has it: who that is. Whatever we did from then on would be done behind its back. */
  lost: Promise<string>;
  close(): Promise<void>;
};

export type HoldNeeds = { url: string; dataFolder: string; clock: Clock; log: Log };

const RENEW_MS = 1_000;
const TRY_AGAIN_MS = 250;
/** A server that was just killed may live on for a moment in the eyes of the database. */
const ATTEMPTS = 20;
/** And one that was only cut off from it comes back for its own while its lease holds: some more than it lasts. */
const ATTEMPTS_WHILE_LEASED = 40;

export async function holdDatabase(needs: HoldNeeds): Promise<DatabaseHold> {
  const own = { ...ownMark(), host: hostname(), system: thisSystem(), dataFolder: needs.dataFolder };
  const line = await connectLine(needs.url, needs.clock);
  try {
    await waitForTurn(line, own, needs.clock);
  } catch (error) {
    await line.end();
    throw error;
  }
  return new Hold(needs, own, line);
}

async function waitForTurn(line: OpenLine, own: LeaseHolder, clock: Clock): Promise<void> {
  let isLocked = false;
  for (let attempt = 1; attempt <= (isLocked ? ATTEMPTS_WHILE_LEASED : ATTEMPTS); attempt++) {
    isLocked = await lockServer(line);
    if (isLocked && !mayComeBack(await readLease(line), own) && (await livingNodes(line)).length === 0) return;
    if (isLocked) await unlockServer(line);
    await pause(clock, TRY_AGAIN_MS);
  }
  const nodes = await livingNodes(line);
  if (nodes.length > 0)
    giveUp(
      `the database is shared by the nodes ${nodes.join(", ")}: set SANTRAL_CLUSTER=on to join them, stop them, or give ` +
        "this one a database of its own (DATABASE_URL)",
      "inUse",
    );
  const lease = await readLease(line);
  giveUp(
    `the database is in use by another Santral (${lease ? named(lease) : "one that is just starting"}): stop that one, ` +
      "or give this one a database of its own (DATABASE_URL)",
    "inUse",
  );
}

/** Its lease holds and nothing shows that it is dead, though its connection is. */
function mayComeBack(lease: ServerLease | undefined, own: LeaseHolder): boolean {
  if (!lease?.isValid) return false;
  return lease.holder.system !== own.system || isRunning(lease.holder);
}

function named({ holder, takenAt }: ServerLease): string {
  return `process ${holder.pid} on ${holder.host}, data folder ${holder.dataFolder}, since ${takenAt.toISOString()}`;
}

class Hold implements DatabaseHold {
  readonly lost: Promise<string>;
  readonly #needs: HoldNeeds;
  readonly #own: LeaseHolder;
  #tellLost: (holder: string) => void = () => undefined;
  #line: OpenLine | undefined;
  #hasLock = true;
  #epoch = 0;
  #isClosed = false;
  #cancel: Cancel = () => undefined;
  #renewing: Promise<void> = Promise.resolve();

  constructor(needs: HoldNeeds, own: LeaseHolder, line: OpenLine) {
    this.#needs = needs;
    this.#own = own;
    this.#line = line;
    this.lost = new Promise((resolve) => {
      this.#tellLost = resolve;
    });
  }

  async take(): Promise<number> {
    this.#epoch = await takeLease(this.#line!, this.#own); // it is there until the first renewal
    await endEveryLife(this.#line!);
    this.#renewLater(RENEW_MS);
    return this.#epoch;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#renewing;
    if (this.#line && this.#epoch > 0) await endLease(this.#line, this.#epoch).catch(() => undefined); // or by itself
    await this.#line?.end();
  }

  #renewLater(ms: number): void {
    if (this.#isClosed) return;
    this.#cancel = this.#needs.clock.after(ms, () => {
      this.#renewing = this.#renew().then((ms) => (ms === "lost" ? undefined : this.#renewLater(ms)));
    });
  }

  /** How long until the next time. */
  async #renew(): Promise<number | "lost"> {
    const { log, clock, url } = this.#needs;
    try {
      this.#line ??= await connectLine(url, clock);
      const hadLock = this.#hasLock;
      // Until the database has noticed that our old connection is gone, that one holds it.
      this.#hasLock ||= await lockServer(this.#line);
      const isOurs = this.#hasLock ? await renewLease(this.#line, this.#epoch) : await this.#isStillOurs(this.#line);
      if (!isOurs) return await this.#giveWay(this.#line);
      if (this.#hasLock && !hadLock) log.info({ epoch: this.#epoch }, "the lock on the database is ours again");
    } catch (error) {
      if (this.#hasLock) log.warn({ error: String(error) }, "the connection that locks the database was lost");
      await this.#dropLine();
    }
    return this.#hasLock ? RENEW_MS : TRY_AGAIN_MS;
  }

  async #isStillOurs(line: Line): Promise<boolean> {
    return (await readLease(line))?.epoch === this.#epoch;
  }

  async #giveWay(line: Line): Promise<"lost"> {
    const lease = await readLease(line);
    await this.#dropLine();
    this.#epoch = 0;
    this.#tellLost(lease ? named(lease) : "somebody who restored it");
    return "lost";
  }

  async #dropLine(): Promise<void> {
    const line = this.#line;
    this.#line = undefined;
    this.#hasLock = false;
    await line?.end();
  }
}

/** This machine since its start, as seen from among our processes: numbers of those mean something only here. */
function thisSystem(): string {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}
