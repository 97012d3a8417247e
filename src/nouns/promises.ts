// How soon a call may be promised to be answered. Sums of calls tell these waits apart, in this order: one more needs a
// migration that counts it.

export const PROMISES = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300] as const;

/** Where nothing else is set, and for whatever is no queue. */
export const USUAL_PROMISE = 20;

export const promiseChoices = Object.fromEntries(
  PROMISES.map((seconds) => [String(seconds), { tr: `${seconds} sn`, en: `${seconds} s` }]),
) as Record<`${(typeof PROMISES)[number]}`, { tr: string; en: string }>; // of that list
