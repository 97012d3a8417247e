// The fax machines' own process: what breaks here breaks no call but its own. Does what the exchange asks of it, and
// speaks through sockets that it is handed.

import type { Socket } from "node:dgram";
import { realClock } from "../../clock.ts";
import { failedFax } from "./fax-engine.ts";
import { FaxJob } from "./fax-job.ts";
import { BEAT_MS, type FaxProcessSettings, type FromFax, type ToFax } from "./messages.ts";
import { loadSpandsp, type Spandsp } from "./spandsp.ts";

const TICK_MS = 20;
/** A machine that slept longer than this does not make up for it. */
const MOST_TICKS_BEHIND = 500;

const settings = JSON.parse(process.argv[2] ?? "{}") as FaxProcessSettings; // written by `fax-process.ts`, nobody else
const jobs = new Map<number, FaxJob>();
let isKept = false;

type Act<Do> = (job: FaxJob, order: ToFax & { do: Do }, socket: Socket | undefined) => Promise<void> | void;
type Acts = { [Do in ToFax["do"]]: Act<Do> };

function serve(library: Spandsp): void {
  const obey: Acts = {
    start: () => undefined,
    openAudio: (job, { side }, socket) => job.openAudio(side, socket!), // these two come with one
    openT38: (job, _, socket) => job.openT38(socket!),
    beginT38: (job, { agreed, alsoFrom }) => job.beginT38(agreed, alsoFrom),
    terminate: (job) => job.terminate(),
    close(job, { session }) {
      job.close();
      jobs.delete(session);
    },
  };
  process.on("message", (order: ToFax, socket: Socket | undefined) => {
    if (order.do === "start") {
      jobs.set(order.session, new FaxJob({ library, settings, tell }, order.session, order.options));
      if (jobs.size === 1) keepTime();
    }
    const job = jobs.get(order.session);
    // Each kind of order meets its own row; the compiler cannot see that the two belong together.
    const act = obey[order.do] as Act<ToFax["do"]>;
    if (job) void attempt(order.session, job, () => act(job, order, socket));
    else socket?.close();
  });
  beat();
  tell({ is: "ready" });
}

/** What goes wrong in one fax must not cost the others theirs. */
async function attempt(session: number, job: FaxJob, work: () => Promise<void> | void): Promise<void> {
  try {
    await work();
  } catch (error) {
    tell({ is: "fault", text: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    job.finish(failedFax("engineLost", "The fax machine broke"));
    job.close();
    jobs.delete(session);
  }
}

/** Counts rather than waits: a turn that comes late does the work of those that were missed, if the line wants it. */
function keepTime(): void {
  if (isKept) return;
  isKept = true;
  let done = Math.floor(performance.now() / TICK_MS);
  const turn = () => {
    isKept = jobs.size > 0;
    if (!isKept) return;
    const due = Math.floor(performance.now() / TICK_MS);
    done = Math.max(done, due - MOST_TICKS_BEHIND);
    for (; done < due; done++)
      for (const [session, job] of jobs) {
        try {
          job.tick(due - done);
        } catch (error) {
          void attempt(session, job, () => Promise.reject(error));
        }
      }
    realClock.after(Math.max(1, (due + 1) * TICK_MS - performance.now()), turn);
  };
  turn();
}

function beat(): void {
  tell({ is: "beat" });
  realClock.after(BEAT_MS, beat);
}

function tell(message: FromFax): void {
  // An exchange that has just left hears nothing any more; this process is about to follow it.
  if (process.connected) process.send?.(message, () => undefined);
}

process.on("disconnect", () => process.exit(0));
// It leaves when the exchange does: a terminal's Ctrl-C reaches both, and calls must be ended in order.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);

const library = loadSpandsp();
if ("missing" in library) tell({ is: "missing", why: library.missing });
else serve(library);
