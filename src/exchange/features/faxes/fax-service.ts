// The room with the fax machine: where pages that arrive are kept, noted, and sent on by e-mail.

import { randomUUID } from "node:crypto";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { atOnce, type Errands } from "../../../arrears/errands.ts";
import { enqueue, mailShare } from "../../../jobs/jobs.ts";
import type { Log } from "../../../log.ts";
import { printPdf } from "../../../media/documents/pdf.ts";
import type { FaxEngine, FaxResult } from "../../../media/fax/fax-engine.ts";
import { readTiff } from "../../../media/fax/tiff.ts";
import type { Objects } from "../../../objects/objects.ts";
import type { Database, Db } from "../../../store/db.ts";
import {
  beginFaxRecord,
  closeFaxRecord,
  type FaxOutcome,
  noteFaxOutcome,
  type OpenFaxRecord,
  openFaxRecords,
} from "../../../store/fax-records.ts";
import type { Call } from "../../calls/call.ts";
import type { Goal } from "../../calls/goal.ts";

export const MAIL_FAX = "fax.mail";
export type MailedFax = { exchangeId: number; callUuid: string; to: string };

export type FaxServiceParts = {
  engine: FaxEngine;
  db: Database;
  objects: Objects;
  log: Log;
  now(): number;
  /** Where pages are written while they arrive. */
  folder: string;
  errands?: Errands<typeof arrivedFaxErrands> | undefined;
};

/** The two forms in which a fax is kept. */
export type KeptFax = { objectKey: string; pdfKey: string; pages: number };

export class FaxService {
  readonly engine: FaxEngine;
  readonly #parts: FaxServiceParts;
  readonly #errands: Errands<typeof arrivedFaxErrands>;
  readonly #owed = new Set<Promise<void>>();

  constructor(parts: FaxServiceParts) {
    this.engine = parts.engine;
    this.#parts = parts;
    this.#errands = parts.errands ?? atOnce(parts.db, arrivedFaxErrands);
  }

