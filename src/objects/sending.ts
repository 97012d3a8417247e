// Pays what the bucket is owed: few at a time, the oldest first, again and again until the bucket has confirmed it.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { isTrouble, type Trouble, type TroubleKind, trouble } from "../archive/archive.ts";
import { type Cancel, type Clock, LONG_AGO, type Ticks, until, within } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Bucket } from "./bucket.ts";
import type { Debt, Owed } from "./owed.ts";
import type { Sent } from "./parts.ts";
import type { Turns } from "./turns.ts";

export type SendingNeeds = {
  owed: Owed;
  bucket: Bucket;
  clock: Clock;
  log: Log;
  inTurn: Turns;
  /** Where an object lies here. */
  path(key: string): string;
  onPaid?(is: Debt["is"]): void;
  onTrouble?(trouble: Trouble): void;
};

export type Sending = {
  /** Something is owed. */
  look(): void;
  /** What is wrong with the bucket, as far as we know. */
  trouble(): Trouble | undefined;
  close(): Promise<void>;
};

const AT_ONCE = 4;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** These say something about one object; everything else is the matter with the bucket, and all wait for it. */
const OF_ONE_OBJECT: ReadonlySet<TroubleKind> = new Set(["differs", "not-there", "no-local-file"]);

const pauseAfter = (failures: number) => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10));

export function openSending(needs: SendingNeeds): Sending {
  const { owed, clock, log, onTrouble } = needs;
  const stopping = new AbortController();
  const underWay = new Map<string, Promise<void>>();
  const setBack = new Map<string, { failures: number; until: Ticks }>();
  const away = awayWatch(needs);
  let cancel: Cancel = () => {};
  return {
    look,
    trouble: () => away.state().why,
    async close() {
      stopping.abort();
      cancel();
      await Promise.all(underWay.values());
    },
  };

  function look(): void {
    cancel();
    if (stopping.signal.aborted) return;
    const { failures, until: backAt } = away.state();
    const waitMs = until(clock, backAt);
    if (waitMs > 0) return later(waitMs);
    // One alone tries whether the bucket is back.
    const most = failures > 0 ? 1 : AT_ONCE;
    let next: { debt: Debt; waitMs: number } | undefined;
    for (const debt of owed.all()) {
      if (underWay.size >= most) return;
      if (underWay.has(debt.key)) continue;
      const waitMs = until(clock, setBack.get(debt.key)?.until ?? LONG_AGO);
      if (waitMs <= 0) begin(debt);
      else if (!next || waitMs < next.waitMs) next = { debt, waitMs };
    }
    if (next && failures > 0 && underWay.size === 0) begin(next.debt);
    else if (next) later(next.waitMs);
  }

  function later(ms: number): void {
    cancel = clock.after(ms, look);
  }

  function begin(debt: Debt): void {
    const work = pay(needs, debt, stopping.signal)
      .catch((error: unknown) => trouble("refused", String(error)))
      .then((failed) => note(debt, failed))
      .finally(() => {
        underWay.delete(debt.key);
        look();
      });
    underWay.set(debt.key, work);
  }

  function note(debt: Debt, failed: Trouble | undefined): void {
    if (failed?.trouble === "stopped") return;
    const isOfOne = failed !== undefined && OF_ONE_OBJECT.has(failed.trouble);
    if (!failed || isOfOne) away.answers();
    else away.fails(failed);
    // Longer than all wait: another one tries next whether the bucket is back, so that none stands in the way of all.
    if (failed) {
      const failures = (setBack.get(debt.key)?.failures ?? 0) + 1;
      setBack.set(debt.key, { failures, until: within(clock, 2 * pauseAfter(failures)) });
    } else setBack.delete(debt.key);
    if (isOfOne)
      log.warn({ object: debt.key, is: debt.is, ...failed }, "a file is not as it should be in the bucket yet");
    if (failed) onTrouble?.(failed);
    else needs.onPaid?.(debt.is);
  }
}

/** Whether the bucket takes files at all, and when it is asked again. */
function awayWatch({ owed, clock, log }: Pick<SendingNeeds, "owed" | "clock" | "log">) {
  type Away = { failures: number; until: Ticks; why: Trouble | undefined };
  const well: Away = { failures: 0, until: LONG_AGO, why: undefined };
  let now = well;
  return {
    state: () => now,
    answers() {
      if (now.why) log.info({ owed: owed.count() }, "the bucket takes files again");
      now = well;
    },
    fails(why: Trouble) {
      if (until(clock, now.until) > 0) return; // it was under way when another failed
      if (!now.why)
        log.warn({ ...why, owed: owed.count() }, "the bucket takes no files; they are kept here until then");
      const failures = now.failures + 1;
      now = { failures, until: within(clock, pauseAfter(failures)), why };
    },
  };
}

function pay(needs: SendingNeeds, debt: Debt, signal: AbortSignal): Promise<Trouble | undefined> {
  return debt.is === "put" ? putThere(needs, debt, signal) : deleteThere(needs, debt, signal);
}

async function putThere(needs: SendingNeeds, debt: Debt, signal: AbortSignal): Promise<Trouble | undefined> {
  const { owed, bucket, log, inTurn, path } = needs;
  const { key } = debt;
  const ended = debt.upload === undefined ? undefined : await bucket.abort(key, debt.upload, signal);
  if (ended) return ended;
  const file = await sentFrom(path(key));
  if (!file) {
    // Noted, and killed before it was kept; nobody was told that it was.
    log.debug({ object: key }, "a file that was to be put into the bucket is not here");
    await inTurn(key, () => owed.settle(debt));
    return undefined;
  }
  debt.bytes = file.size;
  const began = (upload: string | undefined) => inTurn(key, () => owed.noteUpload(key, upload));
  const failed = (await bucket.put(key, file, signal, began)) ?? (await bucket.check(key, file, signal));
  if (failed) return failed;
  if (owed.of(key)?.upload !== undefined) await began(undefined);
  await inTurn(key, () => owed.settle(debt));
  return undefined;
}

/** Asked again whether it is gone: an answer that was lost may have been that of a file still on its way. */
async function deleteThere(needs: SendingNeeds, debt: Debt, signal: AbortSignal): Promise<Trouble | undefined> {
  const { owed, bucket, inTurn } = needs;
  const { key } = debt;
  const ended = debt.upload === undefined ? undefined : await bucket.abort(key, debt.upload, signal);
  const failed = ended ?? (await bucket.remove(key, signal));
  if (failed) return failed;
  const left = await bucket.look(key, signal);
  if (!isTrouble(left)) return trouble("differs", "it is still there");
  if (left.trouble !== "not-there") return left;
  await inTurn(key, () => owed.settle(debt));
  return undefined;
}

const mediaTypes: Partial<Record<string, string>> = {
  wav: "audio/wav",
  mp3: "audio/mpeg",
  pdf: "application/pdf",
  tif: "image/tiff",
};

/** Its sums in one reading; undefined when it is not here. */
async function sentFrom(path: string): Promise<Sent | undefined> {
  const [sha256, md5] = [createHash("sha256"), createHash("md5")];
  let size = 0;
  try {
    for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
      size += piece.length;
      sha256.update(piece);
      md5.update(piece);
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  const mediaType = mediaTypes[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream";
  const open: Sent["open"] = (part) => createReadStream(path, part ?? {});
  return { size, sha256: sha256.digest("hex"), md5: md5.digest("hex"), mediaType, open };
}
