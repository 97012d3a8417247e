// One operation of an API: its schema says what it takes, its handler what it does, and both fill the reference.

import type { Static, TObject } from "typebox";
import type { OperationRefusal } from "../../words/refusals/refusal.ts";
import type { FileAnswer, JsonAnswer, RefusedAnswer, TextAnswer } from "./answer.ts";
import type { Context } from "./context.ts";
import type { Pool } from "./rate-limit.ts";
import type { WireRefusal } from "./wire-words.ts";

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What an operation itself says no to, which the console can hand on. */
export type Refused = RefusedAnswer<OperationRefusal>;

type Answers = {
  text: TextAnswer | Refused;
  json: JsonAnswer | Refused;
  "text or json": TextAnswer | JsonAnswer | Refused;
  file: FileAnswer | Refused;
};

export type ReplyKind = keyof Answers;

/** An example reply for the reference, and every refusal that has words of its own. */
type Reference = {
  group: string;
  summary: string;
  description?: string;
  example: unknown;
  refusals?: readonly WireRefusal[];
};

export type EndpointOf<Parameters extends TObject, Kind extends ReplyKind> = Reference & {
  methods: readonly Method[];
  /** The first is the documented one, the others are spellings that clients use. `:name` is a parameter. */
  paths: readonly string[];
  parameters: Parameters;
  pool: Pool;
  reply: Kind;
  /** Opened by a ticket in the path instead of a key. */
  keyless?: true;
  /** Bytes of a body that this operation takes; a modest default otherwise. */
  longestBody?: number;
  /** Without a promise where nothing has to be waited for. */
  handle(parameters: Static<Parameters>, context: Context): Answers[Kind] | Promise<Answers[Kind]>;
};

/** The same without its types, as the door sees it: it coerces by `parameters` before it calls `handle`. */
export type Endpoint = Omit<EndpointOf<TObject, ReplyKind>, "handle"> & {
  handle(parameters: never, context: Context): Answers[ReplyKind] | Promise<Answers[ReplyKind]>;
};

export function endpoint<Parameters extends TObject, Kind extends ReplyKind>(
  definition: EndpointOf<Parameters, Kind>,
): Endpoint {
  return definition;
}
