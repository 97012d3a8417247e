// Rotation: a new key becomes current, every secret is sealed under it, and the old keys leave the ring once nothing needs
// them. Each step leaves a ring that opens everything, so that whoever is killed in between just begins again.

import { type Clock, within } from "../clock.ts";
import { silentLog } from "../log.ts";
import { changeRing, makeRing, readRing } from "../secrets/key-file.ts";
import { newKey, type Ring } from "../secrets/ring.ts";
import { openSecrets } from "../secrets/secrets.ts";
import type { Database } from "../store/db.ts";
import { holdLock, type Lock } from "../store/lock.ts";
import { countSecrets, ROTATION_LOCK, resealAll, sealPlain, untilWritten } from "../store/sealing.ts";

export type RotationNeeds = {
  db: Database;
  file: string;
  clock: Clock;
  /** Begin a new ring where there is no file: what the old one sealed stays locked. */
  lost?: boolean;
};

export type Rotated = {
  keyId: string;
  resealed: number;
  removed: string[];
  /** Still in use by secrets that could not be opened with them. */
  kept: string[];
};

export type RotationRefusal = { refused: "busy" } | { refused: "no-ring"; why: string };

const PATIENCE_MS = 3_000;

export async function rotateKeys(needs: RotationNeeds): Promise<Rotated | RotationRefusal> {
  const lock = await holdKeys(needs);
  if (!lock) return { refused: "busy" };
  try {
    return await rotate(needs);
  } finally {
    await lock.release();
  }
}

async function rotate({ db, file, clock, lost = false }: RotationNeeds): Promise<Rotated | RotationRefusal> {
  const before = readRing(file);
  if ("missing" in before && !(lost && before.missing === "no-file")) return { refused: "no-ring", why: before.why };
  const isNew = "missing" in before && (await makeRing(file, clock.wall()));
  const ring = await changeRing(file, (ring) => (isNew ? ring : withNewKey(ring, clock.wall())));
  // Whoever asked for the current key before it changed has written, or will not.
  await untilWritten(db);
  const secrets = openSecrets({ read: () => readRing(file), log: silentLog });
  await sealPlain(db, secrets);
  const resealed = await resealAll(db, secrets, ring.current);
  const inUse = new Set((await countSecrets(db)).map(({ keyId }) => keyId));
  const isNeeded = (id: string) => id === ring.current || inUse.has(id);
  const ids = ring.keys.map(({ id }) => id);
  const removed = ids.filter((id) => !isNeeded(id));
  if (removed.length > 0)
    await changeRing(file, (ring) => ({ ...ring, keys: ring.keys.filter(({ id }) => !removed.includes(id)) }));
  return {
    keyId: ring.current,
    removed,
    kept: ids.filter((id) => id !== ring.current && isNeeded(id)),
    resealed: Object.values(resealed).reduce((sum, count) => sum + count, 0),
  };
}

function withNewKey({ keys }: Ring, nowMs: number): Ring {
  const key = newKey(nowMs);
  return { current: key.id, keys: [key, ...keys] };
}

/** One rotation at a time, and none while a backup reads. */
async function holdKeys({ db, clock }: RotationNeeds): Promise<Lock | undefined> {
  const lastChance = within(clock, PATIENCE_MS);
  return holdLock(db, clock, { key: ROTATION_LOCK, isWanted: () => clock.ticks() < lastChance });
}
