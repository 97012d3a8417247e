// Long work of the thread that answers telephones, in turns: whatever else is due comes between two of them.

/** Whatever else the server has to do comes first. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Told how much was done since it was asked last; a promise where others have waited long enough. */
export type Turns = (done?: number) => Promise<void> | undefined;

export function openTurns(atOnce: number): Turns {
  let since = 0;
  return (done = 1) => {
    since += done;
    if (since < atOnce) return undefined;
    since = 0;
    return turn();
  };
}
