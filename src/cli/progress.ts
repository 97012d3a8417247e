// How far a long command has come: a bar on a terminal, a line now and then elsewhere.

import { type Clock, LONG_AGO, since } from "../clock.ts";

export type Progress = { at(done: number): void; end(): void };

const WIDTH = 30;
const BETWEEN_DRAWINGS_MS = 100;
const BETWEEN_LINES_MS = 5_000;

export function openProgress(what: string, total: number, clock: Clock): Progress {
  const out = process.stderr;
  const started = clock.ticks();
  let last = LONG_AGO;
  const shown = (done: number): string => {
    const seconds = Math.max(0.001, since(clock, started) / 1_000);
    const pace = `${Math.round(done / seconds).toLocaleString("en")}/s`;
    return `${what} ${done.toLocaleString("en")} of ${total.toLocaleString("en")}, ${pace}`;
  };
  const draw = (done: number): void => {
    const full = total === 0 ? WIDTH : Math.floor((done / total) * WIDTH);
    out.write(`\r[${"#".repeat(full)}${"-".repeat(WIDTH - full)}] ${shown(done)}   `);
  };
  return {
    at(done) {
      if (since(clock, last) < (out.isTTY ? BETWEEN_DRAWINGS_MS : BETWEEN_LINES_MS) && done < total) return;
      last = clock.ticks();
      if (out.isTTY) draw(done);
      else out.write(`${shown(done)}\n`);
    },
    end() {
      if (out.isTTY) out.write("\n");
    },
  };
}
