// What the console takes of a noun, made from its description.

import { type TOptional, type TSchema, type TUnsafe, Type } from "typebox";
import {
  type Changes,
  type Field,
  type Kind,
  LONGEST_TARGET,
  LONGEST_TEXT,
  LONGEST_URL,
  type Noun,
  type ShownName,
  shownFields,
  type ValueOf,
} from "../../../nouns/field.ts";
import { day, digits, email, id, lines, text, timeOfDay, weekdays, weekOfHours, whole } from "./fields.ts";

/** Every field that the console shows, each of them optional: what is left out stays as it is. */
export function changesSchema<N extends Noun>(noun: N): TUnsafe<Pick<Changes<N>, ShownName<N>>> {
  return Type.Unsafe(Type.Partial(Type.Object(schemasOf(noun))));
}

type Schemas<N extends Noun> = { [Name in ShownName<N>]: TUnsafe<ValueOf<N["fields"][Name]>> };

/** The thing as a whole: nothing may be left out. */
export function wholeSchemas<N extends Noun>(noun: N): Schemas<N> {
  return schemasOf(noun) as Schemas<N>; // field by field
}

/** The same for parameters that stand beside others. */
export function optionalSchemas<N extends Noun>(noun: N): { [Name in ShownName<N>]: TOptional<Schemas<N>[Name]> } {
  const optional = Object.entries(schemasOf(noun)).map(([name, schema]) => [name, Type.Optional(schema)]);
  return Object.fromEntries(optional) as { [Name in ShownName<N>]: TOptional<Schemas<N>[Name]> }; // field by field
}

function schemasOf({ fields }: Noun): Record<string, TSchema> {
  return Object.fromEntries(shownFields(fields).map(([name, field]) => [name, schemaOf(field)]));
}

/** An empty text is nothing, too, but not where a secret is typed: that stays as it is when nothing is sent. */
function schemaOf(field: Field): TSchema {
  // The schema is chosen by the very kind that its parameter narrows on.
  const schema = (schemas[field.is] as (field: Field) => TSchema)(field);
  if (!field.orNothing) return schema;
  return Type.Union([
    schema,
    Type.Null(),
    ...(field.is !== "secret" && "type" in schema && schema.type === "string" ? [Type.Literal("")] : []),
  ]);
}

const LONGEST_NAME = 255;

const schemas: { [Is in Kind["is"]]: (field: Extract<Kind, { is: Is }> & Field) => TSchema } = {
  text: ({ longest = LONGEST_TEXT, required }) => Type.String({ minLength: required ? 1 : 0, maxLength: longest }),
  area: ({ longest }) => lines(longest),
  secret: (field) => (field.digits ? digits(...field.digits) : text(field.longest ?? LONGEST_TEXT)),
  digits: ({ most }) => digits(0, most),
  email,
  host: () => Type.String({ pattern: "^[A-Za-z0-9]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?$" }),
  url: () => text(LONGEST_URL),
  link: () => text(LONGEST_URL),
  "time-zone": () => text(64),
  money: () => Type.String({ pattern: "^\\d{1,9}(\\.\\d{1,2})?$" }),
  whole: ({ least, most, orZero }) => (orZero ? Type.Union([Type.Literal(0), whole(least, most)]) : whole(least, most)),
  switch: () => Type.Boolean(),
  choice: ({ among }) => Type.Enum(Object.keys(among)),
  several: ({ among }) => Type.Array(Type.Enum([...among]), { minItems: 1, maxItems: among.length }),
  target: () => text(LONGEST_TARGET),
  keys: () => Type.Record(Type.String({ pattern: "^[0-9*#]$" }), text(LONGEST_TARGET)),
  sound: id,
  "own-number": () => text(32),
  "outside-number": () => text(15),
  trunk: () => text(LONGEST_NAME),
  extension: () => text(8),
  form: () => text(LONGEST_NAME),
  time: timeOfDay,
  day,
  days: weekdays,
  week: weekOfHours,
  addresses: () => Type.Array(Type.String({ pattern: "^[0-9a-fA-F.:]{2,45}(/[0-9]{1,3})?$" }), { maxItems: 100 }),
  origins: () => Type.Array(text(LONGEST_NAME), { maxItems: 100 }),
  words: () => Type.Array(text(LONGEST_NAME), { maxItems: 1_000 }),
  "short-numbers": () => Type.Array(digits(3, 6), { maxItems: 20 }),
  emails: () => Type.Array(email(), { maxItems: 20, uniqueItems: true }),
  queues: () => Type.Array(digits(1, 8), { maxItems: 1_000, uniqueItems: true }),
};
