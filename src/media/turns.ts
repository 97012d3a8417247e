// Lets work that takes a core be done by a few at a time; the others wait for their turn.

export function takingTurns(atOnce: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= atOnce) await new Promise<void>((go) => waiting.push(go));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next)
        next(); // the place is handed on, not given back
      else running--;
    }
  };
}
