// Settings kept in memory for calls: read once an exchange, forgotten the moment the database says they changed.

import { CALL_LISTS_CHANNEL, type CallSettings, readCallSettings } from "../../store/call-settings.ts";
import type { Database } from "../../store/db.ts";
import { DIRECTORY_CHANNEL } from "../../store/sip-accounts.ts";

export type SettingsBook = {
  /** Undefined when there is no such exchange (any more). */
  of(exchangeId: number): Promise<CallSettings | undefined>;
  /** Undefined as the exchange: anything may have changed. */
  onChange?(listen: (exchangeId: number | undefined) => void): () => void;
  close(): Promise<void>;
};

export async function openSettings(db: Database): Promise<SettingsBook> {
  const known = new Map<number, Promise<CallSettings | undefined>>();
  /** What was read last, for a time in which nothing can be read. */
  const last = new Map<number, CallSettings>();
  const listeners = new Set<(exchangeId: number | undefined) => void>();
  const forget = (changed: string) => {
    // Nothing said: we had lost the line, and anything may have changed.
    if (changed === "") known.clear();
    else known.delete(Number(changed));
    for (const listen of listeners) listen(changed === "" ? undefined : Number(changed));
  };
  const read = async (exchangeId: number) => {
    const book = await readCallSettings(db, exchangeId);
    if (book) last.set(exchangeId, book);
    else last.delete(exchangeId);
    return book;
  };
  const stops = await Promise.all([DIRECTORY_CHANNEL, CALL_LISTS_CHANNEL].map((channel) => db.listen(channel, forget)));
  return {
    of(exchangeId) {
      const found = known.get(exchangeId) ?? read(exchangeId);
      known.set(exchangeId, found);
      return found.catch((error: unknown) => {
        // A database that did not answer is asked again next time.
        if (known.get(exchangeId) === found) known.delete(exchangeId);
        const before = last.get(exchangeId);
        if (before) return before;
        throw error;
      });
    },
    onChange(listen) {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
    async close() {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}
