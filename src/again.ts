// Work that is asked for while it is being done, and is then done once more: one run after the other, and a thousand
// requests that come during one share the next.

export type Again<Part> = {
  /** Kept, or broken, with the run that begins after this. */
  ask(part: Part): Promise<void>;
  isBusy(): boolean;
  /** Nothing runs, and nothing is asked for. */
  settled(): Promise<void>;
};

/** `work` hears what was asked for since its last run began. What is asked in one turn of the loop is done together. */
export function runAgain<Part = void>(work: (asked: ReadonlySet<Part>) => Promise<void>): Again<Part> {
  let asked = new Set<Part>();
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  return {
    ask(part) {
      asked.add(part);
      next ??= begin();
      return next;
    },
    isBusy: () => running !== undefined || next !== undefined,
    async settled() {
      for (let last = next ?? running; last; last = next ?? running) await last.catch(() => undefined);
    },
  };

  async function begin(): Promise<void> {
    await running?.catch(() => undefined);
    const parts = asked;
    asked = new Set();
    running = next;
    next = undefined;
    try {
      await work(parts);
    } finally {
      running = undefined;
    }
  }
}

/** The same for work that never waits: asked for by itself, it goes round again. */
export function runAgainAtOnce(work: () => void) {
  let isAsked = false;
  let isBusy = false;
  const ask = () => after(() => undefined);
  return { ask, after };

  /** First `act`, whole, whatever it asks for; then the work. */
  function after(act: () => void): void {
    isAsked = true;
    if (isBusy) return act();
    isBusy = true;
    try {
      act();
      while (isAsked) {
        isAsked = false;
        work();
      }
    } finally {
      isBusy = false;
    }
  }
}
