// Which place outside the pages of the console may show in a frame: the one that the exchange of whoever is signed in opens
// with its calls, and none for anybody else.

import type { FastifyRequest } from "fastify";
import { type Clock, pause } from "../../clock.ts";
import { originOfLink } from "../../nouns/link.ts";
import { deskSettings } from "../../store/agent-desk.ts";
import type { Database } from "../../store/db.ts";
import type { StaffSession } from "../../store/staff-sessions.ts";
import type { FrameOf } from "./pages.ts";

type Parts = {
  db: Database;
  clock: Clock;
  sessionOf(request: FastifyRequest): Promise<StaffSession | undefined>;
};

/** The page comes without it when the database is away: it is the page that says so. */
const MOST_MS = 1_000;

export function screenPops({ db, clock, sessionOf }: Parts): FrameOf {
  const look: FrameOf = async (request) => {
    const staff = await sessionOf(request);
    if (!staff) return undefined;
    const { pop, popIn } = await deskSettings(db.forExchange(staff.exchangeId), staff.exchangeId);
    return popIn === "frame" && pop !== null ? originOfLink(pop) : undefined;
  };
  return (request) =>
    request.headers.cookie === undefined
      ? Promise.resolve(undefined)
      : Promise.race([look(request).catch(() => undefined), pause(clock, MOST_MS).then(() => undefined)]);
}
