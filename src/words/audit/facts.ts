// The audit trail as facts: who did what. What an operation of the console did is told by the operation's name; what is
// here has fields of its own, all of them texts.

export const fields = {
  "agent.moved": ["extension", "from", "to"],
  "call.supervised": ["extension", "mode", "call"],
  "call.notSupervised": ["extension", "mode"],
  "spending.limitReached": ["limit", "month"],
  "exchange.demoMade": [],
  command: ["command"],
} as const;

export type Told = keyof typeof fields;
export type FieldsOf<Kind extends Told> = Record<(typeof fields)[Kind][number], string>;
export type ToldWords = { [Kind in Told]: (fields: FieldsOf<Kind>) => string };

/** Whose doing it was: `who` is an e-mail address, the number of an extension, a user of the machine, or empty. */
export type Doer = {
  doer: "staff" | "extension" | "web phone" | "command line" | "queue" | "exchange" | "start";
  who: string;
};
export type DoerWords = Record<Doer["doer"], (who: string) => string>;
