// Watches over recordings: those that could not be written are counted and told, and so is compression that falls behind,
// files whose call nobody knows, and the room on the disk that they all need.

import { Counter, Gauge, type Registry } from "prom-client";
import type { Cancel, Clock } from "../clock.ts";
import { BEHIND_SECONDS, COMPRESS_RECORDING } from "../exchange/recordings/compress.ts";
import { countUnclaimed } from "../exchange/recordings/leftovers.ts";
import { backlogOf } from "../jobs/jobs.ts";
import type { Log } from "../log.ts";
import type { RecordingFault } from "../media/engine.ts";
import type { Database } from "../store/db.ts";
import type { DataFolder } from "./data-folder.ts";
import { spaceUnder } from "./disk-space.ts";
import { askedByMetrics } from "./metrics.ts";
import type { Closable } from "./parts.ts";

export type WatchNeeds = {
  registry: Registry;
  db: Database;
  clock: Clock;
  log: Log;
  folder: Pick<DataFolder, "path" | "recordings">;
};

/** What the doctor is told by a running server. */
export type RecordingsView = { faults: number; last?: RecordingFault & { at: string } };

export type RecordingsWatch = Closable & { report(fault: RecordingFault): void; view(): RecordingsView };

const LOOK_MS = 60_000;
/** What goes on being wrong is said again after so many looks. */
const SAY_AGAIN = 60;

export function watchRecordings(needs: WatchNeeds): RecordingsWatch {
  const { registry, clock, log } = needs;
  const seen: RecordingsView = { faults: 0 };
  const faults = new Counter({
    name: "santral_recording_faults_total",
    help: "Recordings that could not be written or kept as they should, by what failed, since the start",
    labelNames: ["step"],
    registers: [registry],
  });
  measure(needs);
  const stop = keepLooking(needs);
  return {
    report(fault) {
      seen.faults += 1;
      seen.last = { ...fault, at: new Date(clock.wall()).toISOString() };
      faults.inc({ step: fault.step });
      log.error(fault, "a recording could not be written");
    },
    view: () => seen,
    close: async () => stop(),
  };
}

function measure({ registry, db: database, folder }: WatchNeeds): void {
  const db = askedByMetrics(database);
  gauge("santral_recordings_uncompressed", "Recordings that wait to be compressed", async () => {
    return (await backlogOf(db, COMPRESS_RECORDING)).waiting;
  });
  gauge("santral_recordings_uncompressed_seconds", "How long the oldest of them has waited", async () => {
    return (await backlogOf(db, COMPRESS_RECORDING)).oldestSeconds;
  });
  gauge("santral_recordings_unclaimed", "Files of calls that nobody knows, put aside at a start", () =>
    countUnclaimed(folder.recordings),
  );
  gauge("santral_disk_free_bytes", "Room left on the disk of the data folder", async () => {
    return (await spaceUnder(folder.path)).freeBytes;
  });

  function gauge(name: string, help: string, read: () => Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await read().catch(() => Number.NaN)); // unknown: everything else is told all the same
      },
    });
  }
}

/** Says what is wrong when it begins, and once an hour while it lasts. */
function keepLooking({ db, clock, log, folder: { path } }: WatchNeeds): Cancel {
  const said = new Map<string, number>();
  const say = (what: string, isWrong: boolean, tell: () => void) => {
    const looks = said.get(what) ?? 0;
    if (isWrong && looks % SAY_AGAIN === 0) tell();
    said.set(what, isWrong ? looks + 1 : 0);
  };
  const look = async () => {
    const { freeBytes, is } = await spaceUnder(path);
    say("low", is === "low", () => log.warn({ freeBytes, path }, "the disk is getting full"));
    say("full", is === "full", () => log.error({ freeBytes, path }, "the disk is full"));
    const behind = await backlogOf(db, COMPRESS_RECORDING);
    say("behind", behind.oldestSeconds >= BEHIND_SECONDS, () =>
      log.warn(behind, "recordings are not compressed as fast as they come; they take ten times the disk until then"),
    );
  };
  let isStopped = false;
  let cancel: Cancel = () => undefined;
  const again = () => {
    if (isStopped) return;
    cancel = clock.after(LOOK_MS, () => {
      look()
        .catch((error: unknown) => log.debug({ error: String(error) }, "recordings could not be looked after"))
        .then(again);
    });
  };
  again();
  return () => {
    isStopped = true;
    cancel();
  };
}
