// The audit trail as facts: who did what. Words are made where somebody reads them.

/** Whose doing it was: `who` is an e-mail address, the number of an extension, a user of the machine, or empty. */
export type Doer = {
  doer: "staff" | "extension" | "web phone" | "command line" | "queue" | "exchange" | "start";
  who: string;
};

/** What stands for a secret. */
export const HIDDEN = "(hidden)";

export type Details = Readonly<Record<string, unknown>>;

/** What is told with fields of its own, all of them texts. */
export const toldFields = {
  "agent-moved": ["extension", "from", "to"],
  "call-supervised": ["extension", "mode", "call"],
  "supervision-refused": ["extension", "mode"],
  "phone-settings-fetched": ["extension", "address"],
  "office-switched": ["to"],
  "recording-heard": ["call"],
  "message-heard": ["call"],
  "fax-fetched": ["fax", "format"],
  "table-exported": ["table", "format"],
  "spending-limit-reached": ["limit", "month"],
  "spending-alarm": ["cause", "extension", "value", "threshold"],
  "premium-calls-kept": [],
  "emergency-call": ["number", "caller", "call"],
  "sms-credits-low": ["account", "credits"],
  "archive-failing": ["place", "why"],
  "archive-works": ["place"],
  "contact-removal-held": ["source", "contacts"],
  "signed-in": ["door", "address"],
  "signed-in-again": ["door", "address"],
  "sign-in-failed": ["door", "why", "address"],
  "signed-out": ["address"],
  "demo-made": [],
  command: ["command"],
} as const;

export type Told = keyof typeof toldFields;
export type FieldsOf<Kind extends Told> = Record<(typeof toldFields)[Kind][number], string>;

/** An operation of the console is told by its name and what it was asked with. A line may hold more than its fields. */
export type AuditFact =
  | { did: `${string}.${string}`; details: Details }
  | { [Kind in Told]: { did: Kind; details: FieldsOf<Kind> & Details } }[Told];
