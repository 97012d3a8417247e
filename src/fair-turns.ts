// Lets work that takes a core or much memory be done by a few at a time. Exchanges take turns: whoever brings a lot waits
// behind himself and behind nobody else's lot, and when he has brought too much he is told so instead of being kept.

export type NoTurn = { refused: "no-turn" };

export type FairTurns = {
  /** `whose`: the exchange, or whoever has a share like one. `bytes`: what is kept in memory for it while it waits. */
  take<Result>(
    piece: { whose: number | string; bytes?: number },
    work: () => Promise<Result>,
  ): Promise<Result | NoTurn>;
  counts(): TurnCounts;
};

/** Now, and refused since the start. */
export type TurnCounts = { running: number; waiting: number; refused: number };

/** What is done in turn, each in a line of its own. */
export type FairWork =
  | "sounds"
  | "recordings"
  | "documents"
  | "previews"
  | "sentences"
  | "letters"
  | "uploads"
  | "later uploads";
export type OpenTurns = (work: FairWork, options: FairOptions) => FairTurns;

export type FairOptions = {
  /** In all. */
  atOnce: number;
  /** For one exchange: less than all, or it could keep the others waiting for as long as its work takes. */
  ofOne?: number;
  /** Pieces and bytes of one exchange that may wait; whoever brings more is refused. */
  waitingOfOne?: number;
  bytesOfOne?: number;
};

type Piece = { bytes: number; go(): void };
type Guest = { running: number; waitingBytes: number; waiting: Piece[] };

const MEBIBYTE = 1024 ** 2;

export function openFairTurns({
  atOnce,
  ofOne = atOnce,
  waitingOfOne = 32,
  bytesOfOne = 40 * MEBIBYTE,
}: FairOptions): FairTurns {
  const guests = new Map<number | string, Guest>();
  /** Those of whom something waits, in the order in which one piece of each is next. */
  const ring = new Set<number | string>();
  let running = 0;
  let refused = 0;

  return {
    async take({ whose, bytes = 0 }, work) {
      const guest = guests.get(whose) ?? { running: 0, waitingBytes: 0, waiting: [] };
      if (mayBegin(guest)) begin(guest);
      else if (isFull(guest, bytes)) {
        refused++;
        return { refused: "no-turn" };
      } else ring.add(whose);
      guests.set(whose, guest);
      if (ring.has(whose)) await new Promise<void>((go) => wait(guest, { bytes, go }));
      try {
        return await work();
      } finally {
        end(whose, guest);
      }
    },
    counts() {
      const waiting = [...guests.values()].reduce((sum, guest) => sum + guest.waiting.length, 0);
      return { running, waiting, refused };
    },
  };

  function mayBegin(guest: Guest): boolean {
    return running < atOnce && guest.running < ofOne;
  }

  /** One piece may always wait, however large it is. */
  function isFull({ waiting, waitingBytes }: Guest, bytes: number): boolean {
    return waiting.length >= waitingOfOne || (waiting.length > 0 && waitingBytes + bytes > bytesOfOne);
  }

  function wait(guest: Guest, piece: Piece): void {
    guest.waitingBytes += piece.bytes;
    guest.waiting.push(piece);
  }

  function begin(guest: Guest): void {
    running++;
    guest.running++;
  }

  function end(whose: number | string, guest: Guest): void {
    running--;
    guest.running--;
    serveNext();
    if (guest.running === 0 && guest.waiting.length === 0) guests.delete(whose);
  }

  function serveNext(): void {
    for (const whose of ring) {
      const guest = guests.get(whose)!; // whoever waits is one
      if (!mayBegin(guest)) continue;
      const next = guest.waiting.shift()!; // whoever is in the ring has something that waits
      ring.delete(whose);
      if (guest.waiting.length > 0) ring.add(whose);
      guest.waitingBytes -= next.bytes;
      begin(guest);
      return next.go();
    }
  }
}

/** Counted by nobody. */
export const uncounted: OpenTurns = (_, options) => openFairTurns(options);
