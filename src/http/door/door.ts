// A request's way in: who asks, may he, how often, with what. Only then does the handler see it.
//
// Most requests have their key in the query and no body, and most keys are remembered. That way is walked without a
// promise: every one of them costs more than all that happens between two of them.

import type { FastifyRequest } from "fastify";
import { readBody } from "../parameters/body.ts";
import { coercionTo } from "../parameters/coerce.ts";
import { readForm } from "../parameters/form.ts";
import { isUnreadable, type Sent } from "../parameters/sent.ts";
import { type Answer, isRefused, type RefusedAnswer, refuse } from "./answer.ts";
import type { ClientAddress } from "./client-address.ts";
import { contextOf, NOBODY, type Services, type Tenant } from "./context.ts";
import type { Endpoint } from "./endpoint.ts";
import type { KeyRing } from "./key-ring.ts";
import type { Pool, RateLimit } from "./rate-limit.ts";
import { hasBody, type ReadRequestBody } from "./request-body.ts";

export type Door = {
  services: Services;
  keys: KeyRing;
  limit: RateLimit;
  clientAddress: ClientAddress;
  readRequestBody: ReadRequestBody;
};

type Maybe<Value> = Value | Promise<Value>;
type Attempt = { door: Door; endpoint: Endpoint; request: FastifyRequest; address: string };
type Admitted = { sent: Sent; tenant: Tenant };

const LONGEST_BODY = 1024 * 1024;

export function openDoorTo(endpoint: Endpoint, door: Door): (request: FastifyRequest) => Maybe<Answer> {
  const coerce = coercionTo(endpoint.parameters);

  return (request) => {
    const address = door.clientAddress(request.socket.remoteAddress, request.headers["x-forwarded-for"]);
    const admitted = admit({ door, endpoint, request, address });
    return andThen(admitted, (it) => (isRefused(it) ? it : handle(it, request, address)));
  };

  function handle({ sent, tenant }: Admitted, request: FastifyRequest, clientAddress: string): Maybe<Answer> {
    const path = request.params as Record<string, string>;
    for (const name in path) sent.set(name, [path[name]]);
    const coerced = coerce(sent);
    if ("wrong" in coerced) return refuse(coerced.wrong);
    const { method, headers, socket: line } = request;
    const context = contextOf(door.services, { tenant, clientAddress, method, accept: headers.accept ?? "", line });
    // The schema that coerced is the one that gave the handler its type; `Endpoint` has forgotten it.
    return endpoint.handle(coerced.parameters as never, context);
  }
}

// A key in the query is looked at before the body is read: whoever has none gets nothing of ours for a long upload.
function admit(attempt: Attempt): Maybe<Admitted | RefusedAnswer> {
  const query = readForm(attempt.request.arrived.query);
  if (isUnreadable(query)) return refuse({ refused: "unreadable", what: query.unreadable });
  const early = attempt.endpoint.keyless ? keylessTenant(attempt) : tenantWith(attempt, keyIn(query));
  return andThen(early, (tenant) => {
    if (isRefused(tenant)) return tenant;
    if (tenant && !hasBody(attempt.request.raw)) return { sent: query, tenant };
    return admitWithBody(attempt, query, tenant);
  });
}

async function admitWithBody(
  attempt: Attempt,
  query: Sent,
  early: Tenant | undefined,
): Promise<Admitted | RefusedAnswer> {
  const body = await bodyOf(attempt);
  if ("says" in body) return body;
  const tenant = early ?? (await tenantWith(attempt, keyIn(body) ?? ""));
  if (!tenant || isRefused(tenant)) return tenant ?? badKey(attempt, "");
  for (const [name, values] of body) query.set(name, values);
  return { sent: query, tenant };
}

function keylessTenant(attempt: Attempt): Tenant | RefusedAnswer {
  return tooMany(attempt, attempt.endpoint.pool, attempt.address) ?? NOBODY;
}

function tenantWith(attempt: Attempt, key: string | undefined): Maybe<Tenant | RefusedAnswer | undefined> {
  if (key === undefined) return undefined;
  return andThen(attempt.door.keys.get(key), (tenant) => {
    if (tenant === undefined) return badKey(attempt, key);
    return tooMany(attempt, attempt.endpoint.pool, `${tenant.id} ${attempt.address}`) ?? tenant;
  });
}

function badKey(attempt: Attempt, key: string): RefusedAnswer {
  return tooMany(attempt, "badKey", attempt.address) ?? refuse({ refused: "bad-key", key });
}

function tooMany({ door }: Attempt, pool: Pool, who: string): RefusedAnswer | undefined {
  const waitMs = door.limit.take(pool, who);
  if (waitMs <= 0) return undefined;
  return refuse({ refused: "too-many", seconds: Math.ceil(waitMs / 1_000) });
}

function keyIn(sent: Sent): string | undefined {
  const key = sent.get("key")?.findLast((value) => value !== "" && value !== null);
  return key === undefined ? undefined : String(key);
}

async function bodyOf({ door, request, endpoint }: Attempt): Promise<Sent | RefusedAnswer> {
  const read = await door.readRequestBody(request.raw, endpoint.longestBody ?? LONGEST_BODY);
  if ("failed" in read) return bodyFailures[read.failed];
  if (read.body.length === 0) return new Map();
  const sent = readBody(read.body, request.arrived.contentType);
  return isUnreadable(sent) ? refuse({ refused: "unreadable", what: sent.unreadable }) : sent;
}

const bodyFailures = {
  "too-large": refuse({ refused: "http", status: 413 }),
  gone: refuse({ refused: "http", status: 400 }),
  busy: refuse({ refused: "busy", seconds: 5 }),
};

function andThen<Value, Next>(value: Maybe<Value>, next: (value: Value) => Maybe<Next>): Maybe<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
