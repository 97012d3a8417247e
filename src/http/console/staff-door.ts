// Who stands at the console's door: HTTP Basic with a staff member's e-mail address and password, and not too often.

import type { FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";
import type { Db } from "../../store/db.ts";
import { type SignedIn, signIn } from "../../store/staff.ts";
import { type RefusedAnswer, refuse } from "../answer.ts";
import type { ClientAddress } from "../client-address.ts";
import { rateLimit, rates } from "../rate-limit.ts";

const MINUTE = 60_000;

/** Each look at a password costs a tenth of a second and 64 MB: so many may be looked at together. */
const MOST_AT_ONCE = 2;

export type StaffDoorParts = { db: Db; clock: Clock; clientAddress: ClientAddress };

export type StaffDoor = (request: FastifyRequest) => Promise<SignedIn | RefusedAnswer>;

export function openStaffDoor({ db, clock, clientAddress }: StaffDoorParts): StaffDoor {
  const limit = rateLimit(clock, { ...rates, default: { requests: 10, perMs: MINUTE, burst: 20 } });
  let looking = 0;
  return async (request) => {
    const given = credentialsOf(request.headers.authorization);
    if (!given) return refuse(401, "Unauthorized");
    const address = clientAddress(request.socket.remoteAddress, request.headers["x-forwarded-for"]);
    const waitMs = limit.take("default", address);
    if (waitMs > 0) return { ...refuse(429, "Too Many Requests"), retryAfterSeconds: Math.ceil(waitMs / 1_000) };
    if (looking >= MOST_AT_ONCE) return { ...refuse(503, "Service Unavailable"), retryAfterSeconds: 1 };
    looking += 1;
    try {
      return (await signIn(db, given.email, given.password)) ?? refuse(401, "Unauthorized");
    } finally {
      looking -= 1;
    }
  };
}

function credentialsOf(header: string | undefined): { email: string; password: string } | undefined {
  const encoded = /^basic ([A-Za-z0-9+/=]{1,1000})$/i.exec(header ?? "")?.[1];
  const text = encoded === undefined ? "" : Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 1 ? undefined : { email: text.slice(0, colon), password: text.slice(colon + 1) };
}
