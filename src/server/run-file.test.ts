import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/ground/santral-process.ts";
import { asTicks, realClock } from "../clock.ts";
import { isRunning, ownMark } from "../process-mark.ts";
import { openDataFolder } from "./data-folder.ts";
import { announceRun, type Opened, readRun } from "./run-file.ts";

const opened: Opened = { ...ownMark(), http: "127.0.0.1:80" };

/** Somebody else's program, for as long as the work lasts. */
async function beside(work: (pid: number) => Promise<void>): Promise<void> {
  const stranger = spawn("sleep", ["600"]);
  await once(stranger, "spawn");
  const gone = once(stranger, "exit");
  try {
    await work(stranger.pid!);
  } finally {
    stranger.kill("SIGKILL");
    await gone;
  }
}

test("a run file is that of a running server only while the very process runs that wrote it", async () => {
  const path = join(temporaryFolder(), "run.json");
  expect(await readRun(path)).toBeUndefined();
  const announced = await announceRun(path, opened);
  expect(await readRun(path)).toEqual(opened);
  await beside(async (pid) => {
    await writeFile(path, JSON.stringify({ ...opened, pid }));
    expect(await readRun(path), "a stranger has its number").toBeUndefined();
    await writeFile(path, JSON.stringify({ pid, http: opened.http }));
    expect(await readRun(path), "an older version says no more than the number").toMatchObject({ pid });
    const began = opened.began!.replace(/^\S+/, "00000000-0000-0000-0000-000000000000");
    await writeFile(path, JSON.stringify({ ...opened, began }));
    expect(await readRun(path), "the machine was started since").toBeUndefined();
  });
  for (const text of ["", "{", "null", "[]", '{"pid":0}', '{"pid":-1,"http":""}', '{"pid":"1"}']) {
    await writeFile(path, text);
    expect(await readRun(path), text).toBeUndefined();
  }
  await announced.close();
  await expect(readFile(path)).rejects.toThrow("ENOENT");
});

test("who was killed runs no more though its parent has not looked yet", async () => {
  const parent = spawn("sh", ["-c", "sleep 600 & echo $!; exec sleep 600"], { stdio: ["ignore", "pipe", "ignore"] });
  const pid = Number(String((await once(parent.stdout, "data"))[0]));
  // As long as it is a shell it may look after its children, and then nothing is left of this one.
  await expect.poll(() => readFile(`/proc/${parent.pid}/comm`, "utf8")).toBe("sleep\n");
  expect(isRunning({ pid })).toBe(true);
  process.kill(pid, "SIGKILL");
  const stat = () => readFile(`/proc/${pid}/stat`, "utf8");
  await expect.poll(stat).toContain(") Z ");
  expect(isRunning({ pid, began: opened.began })).toBe(false);
  const gone = once(parent, "exit");
  parent.kill("SIGKILL");
  await gone;
});

test("a folder whose lock names a recycled number is in use by nobody that is named", async () => {
  const path = temporaryFolder();
  const held = await openDataFolder(path, "server", realClock);
  const stolen = async (pid: number) => {
    const text = await readFile(join(path, "lock"), "utf8");
    await writeFile(join(path, "lock"), text.replace(/"pid":\d+/, `"pid":${pid}`));
  };
  await expect(openDataFolder(path, "server", realClock)).rejects.toThrow(`(process ${process.pid})`);
  await beside(async (pid) => {
    await stolen(pid);
    const windingOn = { ...realClock, after: (_ms: number, act: () => void) => realClock.after(0, act) };
    const seconds = Array.from({ length: 1_000 }, (_, second) => asTicks(second * 1_000));
    const soon = { ...windingOn, ticks: () => seconds.shift()! };
    await expect(openDataFolder(path, "server", soon)).rejects.toThrow("in use by another Santral: stop it");
  });
  await held.close();
});
