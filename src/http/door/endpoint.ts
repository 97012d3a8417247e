// One operation of an API: its schema says what it takes, its handler what it does, and both fill the reference.

import type { Static, TObject } from "typebox";
import type { Answer, FileAnswer, JsonAnswer, RefusedAnswer, TextAnswer } from "./answer.ts";
import type { Context } from "./context.ts";
import type { Pool } from "./rate-limit.ts";

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

type Answers = {
  text: TextAnswer | RefusedAnswer;
  json: JsonAnswer | RefusedAnswer;
  "text or json": TextAnswer | JsonAnswer | RefusedAnswer;
  file: FileAnswer | RefusedAnswer;
};

export type ReplyKind = keyof Answers;

/** An example reply for the reference, and every refusal that has words of its own. */
type Reference = {
  group: string;
  summary: string;
  description?: string;
  example: unknown;
  refusals?: readonly (readonly [status: number, text: string])[];
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
  handle(parameters: never, context: Context): Answer | Promise<Answer>;
};

export function endpoint<Parameters extends TObject, Kind extends ReplyKind>(
  definition: EndpointOf<Parameters, Kind>,
): Endpoint {
  return definition;
}
