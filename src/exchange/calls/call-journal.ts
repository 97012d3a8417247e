// What must not be forgotten about calls, as they tell it.

import type { CallEnd, CallFacts } from "./call-facts.ts";
import type { HangupCause } from "./causes.ts";

/** What a later process needs to go on with the call, asked whenever something of it is written; undefined: it could not. */
export type KeepCall = () => object | undefined;

export type Journal = {
  opened(facts: CallFacts, keep?: KeepCall): void;
  /** It was begun by an earlier process, and stands in the journal. */
  resumed(facts: CallFacts, keep: KeepCall): void;
  kept(uuid: string): Promise<void>; // once nothing said of this call so far can be lost any more
  rang(facts: CallFacts): void; // an extension's phone, or the outside
  answered(facts: CallFacts): void;
  /** Two hear each other from now on: not even a kill in this moment makes anybody forget it. */
  talks(facts: CallFacts): void;
  changed(facts: CallFacts): void;
  passed(facts: CallFacts): void; // somebody was rung, and let it pass
  /** It goes on otherwise than before: soon a later process shall know. */
  settled(facts: CallFacts): void;
  /** One extension left while the call goes on. */
  userLeft(facts: CallFacts, left: { extension: string; cause: HangupCause; endMs: number }): void;
  closed(facts: CallFacts, end: CallEnd): Promise<void>;
  /** These are left to the next process: kept once they are written as they are now. Nothing is written after that. */
  handOver(calls: CallFacts[]): Promise<void>;
  /** The same of some of them, for another machine. False: they cannot be written now, and stay as they are. */
  letGo(calls: CallFacts[]): Promise<boolean>;
};
