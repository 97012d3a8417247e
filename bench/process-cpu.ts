// What a process and its children have used so far: CPU time and wake-ups by thread, and memory, as the kernel counts them.

import { readdirSync, readFileSync } from "node:fs";

const TICK_MS = 10;

/** `wakeUps`: times that it slept and went on. */
export type ThreadUse = { pid: number; thread: number; name: string; cpuMs: number; wakeUps: number };

/** Every thread of a process; to the nanosecond, where /proc/PID/stat has ticks of ten milliseconds. */
export function threadsOf(pid: number): ThreadUse[] {
  return listed(`/proc/${pid}/task`).flatMap((thread) => {
    const [ns] = read(`/proc/${pid}/task/${thread}/schedstat`).split(" ");
    const status = read(`/proc/${pid}/task/${thread}/status`);
    const wakeUps = Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    return ns ? [{ pid, thread: Number(thread), name: nameOf(pid), cpuMs: Number(ns) / 1e6, wakeUps }] : [];
  });
}

/** What the threads that are there now have used since then. */
export function usedSince(before: readonly ThreadUse[], after: readonly ThreadUse[]): ThreadUse[] {
  const known = new Map(before.map((one) => [one.thread, one]));
  return after.map((one) => {
    const then = known.get(one.thread);
    return { ...one, cpuMs: one.cpuMs - (then?.cpuMs ?? 0), wakeUps: one.wakeUps - (then?.wakeUps ?? 0) };
  });
}

export const cpuMsIn = (threads: readonly ThreadUse[]): number => threads.reduce((sum, { cpuMs }) => sum + cpuMs, 0);

/** It, and all below it. */
export function treeOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of listed("/proc").filter((it) => /^\d+$/.test(it))) {
    const parent = Number(statOf(name)[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const below = (one: number): number[] => [one, ...(children.get(one) ?? []).flatMap(below)];
  return below(pid);
}

/** All below a process. */
export const descendantsOf = (pid: number): number[] => treeOf(pid).slice(1);

/** User and system, with what has ended and was waited for; in ticks of 10 ms. */
export function cpuMsOf(pid: number): number {
  return [11, 12, 13, 14].reduce((sum, place) => sum + Number(statOf(pid)[place] ?? 0), 0) * TICK_MS;
}

export const cpuMsOfTree = (pid: number): number => treeOf(pid).reduce((sum, one) => sum + cpuMsOf(one), 0);

export const residentMbOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1_024;

/** From its third field on; empty when it has ended. */
export function statOf(pid: number | string): string[] {
  return read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
}

/** `ownMb`: what nobody else has, and of what is shared its part. */
export function memoryOf(pid: number): { residentMb: number; ownMb: number } {
  const rollup = read(`/proc/${pid}/smaps_rollup`);
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(rollup)?.[1] ?? 0) / 1_024;
  return { residentMb: megabytes("Rss"), ownMb: megabytes("Pss") };
}

function nameOf(pid: number): string {
  const words = read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim();
  return words.startsWith("postgres:") ? words : (words.split(" ")[0]?.split("/").at(-1) ?? "");
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // it has just ended
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // it has just ended
  }
}
