// On whose word a leg's voice goes where its SDP says: its trunk's, or that of whoever signals from an address.

import { asWritten, holderOf } from "../../addresses.ts";
import type { VoiceSource } from "../../media/engine.ts";
import type { LegOf } from "./standing.ts";

export type WhoseVoice = {
  /** `signalling`: where its SIP comes from now. */
  source(signalling: string): VoiceSource;
  /** That address is known to be its own, though its SIP comes from elsewhere: a carrier has several. */
  vouches(address: string): boolean;
};

/** Whether that trunk has the address, for SIP or for voice. */
export type VoiceOfTrunk = (exchangeId: number, trunk: string, address: string) => boolean;

/** Undefined where voice may go wherever SDP says. */
export function whoseVoice(of: LegOf | undefined, voiceOfTrunk: VoiceOfTrunk | undefined): WhoseVoice | undefined {
  // The network in the box is this very process.
  if (!voiceOfTrunk || of?.trunk === null) return undefined;
  const exchange = of?.exchangeId ?? 0;
  if (of?.trunk === undefined)
    return { source: (signalling) => ({ is: "address", name: holderOf(signalling), exchange }), vouches: () => false };
  const { exchangeId, trunk } = of;
  return {
    source: () => ({ is: "trunk", name: `${exchangeId} ${trunk}`, exchange }),
    vouches: (address) => voiceOfTrunk(exchangeId, trunk, asWritten(address)),
  };
}
