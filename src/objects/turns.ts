// What is done to one object is done in turn; what is done to another does not wait for it.

export type Turns = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

export function openTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    const over = mine.then(
      () => undefined,
      () => undefined,
    );
    last.set(key, over);
    void over.then(() => {
      if (last.get(key) === over) last.delete(key);
    });
    return mine;
  };
}
