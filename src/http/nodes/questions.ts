// What nodes and edges ask of a node itself: whether it knows the same secret, and where an exchange lives.

import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";
import { refuse, send } from "../door/answer.ts";
import { guessPools, type RateLimit } from "../door/rate-limit.ts";
import type { NodeFacts } from "./ask-node.ts";

type Place = { node: string; url: string; sip: string };

type Where = { is: "here" } | { is: "nowhere" } | { is: "unknown" } | ({ is: "there" } & Place);

/** Where exchanges live, as this node knows it. */
export type NodeMap = {
  name: string;
  /** Where we ourselves are reached. */
  own(): Place;
  acts(): boolean;
  where(exchangeId: number): Where;
  exchangeOf(sipDomain: string): number | undefined;
  /** Those that live and can be reached. */
  others(): readonly { name: string; url: string }[];
};

type QuestionParts = {
  map: NodeMap;
  secret: string;
  clock: Clock;
  facts(): NodeFacts;
  /** Our count of guesses, for the addresses that other nodes ask us about. */
  limit: RateLimit;
  isSigned(raw: IncomingMessage): boolean;
};

export function mountQuestions(app: FastifyInstance, parts: QuestionParts): void {
  const { map, secret, clock, facts, limit, isSigned } = parts;
  app.get("/nodes/ping", async (request, reply) => {
    if (!isSigned(request.raw)) return notForYou(reply);
    return said(reply, { node: map.name, now_ms: clock.wall(), ...facts() });
  });
  app.post("/nodes/guess", async (request, reply) => {
    if (!isSigned(request.raw)) return notForYou(reply);
    const asked = new URLSearchParams(request.arrived.query).get("pool");
    const pool = guessPools.find((it) => it === asked);
    if (!pool) return send(reply, refuse({ refused: "http", status: 404 }));
    // The address is the one that was signed for.
    return said(reply, { wait_ms: limit.take(pool, request.raw.socket.remoteAddress ?? "") });
  });
  app.get("/nodes/owner", async (request, reply) => {
    if (!isEdge(request, secret)) return notForYou(reply);
    const query = new URLSearchParams(request.arrived.query);
    const exchangeId = map.exchangeOf(query.get("domain") ?? "") ?? Number(query.get("exchange") ?? Number.NaN);
    const where: Where = Number.isInteger(exchangeId) ? map.where(exchangeId) : { is: "unknown" };
    if (where.is === "unknown") return send(reply, refuse({ refused: "http", status: 404 }));
    if (where.is === "nowhere") return send(reply, refuse({ refused: "busy", seconds: 2 }));
    const { node, url, sip } = where.is === "there" ? where : map.own();
    return said(reply, { node, url, sip });
  });
}

/** For nodes and edges alone. */
export function notForYou(reply: FastifyReply): FastifyReply {
  return reply.code(403).type("text/plain; charset=utf-8").send("this is for the nodes themselves");
}

function said(reply: FastifyReply, value: object): FastifyReply {
  return reply.header("cache-control", "no-store").type("application/json").send(JSON.stringify(value));
}

function isEdge({ headers }: FastifyRequest, secret: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(headers.authorization ?? ""), digest(`Bearer ${secret}`));
}