  /** What a crash cut off is brought to an end: pages that were whole by then are kept and mailed. */
  async recover(db: Database = this.#parts.db): Promise<void> {
    await mkdir(this.#parts.folder, { recursive: true, mode: 0o700 });
    for (const record of await openFaxRecords(db)) {
      if (record.arrivingPath !== null && record.objectKey === null) {
        const kept = await this.keepPages(record.arrivingPath, record.callUuid);
        const pages = kept?.pages ?? 0;
        await noteFaxOutcome(this.#parts.db, record.callUuid, { ...cutOff, pages, totalPages: pages, ...keysOf(kept) });
      }
      await this.#close(record.callUuid);
    }
  }

  /** Undefined when fax works here; otherwise what to install. */
  async whyNot(): Promise<string | undefined> {
    const state = await this.engine.availability();
    return state.available ? undefined : state.why;
  }

  /** Notes the call, lets `run` write the pages, keeps them, and closes the record with the call. */
  async receive(
    call: Call<Goal>,
    { email, run }: { email: string | undefined; run: (path: string) => Promise<FaxResult> },
  ): Promise<FaxResult> {
    const { uuid, exchangeId, direction, callerNumber, destinationNumber, startMs } = call.facts;
    const path = join(this.#parts.folder, `${uuid}-${randomUUID()}.tif`);
    await beginFaxRecord(this.#parts.db, {
      callUuid: uuid,
      exchangeId,
      orderId: null,
      direction,
      startMs,
      arrivingPath: path,
      email: email ?? null,
      callerIdNumber: callerNumber,
      originalDestination: destinationNumber,
      localStationHeader: "",
      totalPages: 0,
    });
    const received = run(path).then(async (result) => {
      const kept = await this.keepPages(path, uuid);
      const outcome = outcomeOf(result, { kept, totalPages: kept?.pages ?? 0 });
      await this.#errands.run("fax.arrived", { callUuid: uuid, outcome });
      return result;
    });
    // Whatever happens in between, the record ends with the call; and a stop of the exchange waits for it.
    this.owe(Promise.allSettled([received, call.over]).then(() => this.#close(uuid, call)));
    return received;
  }

  /** The pages that are whole, as TIFF and as PDF; undefined when there is none. */
  async keepPages(path: string, name: string): Promise<KeptFax | undefined> {
    const { objects, log } = this.#parts;
    const [objectKey, pdfKey] = [`faxes/${name}.tif`, `faxes/${name}.pdf`];
    const arrived = await readFile(path).catch(() => undefined);
    // A crash may have come right after it was taken into keeping.
    const before = arrived ? undefined : await objects.here(objectKey);
    const file = arrived ?? (before === undefined ? undefined : await readFile(before));
    if (!file) return undefined;
    const read = readTiff(file);
    if (read.is === "unreadable") {
      log.warn({ fax: name, why: read.why }, "the pages of a fax cannot be read");
      await rm(path, { force: true });
      return undefined;
    }
    await objects.put(pdfKey, { bytes: printPdf(read.pages, `Fax ${name}`) });
    if (arrived) await objects.put(objectKey, { file: path });
    return { objectKey, pdfKey, pages: read.pages.length };
  }

  /** Work that a stop of the exchange waits for. */
  owe(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => this.#parts.log.error({ error: String(error) }, "a fax was not noted to its end"))
      .finally(() => this.#owed.delete(done));
    this.#owed.add(done);
  }

  async close(): Promise<void> {
    await Promise.all(this.#owed);
    await this.engine.stop();
  }

  #close(callUuid: string, { facts, end }: Partial<Call<Goal>> = {}): Promise<void> {
    const nowMs = end?.endMs ?? this.#parts.now();
    return this.#errands.run("fax.close", { callUuid, answerMs: facts?.answerMs, nowMs });
  }
}

/** What must be written once of a fax that came, though the database is away: its sender was told that it arrived. */
export const arrivedFaxErrands = {
  "fax.arrived": (db: Db, { callUuid, outcome }: { callUuid: string; outcome: FaxOutcome }) =>
    noteFaxOutcome(db, callUuid, outcome),
  async "fax.close"(db: Db, call: { callUuid: string; answerMs?: number | undefined; nowMs: number }): Promise<void> {
    const { callUuid, answerMs, nowMs } = call;
    const closed = await closeFaxRecord(db, { callUuid, answerMs, nowMs });
    if (closed) await oweMail(db, closed);
  },
};

/** In the transaction that closes the record: either both are true, or neither. */
async function oweMail(db: Db, { callUuid, exchangeId, pages, pdfKey, email }: OpenFaxRecord): Promise<void> {
  if (email === null || pdfKey === null || pages === 0) return;
  const payload: MailedFax = { exchangeId, callUuid, to: email };
  await enqueue(db, { kind: MAIL_FAX, payload, uniqueKey: callUuid, maxAttempts: 30, share: mailShare(exchangeId) });
}

export function outcomeOf(
  result: FaxResult,
  { kept, totalPages }: { kept: Pick<KeptFax, "objectKey" | "pdfKey"> | undefined; totalPages: number },
): FaxOutcome {
  const { pages, rate, ecm, t38, ok, code, text } = result;
  return {
    pages,
    totalPages,
    rate,
    ecm,
    t38,
    success: ok,
    code,
    text,
    ...keysOf(kept),
    remoteStationId: result.remoteStationId ?? "",
  };
}

function keysOf(kept: Pick<KeptFax, "objectKey" | "pdfKey"> | undefined) {
  return { objectKey: kept?.objectKey ?? null, pdfKey: kept?.pdfKey ?? null };
}

const cutOff = {
  rate: 0,
  ecm: null,
  t38: null,
  remoteStationId: "",
  success: false,
  code: -100,
  text: "the exchange stopped while the fax was under way",
};
