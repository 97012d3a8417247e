// A request's way in: who asks, may he, how often, with what. Only then does the handler see it.

import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import { type Answer, echo, type RefusedAnswer, refuse } from "./answer.ts";
import type { ClientAddress } from "./client-address.ts";
import type { Services, Tenant } from "./context.ts";
import type { Endpoint } from "./endpoint.ts";
import type { KeyRing } from "./key-ring.ts";
import type { Arrived } from "./listener.ts";
import { readBody } from "./parameters/body.ts";
import { coercionTo } from "./parameters/coerce.ts";
import { readForm } from "./parameters/form.ts";
import { isUnreadable, type Sent } from "./parameters/sent.ts";
import type { Pool, RateLimit } from "./rate-limit.ts";
import type { ReadRequestBody } from "./request-body.ts";

export type Door = {
  services: Services;
  keys: KeyRing;
  limit: RateLimit;
  clientAddress: ClientAddress;
  readRequestBody: ReadRequestBody;
};

type Attempt = Door & { endpoint: Endpoint; request: FastifyRequest; address: string; arrived: Arrived };

/** Stands for the tenant where a ticket opens the door: no row has this id, so a query that trusts it finds nothing. */
const NOBODY: Tenant = { id: 0, sipDomain: "", timeZone: "UTC" };

const LONGEST_BODY = 1024 * 1024;

export function openDoorTo(endpoint: Endpoint, door: Door) {
  const coerce = coercionTo(endpoint.parameters);

  return async (request: FastifyRequest, arrived: Arrived): Promise<Answer> => {
    const address = door.clientAddress(request.socket.remoteAddress, request.headers["x-forwarded-for"]);
    const attempt: Attempt = { ...door, endpoint, request, address, arrived };
    const admitted = await admit(attempt);
    if ("says" in admitted) return admitted;
    const { sent, tenant } = admitted;
    for (const [name, value] of Object.entries(request.params as Record<string, string>)) sent.set(name, [value]);
    const coerced = coerce(sent);
    if ("wrong" in coerced) return refuse(400, coerced.wrong);
    const { method, headers } = request;
    const asked = { exchangeId: tenant.id, tenant, clientAddress: address, method, accept: headers.accept ?? "" };
    // The schema that coerced is the one that gave the handler its type; `Endpoint` has forgotten it.
    return endpoint.handle(coerced.parameters as never, { ...door.services, ...asked });
  };
}

type Admitted = { sent: Sent; tenant: Tenant };

// A key in the query is looked at before the body is read: whoever has none gets nothing of ours for a long upload.
async function admit(attempt: Attempt): Promise<Admitted | RefusedAnswer> {
  const query = readForm(attempt.arrived.query);
  if (isUnreadable(query)) return refuse(400, query.unreadable);
  const early = attempt.endpoint.keyless ? keylessTenant(attempt) : await tenantWith(attempt, keyIn(query));
  if (early && "says" in early) return early;
  const body = await bodyOf(attempt);
  if ("says" in body) return body;
  const tenant = early ?? (await tenantWith(attempt, keyIn(body) ?? ""));
  if (tenant === undefined || "says" in tenant) return tenant ?? badKey(attempt, "");
  for (const [name, values] of body) query.set(name, values);
  return { sent: query, tenant };
}

function keylessTenant(attempt: Attempt): Tenant | RefusedAnswer {
  return tooMany(attempt, attempt.endpoint.pool, attempt.address) ?? NOBODY;
}

async function tenantWith(attempt: Attempt, key: string | undefined): Promise<Tenant | RefusedAnswer | undefined> {
  if (key === undefined) return undefined;
  const found = attempt.keys.get(key);
  const tenant = found instanceof Promise ? await found : found;
  if (tenant === undefined) return badKey(attempt, key);
  return tooMany(attempt, attempt.endpoint.pool, `${tenant.id} ${attempt.address}`) ?? tenant;
}

function badKey(attempt: Attempt, key: string): RefusedAnswer {
  return tooMany(attempt, "badKey", attempt.address) ?? refuse(401, `Gecersiz anahtar: ${echo(key)}`);
}

function tooMany({ limit }: Attempt, pool: Pool, who: string): RefusedAnswer | undefined {
  const waitMs = limit.take(pool, who);
  if (waitMs <= 0) return undefined;
  return { ...refuse(429, "Too Many Requests"), retryAfterSeconds: Math.ceil(waitMs / 1_000) };
}

function keyIn(sent: Sent): string | undefined {
  const key = sent.get("key")?.findLast((value) => value !== "" && value !== null);
  return key === undefined ? undefined : String(key);
}

async function bodyOf({ request, arrived, endpoint, readRequestBody }: Attempt): Promise<Sent | RefusedAnswer> {
  const read = await readRequestBody(request.raw as IncomingMessage, endpoint.longestBody ?? LONGEST_BODY);
  if ("failed" in read) return bodyFailures[read.failed];
  if (read.body.length === 0) return new Map();
  const sent = readBody(read.body, arrived.contentType);
  return isUnreadable(sent) ? refuse(400, sent.unreadable) : sent;
}

const bodyFailures = {
  "too-large": refuse(413, "Request Entity Too Large"),
  gone: refuse(400, "Bad Request"),
  busy: { ...refuse(503, "Service Unavailable"), retryAfterSeconds: 5 },
};
