// How long it is asked whether somebody is there.

import type { Patience } from "./client.ts";

/** Four datagrams are under way by then. */
const LIFE_MS = 5_000;

/** For an OPTIONS that only asks for a sign of life: whoever is there answers at once, and nobody waits for the rest. */
export const SIGN_OF_LIFE_PATIENCE: Patience = { silentMs: LIFE_MS, lastSilentMs: LIFE_MS };
