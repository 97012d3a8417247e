// Who stands at the web phone's door: whoever has a token, shown in a header so that no log and no history keeps it.

import type { FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";
import type { Db } from "../../store/db.ts";
import { userOfWebphoneToken, type WebphoneUser } from "../../store/webphone-tokens.ts";
import { type RefusedAnswer, refuse } from "../door/answer.ts";
import type { ClientAddress } from "../door/client-address.ts";
import { rateLimit, rates } from "../door/rate-limit.ts";

export type WebphoneDoorParts = { db: Db; clock: Clock; clientAddress: ClientAddress };

export type Visitor = WebphoneUser & { token: string };

export type WebphoneDoor = (request: FastifyRequest) => Promise<Visitor | RefusedAnswer>;

const TOKEN = /^W[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** One phone searches while its owner types; a guesser of tokens is slowed down like one of keys. */
export function openWebphoneDoor({ db, clock, clientAddress }: WebphoneDoorParts): WebphoneDoor {
  const limit = rateLimit(clock, { ...rates, default: { requests: 10, perMs: 1_000, burst: 60 } });
  return async (request) => {
    const address = clientAddress(request.socket.remoteAddress, request.headers["x-forwarded-for"]);
    const token = /^bearer (\S{1,100})$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
    const user = isToken(token) ? await userOfWebphoneToken(db, token, clock.now()) : undefined;
    const waitMs = user ? limit.take("default", token) : limit.take("badKey", address);
    if (waitMs > 0) return refuse({ refused: "too-many", seconds: Math.ceil(waitMs / 1_000) });
    return user ? { ...user, token } : refuse({ refused: "bad-token" });
  };
}
