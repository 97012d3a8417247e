// The one way in: a request passes the row of guards of its operation, and only then does the handler see it.
//
// Most requests have their key in the query and no body, and most keys are remembered. That way is walked without a
// promise: every one of them costs more than all that happens between two of them.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Answer, type RefusedAnswer, refuse, send, statusOf } from "./answer.ts";
import { contextOf, NOBODY, type Tenant } from "./context.ts";
import type { Endpoint, Method } from "./endpoint.ts";
import { type Asked, andThen, type Door, type Maybe, type Pass } from "./guard.ts";
import { type TimedRequest, TOO_LATE, timeRequest } from "./request-limit.ts";

const METHODS: readonly Method[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const READS: readonly string[] = ["GET", "HEAD"];

export function mountOperations(app: FastifyInstance, endpoints: readonly Endpoint[], door: Door): void {
  const methodsOf = new Map<string, Method[]>();
  const { db, clock, log } = door.services;
  for (const endpoint of endpoints) {
    const answer = openDoorTo(endpoint, door);
    for (const url of endpoint.paths) {
      app.route({
        method: [...endpoint.methods],
        url,
        handler: (request, reply) => {
          const limit = timeRequest(clock, door.requestMs, () => request.socket.destroyed);
          const said = answer(request, reply, limit);
          if (said instanceof Promise) {
            const done = () => door.bodies.done(request.raw);
            said.then(done, done); // who is answered that it is too late may still wait for his turn
            return limit.answeredBy(said).then((it) => noted(endpoint, request, it, reply));
          }
          void send(reply, said);
          return undefined; // to hand the reply back would make Fastify wait for it as for a promise
        },
      });
      methodsOf.set(url, [...(methodsOf.get(url) ?? []), ...endpoint.methods]);
    }
  }
  for (const [url, known] of methodsOf) refuseOtherMethods(app, url, known);

  /** What is answered out of memory changes nothing, and a line about it would cost more than the answer. */
  async function noted({ changes }: Endpoint, request: FastifyRequest, said: Answer, reply: FastifyReply) {
    const status = statusOf(said);
    // Who reads that something is changed may rely on it: whatever part remembered it otherwise knows by then.
    if (status < 400 && (changes || !READS.includes(request.method))) await db.heard();
    const fact = { method: request.method, route: request.routeOptions.url, status };
    if (said === TOO_LATE) log.warn(fact, "not answered in time, and given up");
    else log.debug(fact, "answered");
    return send(reply, said);
  }
}

type AnswerRequest = (request: FastifyRequest, reply: FastifyReply, limit: TimedRequest) => Maybe<Answer>;

function openDoorTo(endpoint: Endpoint, door: Door): AnswerRequest {
  if (!endpoint.guards.some(({ knows }) => knows)) throw new Error(`nobody asks who wants ${endpoint.paths[0]}`);
  const row = endpoint.guards.map((guard) => guard.before(endpoint, door));
  return (request, reply, limit) => {
    const address = door.clientAddress(request.socket.remoteAddress, request.headers["x-forwarded-for"]);
    const asked: Asked = {
      request,
      reply,
      address,
      who: address,
      query: undefined,
      body: undefined,
      confirm: undefined,
      parameters: undefined,
      tenant: NOBODY,
      beside: undefined,
      limit,
    };
    return andThen(passAll(asked, row, 0), (refusal) => refusal ?? handle(asked));
  };

  function handle({ request, address: clientAddress, tenant, parameters, beside, limit }: Asked): Maybe<Answer> {
    if (limit.leftMs() <= 0) return TOO_LATE; // its guards took so long that nobody waits any more
    const { method, headers, socket: line } = request;
    const asked = { tenant: tenant as Tenant, clientAddress, method, accept: headers.accept ?? "", line, limit };
    const context = contextOf(door.services, asked);
    // The guards of this very row gave the handler its types; `Endpoint` has forgotten them.
    return endpoint.handle(parameters as never, (beside ? { ...context, ...beside } : context) as never);
  }
}

function passAll(asked: Asked, row: readonly Pass[], from: number): Maybe<RefusedAnswer | undefined> {
  for (let at = from; at < row.length; at++) {
    const refusal = row[at]!(asked);
    if (refusal instanceof Promise) return refusal.then((it) => it ?? passAll(asked, row, at + 1));
    if (refusal) return refusal;
  }
  return undefined;
}

function refuseOtherMethods(app: FastifyInstance, url: string, known: readonly Method[]): void {
  const others = METHODS.filter((method) => !known.includes(method));
  const allow = known.join(", ");
  app.route({
    method: [...others, "OPTIONS"],
    url,
    handler: (_request, reply) => void send(reply.header("allow", allow), refuse({ refused: "http", status: 405 })),
  });
}
