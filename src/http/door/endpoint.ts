// One operation: its guards say who may ask, how often and with what, its handler what it does, and both fill the
// reference.

import type { Static, TObject } from "typebox";
import type { OperationRefusal } from "../../words/refusals/refusal.ts";
import type { Answer, FileAnswer, JsonAnswer, RefusedAnswer, TextAnswer } from "./answer.ts";
import type { Context, Parts } from "./context.ts";
import type { Guard, Maybe } from "./guard.ts";
import type { WireRefusal } from "./wire-words.ts";

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What an operation itself says no to, which the console can hand on. */
export type Refused = RefusedAnswer<OperationRefusal>;

export type Answers<No extends WireRefusal = OperationRefusal> = {
  text: TextAnswer | RefusedAnswer<No>;
  json: JsonAnswer | RefusedAnswer<No>;
  "text or json": TextAnswer | JsonAnswer | RefusedAnswer<No>;
  file: FileAnswer | RefusedAnswer<No>;
};

export type ReplyKind = keyof Answers;

/** An example reply for the reference, and every refusal that has words of its own. */
export type Reference = {
  group: string;
  summary: string;
  description?: string;
  example: unknown;
  refusals?: readonly WireRefusal[];
  /** The path as clients know it, where the router's is another. */
  shownPath?: string;
};

/** What is said of every operation, whatever its handler is called with. */
export type Declared<Kind extends ReplyKind> = {
  methods: readonly Method[];
  /** The first is the documented one, the others are spellings that clients use. `:name` is a parameter. */
  paths: readonly string[];
  parameters: TObject;
  /** What a request passes, in this order, before the handler sees it. */
  guards: readonly Guard[];
  reply: Kind;
  /** Even a GET of it changes something that is remembered elsewhere. */
  changes?: true;
  /** Without these parts of a server the operation does not exist. */
  needs?: readonly (keyof Parts)[];
  /** Bytes of a body that this operation takes; a modest default otherwise. */
  longestBody?: number;
};

/** As the door sees it: the guards made what `handle` is called with. What our own pages ask for is in no reference. */
export type Endpoint = Declared<ReplyKind> &
  (Reference | { group?: never }) & {
    handle(parameters: never, context: never): Maybe<Answer>;
  };

type Made<Given, Kind extends ReplyKind, Needed extends keyof Parts> = Reference & {
  needs?: readonly Needed[];
  /** Without a promise where nothing has to be waited for. */
  handle(parameters: Given, context: Context & Pick<Parts, Needed>): Maybe<Answers[Kind]>;
};

/** The operations of the interface: their handlers get what their schema promises. */
export function endpoint<Parameters extends TObject, Kind extends ReplyKind, Needed extends keyof Parts = never>(
  definition: Omit<Declared<Kind>, "parameters"> & { parameters: Parameters } & Made<Static<Parameters>, Kind, Needed>,
): Declared<Kind> & Made<never, Kind, Needed> {
  return definition;
}
