// One tab is the phone. The others wait for it to close, or take over when their owner says so.

export type OnlyTab = { take(): void };

export type TabHears = { mine(): void; elsewhere(): void };

/** A page that is being left still holds the lock for a moment; only who waits longer stands beside another tab. */
const MOMENT_MS = 700;

export function openOnlyTab(name: string, hears: TabHears): OnlyTab {
  if (!("locks" in navigator)) {
    hears.mine();
    return { take: () => undefined };
  }
  let waiting = new AbortController();
  const ask = (steal: boolean) => {
    waiting.abort();
    waiting = new AbortController();
    const options: LockOptions = steal ? { steal } : { signal: waiting.signal };
    navigator.locks
      .request(name, options, () => {
        clearTimeout(waits);
        hears.mine();
        return new Promise<never>(() => undefined); // held until the page goes, or somebody takes it
      })
      .catch((why: DOMException) => {
        if (why.name !== "AbortError") return alone();
        // Our own request was withdrawn, or another tab took over what we had: then we wait for it to close.
        if (options.signal?.aborted) return;
        hears.elsewhere();
        ask(false);
      });
  };
  /** A frame of somebody else's page may be denied locks like any other memory: then nobody knows of other tabs. */
  const alone = () => {
    clearTimeout(waits);
    hears.mine();
  };
  const waits = setTimeout(hears.elsewhere, MOMENT_MS);
  ask(false);
  return { take: () => ask(true) };
}
