// What may be wrong with a trunk, as a word of ours; what a carrier says itself stays as it said it.

import { NO_DOOR, type Outcome } from "../../../sip/client.ts";
import type { TrunkSetup } from "../../../store/trunk-state.ts";

export type Trouble =
  | "timeout"
  | "unreachable"
  | "refused"
  | "no-address"
  | "no-door"
  | "certificate"
  | "certificate-expired"
  | "certificate-name"
  | "certificate-untrusted"
  | "certificate-file"
  | "password-lost";

/** By the codes of the system and of OpenSSL. */
const byCode: Partial<Record<string, Trouble>> = {
  [NO_DOOR]: "no-door",
  "no-address": "no-address",
  ECONNREFUSED: "refused",
  CERT_HAS_EXPIRED: "certificate-expired",
  CERT_NOT_YET_VALID: "certificate-expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate-name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "certificate-untrusted",
  SELF_SIGNED_CERT_IN_CHAIN: "certificate-untrusted",
  UNABLE_TO_GET_ISSUER_CERT: "certificate-untrusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "certificate-untrusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate-untrusted",
  CERT_UNTRUSTED: "certificate-untrusted",
  CERT_REVOKED: "certificate",
  CERT_SIGNATURE_FAILURE: "certificate",
};

/** What it said, or why it said nothing. */
export function answerIn(outcome: Outcome): string {
  if ("response" in outcome) return `${outcome.response.status} ${outcome.response.reason}`.slice(0, 100);
  return troubleOf(outcome.why) ?? outcome.is;
}

/** Undefined for a code that says nothing to anybody. */
export function troubleOf(code: string | undefined): Trouble | undefined {
  return byCode[code ?? ""];
}

/** What keeps a trunk out of use until somebody sets it right. */
export function standingTrouble(
  { passwordLost, tlsCa }: Pick<TrunkSetup, "passwordLost" | "tlsCa">,
  authorities: string | undefined,
): Trouble | undefined {
  if (passwordLost) return "password-lost";
  return tlsCa !== null && authorities === undefined ? "certificate-file" : undefined;
}
