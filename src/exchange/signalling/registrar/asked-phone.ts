// Whoever is asked for a password, as far as he says who and where he is.

export type AskedPhone = {
  readonly exchangeId: number | undefined;
  /** Who it says it is: of the To of a REGISTER, else of the From. */
  readonly user: string;
  readonly userAgent: string | undefined;
  readonly sourceAddress: string;
  /** Of the extension whose password it shows, whoever it says it is. */
  readonly extensionId?: number | undefined;
  /** What it calls itself for ever (+sip.instance). */
  readonly instance?: string | undefined;
  /** It calls for help, and may do so by whatever it knows. */
  readonly isForHelp?: boolean;
  /** Its exchange takes SHA-256 alone, whatever else it allows. */
  readonly strongOnly?: boolean;
  /** A web phone, which knows MD5 alone: what it logs in with is random, and gone in minutes. */
  readonly isWeb?: boolean;
};
