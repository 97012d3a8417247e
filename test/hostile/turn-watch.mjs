// Loaded into a server: how much of the processor its first thread takes between two looks, which come as soon as it is
// done with what it does. What other threads and other programs take is not in it, so that a busy machine changes nothing.

import { readFileSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const LOOK_MS = 5;

if (isMainThread && process.env.SANTRAL_TURNS) {
  const own = `/proc/self/task/${process.pid}/schedstat`;
  const spentMs = () => Number(readFileSync(own, "latin1").split(" ", 1)[0]) / 1e6;
  let turns = [];
  let before = spentMs();
  setInterval(() => {
    const now = spentMs();
    turns.push(now - before);
    before = now;
  }, LOOK_MS).unref();
  process.on("SIGUSR2", () => {
    writeFileSync(process.env.SANTRAL_TURNS, JSON.stringify(turns));
    turns = [];
    before = spentMs();
  });
}
