// Lets a process of its own turn a document into pages of fax: whatever it is, it costs no more than its limits.

import { rm } from "node:fs/promises";
import type { Clock } from "../../clock.ts";
import { type FairTurns, type NoTurn, type OpenTurns, uncounted } from "../../fair-turns.ts";
import { type Bounds, builtFiles } from "../../programs/confine.ts";
import type { RunProgram } from "../../programs/program.ts";
import type { DrawingRefusal } from "./drawing.ts";
import type { Fineness } from "./paper.ts";

export type Drawn = { pages: number } | DrawingRefusal;

export type DrawerJob =
  | { do: "draw"; input: string; output: string; fineness: Fineness; mostPages: number }
  /** One page of a received fax as PNG, counted from 1. */
  | { do: "preview"; input: string; output: string; page: number };

/** For an exchange, in its turn. */
export type Drawer = {
  /** A document of a stranger to a TIFF of ours. */
  draw(files: { input: string; output: string; fineness: Fineness }, piece: Piece): Promise<Drawn | NoTurn>;
  preview(files: { input: string; output: string; page: number }, piece: Piece): Promise<Drawn | NoTurn>;
};

type Piece = { whose: number; bytes?: number };

export type DrawerOptions = {
  clock: Clock;
  openTurns?: OpenTurns | undefined;
  runProgram: RunProgram;
  /** The built `drawer-process`. */
  program: string;
  /** At the same time, of which an exchange has one; more would take the cores from the calls. */
  atOnce?: number;
  mostPages?: number;
  limitMs?: number;
};

const MOST_FAX_PAGES = 100;

const LIMIT_MS = 120_000;
/** PDFium's and the picture library's included. */
const MOST_MEMORY_MB = 1_200;
const HEAP_MB = 400;
const LARGEST_MB = 100;

export function openDrawer({
  clock,
  runProgram,
  program,
  atOnce = 2,
  mostPages = MOST_FAX_PAGES,
  limitMs = LIMIT_MS,
  openTurns = uncounted,
}: DrawerOptions): Drawer {
  const drawing = openTurns("documents", { atOnce, ofOne: 1 });
  // Somebody turns pages, each of which is drawn in a moment.
  const looking = openTurns("previews", { atOnce, ofOne: 1, waitingOfOne: MOST_FAX_PAGES });
  const run = async (turns: FairTurns, job: DrawerJob, piece: Piece): Promise<Drawn | NoTurn> => {
    const drawn = await turns.take(piece, () => runLimited({ clock, runProgram, program, job, limitMs }));
    if ("refused" in drawn) await rm(job.output, { force: true });
    return drawn;
  };
  return {
    draw: (files, piece) => run(drawing, { do: "draw", ...files, mostPages }, piece),
    preview: (files, piece) => run(looking, { do: "preview", ...files }, piece),
  };
}

type Running = { clock: Clock; runProgram: RunProgram; program: string; job: DrawerJob; limitMs: number };

async function runLimited({ clock, runProgram, program, job, limitMs }: Running): Promise<Drawn> {
  const words = [`--max-old-space-size=${HEAP_MB}`, program, JSON.stringify(job)];
  const bounds: Bounds = {
    cpuSeconds: LIMIT_MS / 1_000,
    memoryMb: MOST_MEMORY_MB,
    memory: "used",
    fileMb: LARGEST_MB,
    reads: [job.input, ...builtFiles(program)],
    writes: [job.output],
  };
  const late = new AbortController();
  const cancel = clock.after(limitMs, () => late.abort());
  const drawing = { command: process.execPath, words, bounds };
  const { code, said, complained } = await runProgram(drawing, late.signal);
  cancel();
  if (code === undefined) return { refused: "broken", detail: complained };
  // It ends well or it was ended, by its limits or by what the document did to it.
  return code === 0 ? (JSON.parse(said) as Drawn) : { refused: "too-much" };
}
