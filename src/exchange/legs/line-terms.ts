// What is agreed on beforehand with whoever is at the other end of a leg: by an extension's settings, or a trunk's.

import type { Latching } from "../../media/engine.ts";
import type { KeyForm, SrtpUse } from "../../nouns/choices.ts";
import type { OfferForm, Preference } from "../../sdp/agreed.ts";
import type { Header } from "../../sip/message/message.ts";
import type { Met } from "../calls/leg.ts";

export type LineTerms = {
  /** Default: encrypted when the other side offers it. */
  srtp?: SrtpUse | undefined;
  /** In which form keys are sent to it. Default: by itself. */
  keys?: KeyForm | undefined;
  /** Keys are listened for as tones, too, whatever was agreed on. */
  hearsInband?: boolean | undefined;
  /** Whose packets are taken for its voice. Default: near where it says that it is. */
  latching?: Latching | undefined;
  /** How a carrier that wants to know is told who of ours is on the line. */
  connected?: ((party: NonNullable<Met["outside"]>) => { address: string; headers: Header[] } | undefined) | undefined;
};

/** What an offer of theirs may be. */
export const takenSecurity: Record<SrtpUse, NonNullable<Preference["srtp"]>> = {
  off: "never",
  answered: "allow",
  allowed: "allow",
  required: "require",
};

/**
 * How our offer is written: when one is refused as unacceptable the next is tried. A phone that insists on encryption says so by
 * refusing a plain offer; a carrier is asked for it only where the trunk says so.
 */
export function offerForms({ srtp = "answered" }: LineTerms, isPhone: boolean): readonly OfferForm[] {
  if (srtp === "off") return ["plain"];
  if (srtp === "required") return ["secure", "dtls"];
  if (srtp === "allowed") return ["opportunistic", "secure", "dtls", "plain"];
  return isPhone ? ["plain", "secure", "dtls"] : ["plain"];
}
