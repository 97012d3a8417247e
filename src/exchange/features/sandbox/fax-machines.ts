// The sandbox's fax machines: real ones, whose papers can be fetched.

import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../../clock.ts";
import { namesIn } from "../../../folders.ts";
import { ACROSS, down, WIDTH } from "../../../media/documents/paper.ts";
import { printPdf } from "../../../media/documents/pdf.ts";
import type { MediaEngine } from "../../../media/engine.ts";
import type { FaxEngine } from "../../../media/fax/fax-engine.ts";
import { encodeG4 } from "../../../media/fax/g4.ts";
import { type FaxPage, readTiff, writeTiff } from "../../../media/fax/tiff.ts";
import type { Leg } from "../../calls/leg.ts";
import { type FaxCall, runFax } from "../faxes/run-fax.ts";
import { headerOf, stationIdOf } from "../faxes/station-id.ts";

/** How one of them behaves. */
export type FaxHabits = {
  t38: boolean;
  /** Hangs up in the middle of this page, counted from 1. */
  hangsUpAtPage?: number;
};

export type SandboxFaxes = {
  /** Receives when it was called, sends its test page when it calls. */
  run(leg: Leg, own: string, habits: FaxHabits): Promise<void>;
};

/** `number` is the machine's, `from` who sent it. */
export type SandboxPaper = { at: string; number: string; from: string; pages: number; pdf: string; tiff: string };

export type SandboxFaxParts = {
  engine: FaxEngine;
  media: MediaEngine;
  clock: Clock;
  folder: string;
};

const MOST_PAPERS = 50;
const CHART_ROWS = 600;
const CHART_TOP = 80;
/** A page is told to be over when it is about to be confirmed, and the confirmation takes this long. */
const CONFIRMING_TAKES_MS = 1_900;

export function openSandboxFaxes(parts: SandboxFaxParts): SandboxFaxes {
  return {
    run: (leg, own, habits) =>
      leg.direction === "in" ? receive(parts, { leg, own, habits }) : sendTestPage(parts, { leg, own, habits }),
  };
}

/** Where the machines of the sandbox put what they receive. */
export function trayIn(faxes: string): string {
  return join(faxes, "sandbox");
}

/** Papers that lie in the tray, the newest first. */
export async function papersIn(tray: string): Promise<SandboxPaper[]> {
  const names = (await namesIn(tray)).filter((name) => name.endsWith(".json"));
  const papers = await Promise.all(
    // Written below, out of exactly this type.
    names.map(async (name) => JSON.parse(await readFile(join(tray, name), "utf8")) as SandboxPaper),
  );
  return papers.sort((a, b) => b.at.localeCompare(a.at));
}

type Working = { leg: Leg; own: string; habits: FaxHabits };

async function receive(parts: SandboxFaxParts, { leg, own, habits }: Working): Promise<void> {
  const { clock, folder } = parts;
  const at = new Date(clock.wall()).toISOString();
  const name = join(folder, `${at.replace(/\D/g, "")}-${randomUUID()}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const hangUp = () => leg.end("NORMAL_CLEARING");
  const { pages } = await runFax(lineOf(parts, leg), {
    role: "receive",
    pages: { tiff: `${name}.tif` },
    stationId: stationIdOf(own),
    t38: habits.t38 ? "offer" : "never",
    hear(event) {
      const begun = event.is === "met" ? 1 : event.is === "page" ? event.confirmed + 1 : 0;
      if (begun === habits.hangsUpAtPage) clock.after(CONFIRMING_TAKES_MS, hangUp);
    },
  });
  hangUp();
  const file = await readFile(`${name}.tif`).catch(() => undefined);
  const read = file && readTiff(file);
  if (read?.is !== "pages") return;
  const paper: SandboxPaper = {
    at,
    number: own,
    from: leg.party.number,
    pages,
    pdf: `${name}.pdf`,
    tiff: `${name}.tif`,
  };
  await writeFile(paper.pdf, printPdf(read.pages, "Fax"));
  await writeFile(`${name}.draft`, JSON.stringify(paper));
  await rename(`${name}.draft`, `${name}.json`);
  await clearTray(folder);
}

async function sendTestPage(parts: SandboxFaxParts, { leg, own, habits }: Working): Promise<void> {
  const { clock, folder } = parts;
  const tiff = join(folder, `${randomUUID()}.tif`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writeFile(tiff, writeTiff([1, 2].map(testChart)));
    const fax = { localStationId: own, localStationHeader: "Sandbox", remoteStationId: leg.party.number };
    await runFax(lineOf(parts, leg), {
      role: "send",
      pages: { tiff },
      stationId: stationIdOf(own),
      t38: habits.t38 ? "offer" : "never",
      header: headerOf(fax, { atMs: clock.wall(), timeZone: "Europe/Istanbul" }),
    });
  } finally {
    leg.end("NORMAL_CLEARING");
    await rm(tiff, { force: true });
  }
}

/** Lines that fall a little more with each page, and as many black squares as its number. */
function testChart(page: number): FaxPage {
  const stride = WIDTH / 8;
  const bits = new Uint8Array(stride * CHART_ROWS);
  for (let y = CHART_TOP; y < CHART_ROWS; y++) {
    bits[y * stride + ((Math.floor(y / 8) * page) % stride)] = 0xff;
    if (y < 2 * CHART_TOP)
      for (let square = 0; square < page; square++) bits.fill(0xff, at(y, square), at(y, square) + 8);
  }
  const g4 = encodeG4({ width: WIDTH, rows: CHART_ROWS, bits });
  return { width: WIDTH, rows: CHART_ROWS, across: ACROSS, down: down.fine, g4 };

  function at(y: number, square: number): number {
    return y * stride + 16 + square * 16;
  }
}

function lineOf({ media, clock, engine }: SandboxFaxParts, leg: Leg): FaxCall {
  const gone = new AbortController();
  void leg.over.then(() => gone.abort());
  return { leg, media, clock, fax: engine, signal: gone.signal };
}

async function clearTray(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  const old = names.slice(0, -MOST_PAPERS).map((name) => name.replace(/json$/, ""));
  for (const name of old) for (const end of ["json", "pdf", "tif"]) await rm(join(folder, name + end), { force: true });
}
