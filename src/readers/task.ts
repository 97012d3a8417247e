// What may be read in a thread of its own: something that makes pieces out of what it was given, one after the other.

export type Task<Given, Piece> = {
  /** By which the thread knows it. */
  name: string;
  read(given: Given): AsyncIterable<Piece>;
};

/** `now`: somebody waits for it. `later`: work in the background, which may last. */
export type Reading = {
  /** On whose account (`shareOf`); nobody has all the threads, or all the room to wait in. */
  share: string;
  when: "now" | "later";
  /** What of the given goes over to the thread, and is not here any more. */
  transfer?: readonly ArrayBuffer[];
};

export type Readers = {
  /** Pieces as they are asked for. */
  read<Given, Piece>(task: Task<Given, Piece>, given: Given, how: Reading): AsyncIterable<Piece>;
  close(): Promise<void>;
};

/** It took too long or too much memory, too much of the same share waits already, or the server stops. */
export class ReadingFailed extends Error {
  readonly why: "too-much" | "no-turn" | "busy";

  constructor(why: ReadingFailed["why"]) {
    super(why);
    this.why = why;
  }
}

/** Where there are no threads: for what is read in commands. */
export const inThisThread: Readers = {
  read: (task, given) => task.read(given),
  close: async () => undefined,
};

/** Bytes of their own, which a thread may have: those of a small file may share theirs with others. */
export function apart(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && bytes.byteLength === buffer.byteLength) return new Uint8Array(buffer);
  return new Uint8Array(bytes);
}

/** Of an exchange there is one, whatever is read for it. */
export function shareOf(exchangeId: number): string {
  return `exchange ${exchangeId}`;
}
