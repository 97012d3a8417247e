// Why somebody does not come in by the provider, as a value.

import type { NotAdmitted } from "../store/sso-accounts.ts";

export type SsoTrouble =
  | NotAdmitted
  /** This exchange has no such door. */
  | "off"
  /** It does not answer. */
  | "away"
  /** Its address is not one that is called. */
  | "not-public"
  /** What it says of itself cannot be used. */
  | "bad-provider"
  /** It does not know us, or not by this secret. */
  | "bad-client"
  /** Whoever was asked said no. */
  | "denied"
  /** Nobody here was sent there, or too long ago, or in another browser. */
  | "expired"
  /** Its answer is not for us, not from it, or not for this sign-in. */
  | "untrusted"
  /** An e-mail address of a domain that is not let in. */
  | "other-domain"
  /** The secret that is stored cannot be opened. */
  | "secret-unreadable";

export class SsoFailed extends Error {
  readonly trouble: SsoTrouble;

  /** `detail` is for logs. */
  constructor(trouble: SsoTrouble, detail = "") {
    super(detail || trouble);
    this.trouble = trouble;
  }
}
