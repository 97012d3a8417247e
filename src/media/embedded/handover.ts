// Between two processes of one data folder: what the earlier one left, and what this one keeps for the next.

import type { OpenedBefore, StreamId } from "../engine.ts";
import { type Certificate, makeCertificate } from "./certificate.ts";
import { forgetCertificate, keptCertificate } from "./kept-certificate.ts";
import { Ledger } from "./ledger.ts";
import { type LeftBehind, nothingLeft, readLeftBehind } from "./left-behind.ts";
import { type MediaReach, placeFor } from "./media-reach.ts";

export type HandoverOptions = {
  /** Without it streams end with their process. */
  folder: string | undefined;
  addresses: readonly string[];
  /** All that streams may be bound to, by name. */
  places: readonly string[];
  reach?: MediaReach | undefined;
  /** Streams whose ports phones were told that ring. */
  opened?: readonly OpenedBefore[] | undefined;
  log: { warn(details: object, message: string): void };
};

export class Handover {
  readonly left: LeftBehind;
  readonly ledger: Ledger | undefined;
  /** Opened by the earlier process, and nothing more. */
  readonly opened: Map<StreamId, OpenedBefore & { at: number }>;
  readonly #options: HandoverOptions;

  constructor(options: HandoverOptions) {
    const { folder, log } = options;
    this.#options = options;
    this.left = folder === undefined ? nothingLeft : readLeftBehind({ folder, addresses: options.places, log });
    this.ledger = folder === undefined ? undefined : new Ledger({ folder, log });
    const { opened = [], addresses, reach } = options;
    const unknown = opened.filter(({ stream }) => !this.left.streams.has(stream));
    this.opened = new Map(unknown.map((it) => [it.stream, { ...it, at: placeFor(it.peerHint, addresses, reach) }]));
  }

  /** Phones that were told the last one's fingerprint are still there, or nobody is. */
  certificate(): Certificate {
    const { folder } = this.#options;
    return folder === undefined
      ? makeCertificate()
      : keptCertificate(folder, { isOver: this.left.streams.size + this.opened.size === 0 });
  }

  /** Where it was, and as the other side was told. */
  placeOf(stream: StreamId): { address: string; port: number } | undefined {
    const opened = this.opened.get(stream);
    if (opened) return { address: opened.address, port: opened.port };
    const facts = this.left.streams.get(stream)?.kept.facts;
    return facts && { address: facts.told, port: facts.port };
  }

  refuse(stream: StreamId, why: string): void {
    this.#options.log.warn({ stream, why }, "a stream that was left behind cannot be gone on with");
  }

  /** Whoever was gone on with is in our own ledger before the old one goes. */
  async forget(): Promise<void> {
    await this.ledger?.written();
    this.left.forget();
  }

  async close({ handOver }: { handOver: boolean }): Promise<void> {
    const { folder } = this.#options;
    await this.ledger?.close({ keep: handOver });
    // As long as an earlier ledger is there, somebody may go on with it.
    if (folder !== undefined && !handOver && !this.left.isThere()) forgetCertificate(folder);
  }
}
