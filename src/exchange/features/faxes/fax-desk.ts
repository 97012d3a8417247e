// Sends the orders that are due: a call each, so many at a time on each trunk, again later when it did not work.
//
// After a crash: an order is marked as being sent before its call is made, and each page is noted as soon as the receiver
// has confirmed it. An order found so marked at a start goes on from the first page that was not confirmed; at most the
// page that was on the line is sent twice, and none is left out.

import { randomUUID } from "node:crypto";
import { runAgain } from "../../../again.ts";
import { atOnce, type Errands } from "../../../arrears/errands.ts";
import type { Cancel, Clock } from "../../../clock.ts";
import type { Log } from "../../../log.ts";
import type { FaxResult } from "../../../media/fax/fax-engine.ts";
import type { Objects } from "../../../objects/objects.ts";
import type { Database, Db } from "../../../store/db.ts";
import {
  beginFaxOrder,
  dueFaxOrders,
  type FaxOrder,
  interruptedFaxOrders,
  nextFaxOrderAt,
  settleFaxOrder,
} from "../../../store/fax-orders.ts";
import { beginFaxRecord, noteInterruptedFaxes } from "../../../store/fax-records.ts";
import type { Call } from "../../calls/call.ts";
import type { Goal } from "../../calls/goal.ts";
import { afterCall, type FaxCallEnd } from "./after-call.ts";
import { faxOrderErrands } from "./fax-order-errands.ts";
import { outcomeOf } from "./fax-service.ts";
import type { FaxSending } from "./send-fax.ts";

/** What the desk must know of a call. */
type Ended = { callUuid: string; answerMs: number | undefined; endMs: number | undefined; end: FaxCallEnd };

export type PlacedCall = Pick<Call<Goal>, "fetched" | "over" | "end" | "hangUp"> & {
  facts: { answerMs?: number | undefined };
};

export type FaxDeskParts = {
  db: Database;
  clock: Clock;
  log: Log;
  objects: Objects;
  place(callUuid: string, sending: FaxSending): Promise<PlacedCall | undefined>;
  /** The line that a call to this number takes first. */
  trunkTo(exchangeId: number, number: string): string;
  /** How long to wait after the first call in vain, the second …; after the last the order has failed. */
  spacingMs: readonly number[];
  linesPerTrunk: number;
  errands?: Errands<typeof faxOrderErrands> | undefined;
};

/** The exchange could not make a call now: nobody's failure. */
const NOT_NOW_MS = 5_000;
/** However far away the next order is, somebody may have put one in beside us. */
const LOOK_AGAIN_MS = 30_000;

