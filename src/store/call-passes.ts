// What a call's record says of the queues and ring groups that it came to: the last one stands in the record itself, those before
// it stand beside it in `call_passes`. docs/reports.md says what people are told.

/** What became of a call at the last one, where the rest of its record does not say it. */
export type QueueEnd = "abandoned" | "passed-on";

/** What brought it to an extension that talked in it, and how long its caller had waited there; null: none had yet. */
export type Brought = { extension: string; queue: string | null; waitSeconds: number };

/** One that it came to before; where no person took it there it was passed on. */
export type CallPass = { queue: string; waitSeconds: number; answered: boolean; talkSeconds: number };
