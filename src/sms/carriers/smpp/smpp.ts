// A carrier over SMPP 3.4: bound as transceiver, bound again whenever the line falls, never more unanswered than its window.

import { type Cancel, pause } from "../../../clock.ts";
import { lookupBy, openNames } from "../../../names.ts";
import type { CarrierRow } from "../../../store/sms-carriers.ts";
import type {
  ArrivedMessage,
  Carrier,
  CarrierAnswer,
  CarrierSurroundings,
  OpenCarrier,
  Submission,
} from "../../carrier.ts";
import { gsmErrorFor } from "../../gsm-error.ts";
import { nameIn, readDelivery, readsLikeReceipt } from "./incoming.ts";
import { submitRequests } from "./outgoing.ts";
import type { BoundSession, Fields } from "./session.ts";
import { verdictOn } from "./verdict.ts";
import { openWindow } from "./window.ts";

const BACK_OFF = { firstMs: 1_000, mostMs: 60_000 };
/** How often one message may meet the carrier's own trouble before it is taken for the cause. */
const MOST_TROUBLES = 5;
const INTERFACE_VERSION = 0x34;

export const openSmpp: OpenCarrier = (row, surroundings) => new SmppCarrier(row, surroundings);

class SmppCarrier implements Carrier {
  readonly #row: CarrierRow;
  readonly #around: CarrierSurroundings;
  readonly #window;
  readonly #lookup;
  readonly #troubles = new Map<number, number>();
  #session: BoundSession | undefined;
  #closed = false;
  #backOffMs = BACK_OFF.firstMs;
  /** It took something on this line: the next break is answered quickly again. */
  #served = false;
  #toldOfUnmarked = false;
  #cancelReconnect: Cancel | undefined;
  #connecting: Promise<void> = Promise.resolve();

  constructor(row: CarrierRow, around: CarrierSurroundings) {
    this.#row = row;
    this.#around = around;
    this.#window = openWindow(row.window);
    this.#lookup = lookupBy(openNames({ clock: around.clock }));
    this.#connecting = this.#connect();
  }

  isReady(): boolean {
    return this.#session !== undefined;
  }

  /** Part after part, so that a carrier that says "later" to the first has nothing of the message. */
  async submit(submission: Submission): Promise<CarrierAnswer> {
    const requests = submitRequests(submission, this.#row, this.#around.clock.wall());
    const references: string[] = [];
    for (const request of requests) {
      const answer = await this.#submitPart(submission, request, references.length === 0);
      if (answer.said !== "accepted") return answer;
      references.push(...answer.references);
    }
    this.#troubles.delete(submission.id);
    return { said: "accepted", references };
  }

  async #submitPart(submission: Submission, request: Fields, isFirst: boolean): Promise<CarrierAnswer> {
    for (;;) {
      const leave = await this.#window.enter();
      const session = this.#session;
      // What has not been told to anybody is nobody's; of a message half told nobody knows.
      if (!session) {
        leave();
        return isFirst ? { said: "later", waitMs: 0 } : { said: "nothing" };
      }
      const reply = await session.request("submit_sm", request);
      leave();
      if (reply === "nothing") return { said: "nothing" };
      if (reply.status === 0) {
        this.#served = true;
        return { said: "accepted", references: [nameIn(reply.fields.message_id)] };
      }
      const verdict = this.#judge(submission.id, reply.status);
      if (verdict.said !== "later" || isFirst) return verdict;
      await pause(this.#around.clock, verdict.waitMs);
    }
  }

  #judge(id: number, status: number): CarrierAnswer & { said: "later" | "refused" } {
    const verdict = verdictOn(status);
    if (verdict.is === "never") return { said: "refused", state: verdict.state, gsmError: verdict.gsmError };
    if (verdict.is === "later") return { said: "later", waitMs: verdict.waitMs };
    const troubles = (this.#troubles.get(id) ?? 0) + 1;
    this.#troubles.set(id, troubles);
    if (troubles < MOST_TROUBLES) return { said: "later", waitMs: verdict.waitMs };
    this.#troubles.delete(id);
    return { said: "refused", state: "SEND_ERROR", gsmError: gsmErrorFor("SEND_ERROR", 34) };
  }

  async #connect(): Promise<void> {
    const { clock, log, hear } = this.#around;
    const { host, port, tls, tlsVerify, systemId, password, systemType } = this.#row;
    // With it comes a library with every code page there is: only who has such a carrier loads it.
    const { openSession } = await import("./session.ts");
    const opened = await openSession({
      connect: { host, port, tls, rejectUnauthorized: tlsVerify, lookup: this.#lookup },
      bind: {
        system_id: systemId,
        password: password ?? "",
        system_type: systemType,
        interface_version: INTERFACE_VERSION,
      },
      clock,
      deliver: (_command, fields) => this.#deliver(fields),
      closed: (why) => this.#lineFell(why),
    });
    if ("refused" in opened) return;
    if (this.#closed) return opened.close();
    this.#session = opened;
    log.info({ carrier: this.#row.name }, "bound to the carrier");
    hear.ready();
  }

  #lineFell(why: string): void {
    const { clock, log } = this.#around;
    if (this.#served) this.#backOffMs = BACK_OFF.firstMs;
    this.#served = false;
    this.#session = undefined;
    this.#window.empty();
    if (this.#closed) return;
    log.warn({ carrier: this.#row.name, why, againInMs: this.#backOffMs }, "the line to the carrier fell");
    this.#cancelReconnect = clock.after(this.#backOffMs, () => {
      this.#connecting = this.#connect();
    });
    this.#backOffMs = Math.min(BACK_OFF.mostMs, this.#backOffMs * 2);
  }

  async #deliver(fields: Fields): Promise<void> {
    const { clock, hear } = this.#around;
    const delivered = readDelivery(fields, clock.wall(), { unmarked: this.#row.unmarkedReceipts });
    if (delivered.is === "message") {
      this.#lookForUnmarked(delivered.message);
      return hear.message(delivered.message);
    }
    const { references, state, gsmError, textBegins } = delivered.receipt;
    if (state) await hear.receipt({ references, from: delivered.from, state, gsmError, textBegins });
  }

  /** Said once a life: either a carrier that has to be set otherwise, or somebody who tries. */
  #lookForUnmarked(message: ArrivedMessage): void {
    if (this.#toldOfUnmarked || !readsLikeReceipt(message)) return;
    this.#toldOfUnmarked = true;
    const carrier = this.#row.name;
    this.#around.log.warn(
      { carrier },
      "a message reads like a receipt and is not marked as one: see unmarked-receipts",
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelReconnect?.();
    await this.#connecting;
    const session = this.#session;
    this.#session = undefined;
    await session?.close();
  }
}
