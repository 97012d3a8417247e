// The kinds of parameters, as TypeBox schemas: one description for the reader of the docs, the coercion and the types.

import { Type } from "typebox";
import type { DecodedUpload } from "../../uploads/upload.ts";
import type { OperationRefusal } from "../../words/refusals/refusal.ts";
import type { SentFile } from "./sent.ts";

/** Refusals that differ from the usual ones; functions, so that they stay out of the published schema. */
type Refusals = { missing?: () => OperationRefusal; wrong?: (sent: string) => OperationRefusal };
type About = Refusals & { description?: string; example?: unknown };

const LONGEST_TEXT = 255;

export function words({ longest = LONGEST_TEXT, ...about }: About & { longest?: number } = {}) {
  return Type.String({ maxLength: longest, ...about });
}

/** Digits as people write them. A plus sign that a query turned into a blank is put back. */
export function telephone(about: About = {}) {
  return Type.String({ maxLength: 64, kind: () => "telephone", ...about });
}

export function wholeNumber({ least, most, ...about }: About & { least: number; most: number; default?: number }) {
  return Type.Integer({ minimum: least, maximum: most, ...about });
}

export function flag(about: About = {}) {
  return Type.Boolean(about);
}

export function oneOf<const Choice extends string[]>(choices: readonly [...Choice], about: About = {}) {
  return Type.Enum(choices, about);
}

export function wholeNumbers(about: About & { most?: number } = {}) {
  const { most = 1_000, ...rest } = about;
  return Type.Array(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), { maxItems: most, ...rest });
}

export type Content = string | DecodedUpload | SentFile;

/** Text of any length, perhaps decoded already, or a file of a multipart form. */
export function content(about: About = {}) {
  return Type.Unsafe<Content>({
    type: "string",
    contentEncoding: "base64",
    kind: () => "content",
    ...about,
  });
}

/** A list of things with fields of their own, just as they came: whoever asks for them reads them. */
export function entries(fields: Record<string, unknown>, about: About = {}) {
  return Type.Unsafe<readonly unknown[]>({
    type: "array",
    items: { type: "object", properties: fields },
    kind: () => "entries",
    ...about,
  });
}

/** The id of a stored thing as it stands in a path; what cannot be an id is simply not found. */
export function idInPath(about: About = {}) {
  return Type.String({ maxLength: LONGEST_TEXT, ...about });
}

export const pageParameters = {
  page: Type.Optional(
    wholeNumber({
      least: 1,
      most: 1_000_000_000,
      default: 1,
      description: "which page, from 1",
      wrong: () => ({ refused: "not-above", field: "page", least: 0 }),
    }),
  ),
  limit: Type.Optional(wholeNumber({ least: 10, most: 100, default: 10, description: "how many on a page" })),
};
