// What a stack is opened with: its surroundings, its limits, and who may look on.

import type { Clock } from "../clock.ts";
import type { ReportUnexpected } from "../machine.ts";
import type { Random } from "./headers/random.ts";
import type { Incoming } from "./incoming.ts";
import type { Whose } from "./lost-calls.ts";
import type { Header, Octets, Request } from "./message/message.ts";
import { LIMITS, type Limits } from "./reading/parse.ts";
import type { ThriftOptions } from "./thrift.ts";
import type { Destination, Source, Transport } from "./transport/transport.ts";

export type StackLimits = {
  /** Server transactions alive; a request beyond gets 503 and leaves nothing behind. */
  transactions: number;
  message: Limits;
};

export const STACK_LIMITS: StackLimits = { transactions: 400_000, message: LIMITS };

/** A message seen at the door. `text` is made on demand: a stream's messages are not kept as they came. */
export type Sighting = { direction: "in" | "out"; peer: Source | Destination; atMs: number; text(): Octets };

export type Answered = { status: number; headers: Header[] };

/** What is to be asked again waits, in a transaction of its own, until that says something else than wait. */
export type Screened = "pass" | "drop" | Answered | LookAgain;
export type LookAgain = () => "wait" | "pass" | "drop" | Answered;

export type StackOptions = ThriftOptions & {
  clock: Clock;
  random: Random;
  transports: readonly Transport[];
  limits?: Partial<StackLimits>;
  /** What is said about calls waits until `releaseStrays`: their owners are on the way. */
  holdsStrays?: boolean | undefined;
  /** A proxy of ours at the edge: who spoke is whoever it says. */
  isEdge?(address: string): boolean;
  /** Two addresses of one and the same: a carrier's. */
  isSamePeer?(one: Source, other: Source): boolean;
  /** Whether whoever is there may take back that INVITE, which came from elsewhere: a carrier has several addresses. */
  mayTakeBack?(source: Source, invite: Pick<Incoming, "request" | "source">): boolean;
  /** Where others may have calls that nobody here knows: whose this one is. Unset, there is no such call. */
  seek?: ((request: Request, source: Source) => Whose) | undefined;
  /** While it is so nothing is said: what must be heard is said again, or asked for again. */
  isAsleep?: (() => boolean) | undefined;
  /** Asked before a message is looked at. */
  guard?(source: Source): "pass" | "drop";
  /** Whether somebody is there who need not log in. */
  knows?(source: Source): boolean;
  /** Asked of a request that belongs to nothing known. Dropped or answered here, it leaves nothing behind. */
  screen?(request: Request, source: Source): Screened;
  /** What came from there was no message. */
  malformed?(source: Source): void;
  /** A connection has ended. */
  gone?(connection: string): void;
  /** Every message in and out, for traces and metrics. */
  observe?(sighting: Sighting): void;
  /** An owner's handler threw. Its request has got a 500; unset, the error goes on up. */
  mistake?(error: unknown): void;
  /** Something happened to a transaction that its table does not know of. */
  unexpected?: ReportUnexpected;
};
