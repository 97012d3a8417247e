// Makes fields of each kind: the words first, then what else there is to say.

import type { Field, Kind, Words } from "./field.ts";

type Common = Omit<Field, keyof Kind | "label">;
type Own<Is extends Kind["is"]> = Omit<Extract<Kind, { is: Is }>, "is">;

function kind<const Is extends Kind["is"]>(is: Is) {
  return <const More extends Own<Is> & Common>(label: Words, more: More) => ({ is, label, ...more });
}

/** Nothing has to be said of it. */
function plain<const Is extends Kind["is"]>(is: Is) {
  return <const More extends Own<Is> & Common>(label: Words, more: More = {} as More) => ({ is, label, ...more });
}

export const text = plain("text");
export const area = kind("area");
export const secret = plain("secret");
export const digits = kind("digits");
export const email = plain("email");
export const host = plain("host");
export const url = plain("url");
export const link = plain("link");
export const timeZone = plain("time-zone");
export const money = plain("money");
export const whole = kind("whole");
export const yesOrNo = kind("switch");
export const choice = kind("choice");
export const several = kind("several");
export const target = kind("target");
export const keys = kind("keys");
export const sound = kind("sound");
export const ownNumber = kind("own-number");
export const outsideNumber = kind("outside-number");
export const trunk = kind("trunk");
export const extension = kind("extension");
export const form = kind("form");
export const time = kind("time");
export const day = plain("day");
export const days = kind("days");
export const week = plain("week");
export const addresses = kind("addresses");
export const origins = kind("origins");
export const words = kind("words");
export const shortNumbers = kind("short-numbers");
export const queues = kind("queues");
export const emails = kind("emails");
