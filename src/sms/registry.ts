// The national consent registry behind one small port. The local one judges by the published rules and needs nobody.

import { type Consent, type ConsentStatus, type Judged, judgeConsent } from "./consent.ts";

/** What one recipient already told this brand, by the local ledger. */
export type Submitted = { consent: Consent; known: ConsentStatus | undefined };

export type ConsentRegistry = {
  /** One judgement for each consent, in their order. Throws when the registry cannot be reached: it is asked again. */
  submit(brand: { iysCode: number | null; brandCode: number }, consents: readonly Submitted[]): Promise<Judged[]>;
};

export const localRegistry: ConsentRegistry = {
  submit: async (_brand, consents) => consents.map(({ consent, known }) => judgeConsent(consent, known)),
};
