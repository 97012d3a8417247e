// What the database says by NOTIFY: every channel over one connection, which is made anew when it breaks.

import pg from "pg";
import { type Clock, pause } from "../clock.ts";
import { openLine } from "./pool.ts";

/** A promise that it returns is waited for by whoever must know that the news has sunk in. */
export type HearNotice = (payload: string) => unknown;

const RECONNECT_MS = 500;
/** A line on which nothing comes may be cut off without a word: so often something is said on it. */
const ASK_ALIVE_MS = 5_000;
/** Who waits for news to sink in does not wait for a database that is away: after that everything is read again. */
const LONGEST_WAIT_MS = 5_000;
/** A server that hangs does not say goodbye. */
const GOODBYE_MS = 1_000;

export class Notices {
  readonly #connection: string;
  readonly #clock: Clock;
  readonly #channels = new Map<string, Set<HearNotice>>();
  readonly #sinkingIn = new Set<Promise<unknown>>();
  /** Undefined in the end when everybody has stopped listening meanwhile. */
  #line: Promise<pg.Client | undefined> | undefined;
  /** Statements go over the line one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  /** Asked for and not begun yet: whoever comes before it begins may share it. */
  #nextHeard: Promise<void> | undefined;

  constructor(connection: string, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  /** The promise is kept once the channel is open. */
  async listen(channel: string, hear: HearNotice): Promise<() => Promise<void>> {
    const hearers = this.#channels.get(channel) ?? new Set();
    this.#channels.set(channel, hearers.add(hear));
    try {
      this.#line ??= this.#connect();
      await this.#say(listenTo(channel));
    } catch (error) {
      await this.#stop(channel, hear);
      throw error;
    }
    return () => this.#stop(channel, hear);
  }

  /**
   * Kept once all that was committed before has been heard, and has sunk in. A backend hands over what it was told
   * before it says that a statement is done, so any statement does.
   */
  heard(): Promise<void> {
    if (this.#nextHeard) return this.#nextHeard;
    const heard = this.#turn.then(async () => {
      if (this.#nextHeard === shared) this.#nextHeard = undefined;
      await this.#say("select 1").catch(() => undefined); // a line that breaks is made anew, and everything read again
      await Promise.allSettled(this.#sinkingIn);
    });
    // Who comes when the wait is over already, behind a line that hangs, waits anew.
    const shared = this.#atMost(LONGEST_WAIT_MS, heard).finally(() => {
      if (this.#nextHeard === shared) this.#nextHeard = undefined;
    });
    this.#nextHeard = shared;
    return shared;
  }

  /** As after a line that was cut: anything may be different now. Kept once that has sunk in. */
  async reread(): Promise<void> {
    for (const channel of this.#channels.keys()) this.#tell(channel, "");
    await Promise.allSettled(this.#sinkingIn);
  }

  #say(statement: string): Promise<unknown> {
    return this.#inTurn(async () => (await this.#line)?.query(statement));
  }

  #inTurn(work: () => Promise<unknown>): Promise<unknown> {
    const said = this.#turn.then(work);
    this.#turn = said.catch(() => undefined);
    return said;
  }

  async #stop(channel: string, hear: HearNotice): Promise<void> {
    const hearers = this.#channels.get(channel);
    hearers?.delete(hear);
    if (hearers?.size === 0) this.#channels.delete(channel);
    if (this.#channels.size > 0) return;
    const line = this.#line;
    this.#line = undefined;
    const client = await line?.catch(() => undefined);
    if (client) await this.#atMost(GOODBYE_MS, client.end());
  }

  async #atMost(ms: number, work: Promise<unknown>): Promise<void> {
    let cancel: () => void = () => undefined;
    const enough = new Promise<void>((resolve) => {
      cancel = this.#clock.after(ms, resolve);
    });
    await Promise.race([work, enough]).finally(() => cancel());
  }

  async #connect(): Promise<pg.Client> {
    const { client, isOfUse } = openLine(this.#connection);
    client.on("notification", ({ channel, payload }) => this.#tell(channel, payload ?? ""));
    client.on("error", () => undefined); // "end" follows
    try {
      await client.connect();
      for (const channel of this.#channels.keys()) await client.query(listenTo(channel));
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    const stopAsking = this.#askAlive(client, isOfUse);
    client.on("end", () => {
      stopAsking();
      if (this.#line) this.#line = this.#reconnect();
    });
    return client;
  }

  /** Cut when nobody answers in time, or from a server that has become the wrong one: "end" follows. */
  #askAlive(client: pg.Client, isOfUse: () => Promise<void>): () => void {
    let isOver = false;
    let cancel: () => void = () => undefined;
    const again = () => {
      if (isOver) return;
      cancel = this.#clock.after(ASK_ALIVE_MS, () => void this.#inTurn(isOfUse).then(again, () => client.end()));
    };
    again();
    return () => {
      isOver = true;
      cancel();
    };
  }

  async #reconnect(): Promise<pg.Client | undefined> {
    while (this.#channels.size > 0) {
      try {
        const client = await this.#connect();
        // Something may have been said while nobody listened.
        for (const channel of this.#channels.keys()) this.#tell(channel, "");
        return client;
      } catch {
        await pause(this.#clock, RECONNECT_MS);
      }
    }
    return undefined;
  }

  #tell(channel: string, payload: string): void {
    for (const hear of this.#channels.get(channel) ?? []) {
      const done = hear(payload);
      if (!(done instanceof Promise)) continue;
      this.#sinkingIn.add(done);
      void done.catch(() => undefined).finally(() => this.#sinkingIn.delete(done));
    }
  }
}

function listenTo(channel: string): string {
  return `listen ${pg.escapeIdentifier(channel)}`;
}