export class FaxDesk {
  readonly #parts: FaxDeskParts;
  readonly #errands: Errands<typeof faxOrderErrands>;
  /** Calls that go on now, by trunk. */
  readonly #lines = new Map<string, number>();
  readonly #sending = new Set<Promise<void>>();
  /** The calls of those, from before they are placed until they are over. */
  readonly #calls = new Map<string, { placed?: PlacedCall; isDropped: boolean }>();
  #cancel: Cancel = () => undefined;
  readonly #looking = runAgain(() =>
    this.#lookNow().catch((error: unknown) =>
      this.#parts.log.warn({ error: String(error) }, "fax orders could not be looked at"),
    ),
  );
  #closing = false;

  constructor(parts: FaxDeskParts) {
    this.#parts = parts;
    this.#errands = parts.errands ?? atOnce(parts.db, faxOrderErrands);
  }

  /** Before the first call of a start, or of an exchange that lives here from now on. */
  async recover(db: Db = this.#parts.db): Promise<void> {
    const { clock, spacingMs, log } = this.#parts;
    await noteInterruptedFaxes(db);
    const cut = await interruptedFaxOrders(db);
    for (const order of cut) {
      const end: FaxCallEnd = { cause: "NORMAL_TEMPORARY_FAILURE" };
      const call = { ...order, confirmed: order.confirmedPages, brought: 0, end, isOurStop: false };
      const outcome = afterCall(call, spacingMs, clock.wall());
      await settleFaxOrder(db, { id: order.id, nowMs: clock.wall(), outcome });
    }
    if (cut.length > 0) log.warn({ orders: cut.length }, "faxes that a crash cut off go on where they were");
  }

  /** Something may be due: an order came, a line is free, time has passed. */
  look(): void {
    if (!this.#closing) void this.#looking.ask();
  }

  /** The order was taken back: the call for it is not made, or it is hung up. */
  drop(callUuid: string): void {
    const call = this.#calls.get(callUuid);
    if (call) call.isDropped = true;
    call?.placed?.hangUp("NORMAL_CLEARING", "supervisor");
  }

  /** Takes nothing new; calls that go on are the call desk's to end. */
  async stop(): Promise<void> {
    this.#closing = true;
    this.#cancel();
    await this.#looking.settled();
  }

  /** Once the calls are over: everything about them is written. */
  async close(): Promise<void> {
    await this.stop();
    await Promise.all(this.#sending);
  }

  async #lookNow(): Promise<void> {
    const { db, clock, linesPerTrunk } = this.#parts;
    if (this.#closing) return;
    this.#cancel();
    for (const order of await dueFaxOrders(db, clock.wall())) {
      if (this.#closing) return;
      const trunk = `${order.exchangeId} ${this.#parts.trunkTo(order.exchangeId, order.remoteStationId)}`;
      if ((this.#lines.get(trunk) ?? 0) < linesPerTrunk) this.#begin(order, trunk);
    }
    const nextAt = await nextFaxOrderAt(db, clock.wall());
    const waitMs = Math.min(LOOK_AGAIN_MS, Math.max(0, (nextAt ?? Number.POSITIVE_INFINITY) - clock.wall()));
    if (!this.#closing) this.#cancel = clock.after(waitMs, () => this.look());
  }

  #begin(order: FaxOrder, trunk: string): void {
    this.#lines.set(trunk, (this.#lines.get(trunk) ?? 0) + 1);
    const sending = this.#send(order)
      .catch((error: unknown) =>
        this.#parts.log.error({ order: order.id, error: String(error) }, "a fax order could not be carried out"),
      )
      .finally(() => {
        this.#sending.delete(sending);
        this.#lines.set(trunk, (this.#lines.get(trunk) ?? 1) - 1);
        this.look();
      });
    this.#sending.add(sending);
  }

  async #send(order: FaxOrder): Promise<void> {
    const callUuid = randomUUID();
    this.#calls.set(callUuid, { isDropped: false });
    await this.#sendBy(callUuid, order).finally(() => this.#calls.delete(callUuid));
  }

  async #sendBy(callUuid: string, order: FaxOrder): Promise<void> {
    const { place } = this.#parts;
    const own = this.#calls.get(callUuid)!; // since a moment, until it is over
    if (!(await this.#noteBegin(order, callUuid))) return;
    const tiff = await this.#pagesOf(order);
    if (tiff === undefined || own.isDropped) return this.#giveBack(order, callUuid);
    const progress = this.#progressOf(order);
    let faxing: Promise<FaxResult> | undefined;
    const call = await place(callUuid, {
      order,
      tiff,
      confirmed: progress.confirmed,
      faxing: (it) => {
        faxing = it;
      },
    });
    if (!call) return this.#giveBack(order, callUuid);
    own.placed = call;
    if (own.isDropped) call.hangUp("NORMAL_CLEARING", "supervisor");
    const fetched = await call.fetched;
    await call.over;
    const result = await (faxing as Promise<FaxResult> | undefined)?.catch(() => undefined); // set by the call meanwhile
    await progress.written();
    const cause = "failed" in fetched ? fetched.failed.cause : "NORMAL_TEMPORARY_FAILURE";
    await this.#settle(order, {
      callUuid,
      answerMs: call.facts.answerMs,
      endMs: call.end?.endMs,
      end: result ? { result: { ...result, pages: Math.max(result.pages, progress.brought()) } } : { cause },
    });
  }

  /** Undefined while they lie where they cannot be had. */
  #pagesOf({ objectKey }: FaxOrder): Promise<string | undefined> {
    const { objects } = this.#parts;
    const found = objects.fetched(objectKey).then((path) => path ?? objects.path(objectKey));
    return found.catch(() => undefined);
  }

  #noteBegin(order: FaxOrder, callUuid: string): Promise<boolean> {
    const { clock } = this.#parts;
    return this.#parts.db.transaction(async (db) => {
      if (!(await beginFaxOrder(db, { id: order.id, callUuid }))) return false;
      await beginFaxRecord(db, {
        callUuid,
        exchangeId: order.exchangeId,
        orderId: order.id,
        direction: "outbound",
        startMs: clock.wall(),
        callerIdNumber: order.localStationId,
        localStationHeader: order.localStationHeader,
        originalDestination: order.remoteStationId,
        totalPages: order.pages - order.confirmedPages,
        arrivingPath: null,
        email: null,
      });
      return true;
    });
  }

  /** Pages are noted one after the other, as they are confirmed. */
  #progressOf({ id, confirmedPages }: FaxOrder) {
    const { log } = this.#parts;
    let writing = Promise.resolve();
    let latest = confirmedPages;
    return {
      confirmed: (pages: number) => {
        latest = Math.max(latest, pages);
        writing = writing
          .then(() => this.#errands.run("fax.pages", { id, pages }))
          .catch((error: unknown) => log.warn({ order: id, error: String(error) }, "a page that went was not noted"));
      },
      written: () => writing,
      /** A machine that dies cannot say any more what it has brought over. */
      brought: () => latest - confirmedPages,
    };
  }

  async #settle(order: FaxOrder, { callUuid, answerMs, endMs, end }: Ended): Promise<void> {
    const { clock, spacingMs } = this.#parts;
    const { id, pages, confirmedPages } = order;
    const brought = "result" in end ? Math.min(end.result.pages, pages - confirmedPages) : 0;
    const confirmed = confirmedPages + brought;
    const nowMs = clock.wall();
    const outcome = afterCall(
      { failures: order.failures, pages, confirmed, brought, end, isOurStop: this.#closing },
      spacingMs,
      nowMs,
    );
    const kept = { objectKey: order.objectKey, pdfKey: order.objectKey.replace(/\.tif$/, ".pdf") };
    const about = { kept, totalPages: pages - confirmedPages };
    const noted = "result" in end ? outcomeOf({ ...end.result, pages: brought }, about) : notBegun(end.cause, about);
    const success = outcome.is === "sent";
    await this.#errands.run("fax.settle", {
      id,
      endMs: endMs ?? nowMs,
      callUuid,
      answerMs,
      nowMs,
      confirmed,
      outcome,
      noted: { ...noted, success },
    });
  }

  async #giveBack(order: FaxOrder, callUuid: string): Promise<void> {
    const { clock } = this.#parts;
    const atMs = clock.wall() + NOT_NOW_MS;
    const outcome = { is: "again", atMs, failures: order.failures, result: "no call could be made" } as const;
    await this.#errands.run("fax.give-back", { id: order.id, callUuid, nowMs: clock.wall(), outcome });
  }
}

function notBegun(cause: string, { totalPages }: { totalPages: number }) {
  return {
    pages: 0,
    totalPages,
    rate: 0,
    ecm: null,
    t38: null,
    remoteStationId: "",
    success: false,
    code: -100,
    text: cause,
    objectKey: null,
    pdfKey: null,
  };
}
