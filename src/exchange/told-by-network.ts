// What the network says of a call beside who calls whom.

import type { StoryFact } from "./calls/story.ts";
import type { FromTrunk } from "./signalling/trunks/from-trunk.ts";

export function toldByNetwork({ sentOnBy = [], attestation, refused = false }: FromTrunk): StoryFact[] {
  const sentOn = sentOnBy.map(({ number, reason }): StoryFact => ({ is: "sent-on-by", number, reason }));
  if (!attestation) return sentOn;
  if (attestation.is === "verified") return [...sentOn, { is: "attested", level: attestation.level }];
  return [...sentOn, { is: "not-attested", why: attestation.why, refused }];
}
