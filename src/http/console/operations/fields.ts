// Kinds of parameters that many operations of the console share.

import { Type } from "typebox";
import { LANGUAGES } from "../../../languages.ts";

export const text = (longest = 255) => Type.String({ maxLength: longest });
export const name = (longest = 255) => Type.String({ minLength: 1, maxLength: longest });
/** What may have several lines, or is no words of anybody's, such as a file. */
export const lines = (longest: number, least = 0) => Type.String({ minLength: least, maxLength: longest, lines: true });
export const orNothing = (longest = 255) => Type.Union([Type.String({ maxLength: longest }), Type.Null()]);
export const whole = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });
export const id = () => Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const idOrNothing = () => Type.Union([id(), Type.Null()]);
export const uuid = () => Type.String({ pattern: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$" });
export const digits = (least: number, most: number) => Type.String({ pattern: `^[0-9]{${least},${most}}$` });
export const timeOfDay = () => Type.String({ pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" });
export const day = () => Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\d$" });
export const email = () => Type.String({ pattern: '^[^\\s@<>"]{1,64}@[^\\s@<>"]{1,190}$' });
export const weekdays = () => Type.Array(whole(1, 7), { maxItems: 7, uniqueItems: true });
/** `1 08:00-12:00` is Monday morning. */
export const weekOfHours = () =>
  Type.Array(Type.String({ pattern: "^[1-7] ([01]\\d|2[0-3]):[0-5]\\d-([01]\\d|2[0-3]):[0-5]\\d$" }), {
    maxItems: 70,
    uniqueItems: true,
  });
/** A day that is none (the 31st of February) is the one that comes after: no text that passes is without a moment. */
export const moment = () =>
  Type.String({
    pattern: "^[12]\\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,3})?)?Z$",
  });

/** In whose order names are wanted, where only a part of them is read. */
export const readersLanguage = () => Type.Optional(Type.Enum([...LANGUAGES]));

/** A page of a list, as the browser asks for it. */
export const pageFields = { page: whole(1, 1_000_000), limit: whole(1, 200) };

export const nothing = Type.Object({});
