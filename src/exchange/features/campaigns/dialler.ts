// The dialler: a room for each exchange that has something to dial, and order after a crash before the first call.

import type { Stream } from "../../../arrears/arrears.ts";
import { atOnce, type Errands } from "../../../arrears/errands.ts";
import type { Database } from "../../../store/db.ts";
import { type CampaignStore, catchUp, openCampaignStore } from "./campaign-store.ts";
import { consentErrands, mayCall } from "./consent.ts";
import { DialRounds, type DialRoundsParts } from "./dial-rounds.ts";
import { type SettleParts, settleCutOff } from "./recovery.ts";

export type DiallerParts = Omit<DialRoundsParts, "store" | "mayCall" | "withdraw"> & {
  db: Database;
  /** Where news of calls is written while the database cannot be. */
  arrears?: Stream | undefined;
  errands?: Errands<typeof consentErrands> | undefined;
  /** Of a call that an earlier process began and that goes on: kept when it is over. */
  goesOn?: SettleParts["goesOn"];
};

export type Dialler = {
  /** Campaigns, settings or holidays of that exchange are different now. */
  changed(exchangeId: number): void;
  /** Agents of that exchange, or lines, have become free. */
  look(exchangeId: number): void;
  room(exchangeId: number): DialRounds | undefined;
  store: CampaignStore;
  /** The exchange lives here from now on: what its last owner left in the middle is settled, and the rest goes on. */
  load(exchangeId: number): Promise<void>;
  /** Whether calls of that exchange do not leave for now: it is about to live elsewhere. */
  quiet(exchangeId: number, isQuiet: boolean): void;
  /** It lives elsewhere. */
  drop(exchangeId: number): Promise<void>;
  /** Starts no more calls. */
  stop(): Promise<void>;
  /** What is known of the calls that have ended is on disk; to be called when none is up any more. */
  close(): Promise<void>;
};

export async function openDialler(parts: DiallerParts): Promise<Dialler> {
  const { db, clock, log, arrears, errands = atOnce(db, consentErrands) } = parts;
  const rooms = new Map<number, DialRounds>();
  const quiet = new Set<number>();
  let stopped = false;
  let roomParts: DialRoundsParts | undefined;
  await catchUp({ db, clock, log, arrears });
  await settleCutOff({ db, clock, log, goesOn: parts.goesOn });
  const store = await openCampaignStore({ db, clock, log, arrears }, (what, exchangeId) => {
    if (exchangeId === undefined) for (const room of rooms.values()) room.changed();
    else if (what === "campaigns") roomOf(exchangeId)?.changed();
    else rooms.get(exchangeId)?.changed();
  });
  roomParts = {
    ...parts,
    store,
    // A number whose call does not leave is put back, and claimed by whoever dials next.
    place: async (order) => (quiet.has(order.journey.campaign.exchangeId) ? undefined : parts.place(order)),
    mayCall: (campaign, number) => mayCall(db, campaign, number),
    withdraw: ({ exchangeId, recipientType, brandCode }, number) =>
      errands.run("calls.withdraw", { exchangeId, recipientType, brandCode, number, nowMs: clock.wall() }),
  };
  for (const exchangeId of await store.exchanges()) roomOf(exchangeId);
  return {
    store,
    changed: (exchangeId) => roomOf(exchangeId)?.changed(),
    look: (exchangeId) => rooms.get(exchangeId)?.look(),
    room: (exchangeId) => rooms.get(exchangeId),
    async load(exchangeId) {
      await settleCutOff({ db: db.forExchange(exchangeId), clock, log, goesOn: parts.goesOn });
      if ((await store.exchanges()).includes(exchangeId)) roomOf(exchangeId)?.changed();
    },
    quiet(exchangeId, isQuiet) {
      if (isQuiet) quiet.add(exchangeId);
      else if (quiet.delete(exchangeId)) rooms.get(exchangeId)?.changed();
    },
    async drop(exchangeId) {
      quiet.delete(exchangeId);
      const room = rooms.get(exchangeId);
      rooms.delete(exchangeId);
      await room?.close();
    },
    async stop() {
      stopped = true;
      await Promise.all([...rooms.values()].map((room) => room.close()));
    },
    close: () => store.close(),
  };

  function roomOf(exchangeId: number): DialRounds | undefined {
    // What is said of a campaign before the store is open is read right after.
    if (!roomParts || stopped || Number.isNaN(exchangeId)) return undefined;
    const room = rooms.get(exchangeId) ?? new DialRounds(exchangeId, roomParts);
    rooms.set(exchangeId, room);
    return room;
  }
}
