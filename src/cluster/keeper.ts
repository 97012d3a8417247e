// What a part of a server that keeps the state of exchanges in memory can do when one comes to live here, or leaves.

export type Keeper = {
  /** They live here from now on: everything of them is read, and what their last owner was in the middle of goes on. */
  load(exchangeIds: readonly number[]): Promise<void>;
  /** Whether it is about to leave: what we begin by ourselves does not begin meanwhile. */
  quiet?(exchangeId: number, isLeaving: boolean): void;
  /** It lives elsewhere: nothing of it is left here. */
  drop(exchangeId: number): Promise<void>;
};

/** A call that stays on this machine as long as it lasts, and why. */
export type BoundCall = { exchange: number; call: string; why: "browser" | "connection" | "rings" | "led" };

/** What the node asks of calls and phones before it gives an exchange away. */
export type Business = {
  calls(exchangeId: number): number;
  /** Of these, those that another node could not go on with, or only by ringing somebody again. */
  bound(exchangeId: number, ringing: "counts" | "moves"): BoundCall[];
  phones(exchangeId: number): number;
  /** Ends those that are bound, and is kept when they have their records. */
  endBound(exchangeId: number): Promise<void>;
  /** Leaves its calls to whoever has it next, written and without a word to anybody. False: not now, and nothing happened. */
  letGo(exchangeId: number): Promise<boolean>;
};
