// A guard is one look at a request on its way in: it lets it pass, perhaps knowing more about it, or says no.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { TObject } from "typebox";
import type { RequestLimit } from "../../store/limit.ts";
import type { Sent } from "../parameters/sent.ts";
import type { RefusedAnswer } from "./answer.ts";
import type { ClientAddress } from "./client-address.ts";
import type { Services, Tenant } from "./context.ts";
import type { KeyRing } from "./key-ring.ts";
import type { CountGuess, Pool, RateLimit } from "./rate-limit.ts";
import type { RequestBodies } from "./request-body.ts";
import type { WireRefusal } from "./wire-words.ts";

/** What came with the request line and the headers. */
export type Arrived = { query: string; contentType: string };

declare module "fastify" {
  interface FastifyRequest {
    arrived: Arrived;
  }
}

/** Known at once or a moment later: most requests pass every guard without a promise. */
export type Maybe<Value> = Value | Promise<Value>;

/** What guards look things up in. */
export type Door = {
  services: Services;
  keys: KeyRing;
  limit: RateLimit;
  countGuess: CountGuess;
  clientAddress: ClientAddress;
  bodies: RequestBodies;
  /** Bytes at the beginning of a body within which it says whose it is, where nothing else does. */
  shownWithin: number;
  /** How long a request may take. */
  requestMs: number;
};

/** A request on its way in, and what the guards have found out so far. */
export type Asked = {
  request: FastifyRequest;
  reply: FastifyReply;
  address: string;
  /** Whom limits count. */
  who: string;
  query: Sent | undefined;
  body: Sent | undefined;
  /** Who was taken for the sender by the beginning of a body is looked at again once all of it is read. */
  confirm: ((body: Sent) => RefusedAnswer | undefined) | undefined;
  /** What the handler is called with. */
  parameters: unknown;
  tenant: Pick<Tenant, "id">;
  /** What the handler's context holds beside what every context holds. */
  beside: object | undefined;
  limit: RequestLimit;
};

export type Guard = {
  /** By what it knows who asks. */
  knows?: "key" | "ticket" | "account" | "token";
  /** Out of which pool it takes. */
  pool?: Pool;
  /** Its words for the reference. */
  refusals?: readonly WireRefusal[];
  /** Once for each operation it stands before. */
  before(operation: { parameters: TObject; longestBody?: number }, door: Door): Pass;
};

export type Pass = (asked: Asked) => Maybe<RefusedAnswer | undefined>;

export function andThen<Value, Next>(value: Maybe<Value>, next: (value: Value) => Maybe<Next>): Maybe<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
