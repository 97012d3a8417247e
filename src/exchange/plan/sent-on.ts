// Who has sent a call on before it came to whoever is rung now.

import type { Diversion } from "../../sip/headers/diversion.ts";

/** An extension, or a number outside in the stored form; "" where it is withheld. */
export type SentOnBy = Pick<Diversion, "reason" | "hidden"> & { number: string; name: string };
