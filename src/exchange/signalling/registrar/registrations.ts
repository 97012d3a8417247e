// The book of phones: every binding in memory, what calls look up, the clock sweeps and the keeper writes down.

import { type Clock, earliest, LONG_AGO, later, latest, NEVER, within } from "../../../clock.ts";
import type { Db } from "../../../store/db.ts";
import { liveRegistrations, removeExpiredRegistrations } from "../../../store/registrations.ts";
import { type Binding, fromStored } from "./binding.ts";
import type { Directory } from "./directory.ts";
import { GRACE_MS, type Keeper } from "./keeper.ts";

/** A phone was added, went away or moved. A mere refresh is no news. */
export type RegistrationChange = { exchangeId: number; extension: string; registered: boolean; contacts: number };

export type Registrations = {
  of(extensionId: number): readonly Binding[];
  set(extensionId: number, bindings: Binding[]): void;
  /** They can no longer be called. */
  forget(bindings: readonly Binding[]): void;
  /** Says to whoever listens that this extension's phones are others now. */
  tell(extensionId: number): void;
  onChange(listen: (change: RegistrationChange) => void): () => void;
  /** Says that a phone of this extension has just registered, perhaps not for the first time. */
  registered(extensionId: number): void;
  onRegister(listen: (extensionId: number) => void): () => void;
  all(): Iterable<Binding>;
  counts(): { extensions: number; contacts: number };
  /** Of exchanges that live here from now on: where their phones registered elsewhere. */
  load(exchangeIds: readonly number[]): Promise<void>;
  close(): void;
};

export type RegistrationsParts = { db: Db; clock: Clock; directory: Directory; keeper: Keeper };

const NONE: readonly Binding[] = [];
const SWEEP_MS = 1_000;

/**
 * A phone that wanted to register while nobody had its exchange comes again after up to a minute, whatever it was told.
 * Until then it is tried where it was.
 */
const TRIED_MS = 90_000;

/**
 * Whoever has an exchange removes what expires, so that a row that has expired is of a phone that nobody could hear. After
 * so long it may be somebody else's address.
 */
const LONGEST_ABSENCE_MS = 600_000;

export async function openRegistrations({ db, clock, directory, keeper }: RegistrationsParts): Promise<Registrations> {
  const byExtension = await recall(db, clock);
  const listeners = new Set<(change: RegistrationChange) => void>();
  const registerListeners = new Set<(extensionId: number) => void>();
  let cancelSweep = clock.after(SWEEP_MS, sweep);
  /** No binding ends before this. */
  let quietUntil = LONG_AGO;
  directory.onWithdrawn(({ extensionId }) => forget(of(extensionId)));
  return { of, set, forget, tell, onChange, registered, onRegister, all, counts, load, close: () => cancelSweep() };

  function of(extensionId: number): readonly Binding[] {
    return byExtension.get(extensionId) ?? NONE;
  }

  function set(extensionId: number, bindings: Binding[]): void {
    if (bindings.length > 0) byExtension.set(extensionId, bindings);
    else byExtension.delete(extensionId);
    for (const { expires } of bindings) quietUntil = earliest(quietUntil, expires);
  }

  function sweep(): void {
    cancelSweep = clock.after(SWEEP_MS, sweep);
    const now = clock.ticks();
    if (now < quietUntil) return;
    const expired: Binding[] = [];
    quietUntil = NEVER;
    for (const bindings of byExtension.values())
      for (const binding of bindings) {
        if (binding.expires <= now) expired.push(binding);
        else quietUntil = earliest(quietUntil, binding.expires);
      }
    forget(expired);
  }

  function forget(removed: readonly Binding[]): void {
    if (removed.length === 0) return;
    keeper.keep({ saved: [], removed }, () => undefined);
    const gone = new Set(removed);
    for (const extensionId of new Set(removed.map((binding) => binding.extensionId))) {
      set(
        extensionId,
        of(extensionId).filter((binding) => !gone.has(binding)),
      );
      tell(extensionId);
    }
  }

  function tell(extensionId: number): void {
    const extension = directory.extensionById(extensionId);
    if (!extension) return;
    const { exchangeId, number } = extension;
    const contacts = of(extensionId).length;
    for (const listen of listeners) listen({ exchangeId, extension: number, registered: contacts > 0, contacts });
  }

  function onChange(listen: (change: RegistrationChange) => void): () => void {
    listeners.add(listen);
    return () => void listeners.delete(listen);
  }

  function registered(extensionId: number): void {
    for (const listen of registerListeners) listen(extensionId);
  }

  function onRegister(listen: (extensionId: number) => void): () => void {
    registerListeners.add(listen);
    return () => void registerListeners.delete(listen);
  }

  async function load(exchangeIds: readonly number[]): Promise<void> {
    for (const [extensionId, bindings] of await recall(db, clock)) {
      if (!exchangeIds.includes(bindings[0]!.exchangeId) || byExtension.has(extensionId)) continue; // it has at least one
      set(extensionId, bindings);
      tell(extensionId);
    }
  }

  function* all(): Iterable<Binding> {
    for (const bindings of byExtension.values()) yield* bindings;
  }

  function counts() {
    let contacts = 0;
    for (const bindings of byExtension.values()) contacts += bindings.length;
    return { extensions: byExtension.size, contacts };
  }
}

async function recall(db: Db, clock: Clock): Promise<Map<number, Binding[]>> {
  const byExtension = new Map<number, Binding[]>();
  const sinceMs = clock.wall() - LONGEST_ABSENCE_MS;
  await removeExpiredRegistrations(db, sinceMs);
  for (const row of await liveRegistrations(db, sinceMs)) {
    const binding = fromStored(row, clock);
    if (!binding) continue;
    // What was prolonged in the moments before a crash may not have been written: it gets those moments back.
    const expires = latest(later(binding.expires, GRACE_MS), within(clock, TRIED_MS));
    const graced = { ...binding, expires };
    const others = byExtension.get(row.extensionId);
    if (others) others.push(graced);
    else byExtension.set(row.extensionId, [graced]);
  }
  return byExtension;
}
