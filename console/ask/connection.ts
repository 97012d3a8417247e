// Whether the server can be reached: suspected by whoever got no answer, looked into here, and told when it is back.

import { useSyncExternalStore } from "react";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 4_000;
const PATIENCE_MS = 4_000;

let isLost = false;
let looking: Promise<void> | undefined;
let wake: () => void = () => undefined;
const watching = new Set<() => void>();
const hearing = new Set<() => void>();

/** Somebody got no answer. One question settles whether anybody does; if not, it is put again until somebody does. */
export function suspectLoss(): void {
  looking ??= look().finally(() => {
    looking = undefined;
  });
}

/** Kept once the server answers again, or at once when it does. */
export async function untilBack(): Promise<void> {
  suspectLoss();
  await looking;
}

/** `hear` is called each time the server is back after it was lost. */
export function onBack(hear: () => void): () => void {
  hearing.add(hear);
  return () => void hearing.delete(hear);
}

export function useIsLost(): boolean {
  return useSyncExternalStore(watch, () => isLost);
}

/** The page as the server would give it now; undefined when it gives none. */
export async function askForPage(): Promise<string | undefined> {
  try {
    const answer = await fetch("/console", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
    return answer.ok ? await answer.text() : undefined;
  } catch {
    return undefined; // nobody there
  }
}

async function look(): Promise<void> {
  for (let waitMs = FIRST_WAIT_MS; (await askForPage()) === undefined; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    tell(true);
    await moment(waitMs);
  }
  if (!isLost) return;
  tell(false);
  for (const hear of [...hearing]) hear();
}

/** A browser that has found a network again does not wait for its turn. */
function moment(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = window.setTimeout(() => wake(), ms);
    wake = () => {
      window.clearTimeout(timer);
      window.removeEventListener("online", wake);
      resolve();
    };
    window.addEventListener("online", wake);
  });
}

function tell(next: boolean): void {
  if (isLost === next) return;
  isLost = next;
  for (const see of [...watching]) see();
}

function watch(see: () => void): () => void {
  watching.add(see);
  return () => void watching.delete(see);
}
