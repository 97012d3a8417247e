// Secrets for tests: one key that every test file knows, so that what one part seals another one opens.

import { join } from "node:path";
import { silentLog } from "../../src/log.ts";
import { readRing } from "../../src/secrets/key-file.ts";
import type { Ring } from "../../src/secrets/ring.ts";
import { openSecrets, type Secrets } from "../../src/secrets/secrets.ts";

const ring: Ring = {
  current: "0123abcd",
  keys: [{ id: "0123abcd", madeAt: "2026-01-01T00:00:00.000Z", bytes: Buffer.alloc(32, 7) }],
};

export const secrets = openSecrets({ read: () => ring, log: silentLog });

/** Those of a server that has started in this data folder. */
export function secretsIn(dataFolder: string): Secrets {
  return openSecrets({ read: () => readRing(join(dataFolder, "secret.keys")), log: silentLog });
}
