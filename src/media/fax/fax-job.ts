// One fax inside the fax process: its pages, its machine, and the line it hangs on, first sound and then perhaps data.

import { randomUUID } from "node:crypto";
import type { Socket } from "node:dgram";
import { unlink } from "node:fs/promises";
import { join } from "node:path";
import type { AgreedImage } from "../../sdp/image.ts";
import { DataLink } from "./data-link.ts";
import { type FaxOptions, type FaxResult, failedFax, faxFailures } from "./fax-engine.ts";
import type { FaxProcessSettings, FromFax, SoundSide } from "./messages.ts";
import { type Prepared, preparePages } from "./page-header.ts";
import { FRAME, openSoundLink, type SoundLink } from "./sound-link.ts";
import type { Spandsp } from "./spandsp.ts";
import { type FaxWork, openDataMachine, openSoundMachine, type T30End, type T30Hears } from "./t30.ts";

export type FaxJobParts = {
  library: Spandsp;
  settings: FaxProcessSettings;
  tell(message: FromFax): void;
};

type Running = { tick(late: number): void; terminate(): void; close(): void };

/**
 * Data waits in the socket while the machine sleeps, and is not late because of it: if all that time passed at once, the
 * machine would wait in vain for what has long come.
 */
const MOST_LATE_FOR_DATA = 10;

export class FaxJob {
  readonly #parts: FaxJobParts;
  readonly #session: number;
  readonly #options: FaxOptions;
  readonly #prepared: Promise<Prepared>;
  readonly #headed: string;
  #running: Running | undefined;
  #dataLine: DataLink | undefined;
  /** Of the document, once it is known. */
  #pages = 0;
  #isData = false;
  #isDone = false;
  #isClosed = false;

  constructor(parts: FaxJobParts, session: number, options: FaxOptions) {
    this.#parts = parts;
    this.#session = session;
    this.#options = options;
    this.#headed = join(parts.settings.folder, `fax-${randomUUID()}.tif`);
    this.#prepared = this.#prepare();
  }

  async openAudio(side: SoundSide, socket: Socket): Promise<void> {
    const work = await this.#work();
    if (!work || this.#running || this.#isClosed) {
      socket.close();
      return this.#notOpened("audio", "the fax is over");
    }
    const machine = openSoundMachine(this.#parts.library, work, this.#hears(false));
    const heard = (tone: "cng" | "ced") => this.#heard(tone);
    const line = openSoundLink(socket, side, { machine, heard });
    this.#running = running(line, machine);
    return this.#parts.tell({ is: "opened", session: this.#session, what: "audio", port: line.port });
  }

  openT38(socket: Socket): void {
    if (this.#dataLine || this.#isClosed) socket.close();
    if (this.#isClosed) return this.#notOpened("t38", "the fax is over");
    this.#dataLine ??= new DataLink(socket);
    const line = this.#dataLine;
    return this.#parts.tell({ is: "opened", session: this.#session, what: "t38", port: line.port });
  }

  async beginT38(agreed: AgreedImage, alsoFrom: string | undefined): Promise<void> {
    const line = this.#dataLine;
    line?.direct(agreed, alsoFrom);
    const work = await this.#work();
    if (!line || !work || this.#isData || this.#isDone) return;
    this.#isData = true;
    this.#running?.close();
    const send = (ifp: Uint8Array, times: number) => line.send(ifp, times);
    const withSize = { ...work, maxDatagram: agreed.maxDatagram };
    const machine = openDataMachine(this.#parts.library, withSize, { ...this.#hears(true), send });
    line.connect(machine);
    const tick = (late: number) => late <= MOST_LATE_FOR_DATA && machine.pass(FRAME);
    this.#running = running({ close: () => line.close(), tick }, machine);
  }

  /** One of `late` that are due; 1 is the one for now. */
  tick(late: number): void {
    this.#running?.tick(late);
  }

  terminate(): void {
    this.#running?.terminate();
    this.finish(failedFax("noCall", "The call ended before a fax began"));
  }

  finish(result: FaxResult): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#parts.tell({ is: "done", session: this.#session, result });
  }

  close(): void {
    this.#isClosed = true;
    this.#isDone = true;
    this.#running?.close();
    this.#running = undefined;
    this.#dataLine?.close();
    if (this.#options.header) unlink(this.#headed).catch(() => undefined); // it may never have been written
  }

  async #prepare(): Promise<Prepared> {
    const { role, pages, header } = this.#options;
    if (role === "receive") return { is: "ready", pages: 0, tiff: pages.tiff };
    return preparePages(pages.tiff, header, this.#headed).catch((error: unknown) => ({
      is: "unreadable",
      why: String(error),
    }));
  }

  /** Undefined when there is nothing to send, or nobody wants it any more. */
  async #work(): Promise<FaxWork | undefined> {
    const prepared = await this.#prepared;
    const { fromPage = 1 } = this.#options;
    if (prepared.is === "unreadable") this.finish(failedFax("unreadable", `The pages cannot be read: ${prepared.why}`));
    else if (this.#options.role === "send" && fromPage > prepared.pages)
      this.finish(failedFax("unreadable", `There is no page ${fromPage}`));
    if (prepared.is === "unreadable" || this.#isDone) return undefined;
    this.#pages = prepared.pages;
    return { ...this.#options, tiff: prepared.tiff };
  }

  #hears(isData: boolean): T30Hears {
    // What went on as sound is forgotten once the fax goes as data.
    const isCurrent = () => isData === this.#isData && !this.#isDone;
    return {
      event: (event) => {
        if (isCurrent()) this.#parts.tell({ is: "event", session: this.#session, event });
      },
      end: (end) => {
        if (isCurrent()) this.finish(this.#resultOf(end));
      },
    };
  }

  #resultOf(end: T30End): FaxResult {
    const { role, fromPage = 1 } = this.#options;
    // A file that breaks off is sent as if it were whole, and a caller who hangs up politely has sent nothing.
    const isWhole = role === "send" ? end.pages === this.#pages - fromPage + 1 : end.pages > 0;
    const result = { ...end, ok: end.code === 0 && isWhole, t38: this.#isData };
    if (end.code !== 0 || isWhole) return result;
    return { ...result, code: faxFailures.incomplete, text: "Not all pages went" };
  }

  #heard(tone: "cng" | "ced"): void {
    const expected = this.#options.role === "send" ? "ced" : "cng";
    if (tone === expected && !this.#isDone)
      this.#parts.tell({ is: "event", session: this.#session, event: { is: "heard" } });
  }

  #notOpened(what: "audio" | "t38", why: string): void {
    this.#parts.tell({ is: "notOpened", session: this.#session, what, why });
  }
}

type Line = Pick<SoundLink, "close"> & { tick(late: number): unknown };

function running(line: Line, machine: { terminate(): void; close(): void }): Running {
  return {
    tick: (late) => line.tick(late),
    terminate: () => machine.terminate(),
    close() {
      line.close();
      machine.close();
    },
  };
}
