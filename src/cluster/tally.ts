// What a node counts since its start, for who watches over it.

export type Tally = {
  /** Exchanges that lived on another node before. */
  takenOver: number;
  /** Calls of theirs that were up, and went on here. */
  callsResumed: number;
  /** Statements that a fence of the database turned away: they were another's to make. */
  writesRefused: number;
};

export const newTally = (): Tally => ({ takenOver: 0, callsResumed: 0, writesRefused: 0 });
