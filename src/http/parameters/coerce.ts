// From what was sent to what a handler is promised: every value by its schema, or the first refusal.

import type { Static, TObject, TSchema } from "typebox";
import { DecodedUpload } from "../../uploads/upload.ts";
import type { OperationRefusal } from "../../words/refusals/refusal.ts";
import { type Sent, SentFile, type SentValue } from "./sent.ts";
import { isStorable } from "./text.ts";

type Wrong = { wrong: OperationRefusal };
export type Coerced<Parameters extends TObject> = { parameters: Static<Parameters> } | Wrong;
export type Coerce<Parameters extends TObject> = (sent: Sent) => Coerced<Parameters>;

/** What the schemas of schema.ts may hold beside JSON Schema's own words. */
type Described = TSchema & {
  type?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  default?: unknown;
  items?: Described;
  kind?: () => "telephone" | "content" | "entries";
  missing?: () => OperationRefusal;
  wrong?: (sent: string) => OperationRefusal;
};

type Outcome = { value: unknown } | Wrong;
type Field = { name: string; required: boolean; schema: Described; read: (value: SentValue) => Outcome };

export function coercionTo<Parameters extends TObject>(schema: Parameters): Coerce<Parameters> {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties as Record<string, Described>).map(
    ([name, described]): Field => ({
      name,
      required: required.has(name),
      schema: described,
      read: reader(name, described),
    }),
  );
  return (sent) => {
    const parameters: Record<string, unknown> = {};
    for (const field of fields) {
      const outcome = readField(field, sent.get(field.name));
      if (outcome === undefined) continue;
      if ("wrong" in outcome) return outcome;
      parameters[field.name] = outcome.value;
    }
    // Built from the schema's own fields by the schema's own types, which the compiler cannot see.
    return { parameters: parameters as Static<Parameters> };
  };
}

/** The parameters that are files as text, or lists of things. */
export function namesOf(wanted: "content" | "entries", { properties }: TObject): string[] {
  const fields = Object.entries(properties as Record<string, Described>);
  return fields.filter(([, { kind }]) => kind?.() === wanted).map(([name]) => name);
}

function readField({ name, required, schema, read }: Field, values: readonly SentValue[] | undefined) {
  if (schema.kind?.() === "entries" && values !== undefined && values.length > 0) return { value: values };
  if (schema.type === "array") return readList({ name, required, schema, read }, values);
  const value = values?.findLast((it) => !isBlank(it));
  if (value !== undefined) return read(value);
  if (required) return blank(name, schema);
  return schema.default === undefined ? undefined : { value: schema.default };
}

function readList({ name, required, schema, read }: Field, values: readonly SentValue[] | undefined) {
  if (values === undefined) return required ? blank(name, schema) : undefined;
  const given = values.filter((it) => !isBlank(it)).flatMap(splitAtCommas);
  if (given.length === 0 && values.length > 0) return undefined;
  if (given.length > (schema.maxItems ?? Number.POSITIVE_INFINITY))
    return { wrong: { refused: "list-too-long", field: name } as const };
  const list: unknown[] = [];
  for (const value of given) {
    const outcome = read(value);
    if ("wrong" in outcome) return { wrong: schema.wrong?.(given.join(",")) ?? outcome.wrong };
    list.push(outcome.value);
  }
  return { value: list };
}

function blank(field: string, { missing }: Described): Wrong {
  return { wrong: missing?.() ?? { refused: "blank", field } };
}

function splitAtCommas(value: SentValue): SentValue[] {
  return typeof value === "string" ? value.split(",").filter((part) => part.trim() !== "") : [value];
}

function isBlank(value: SentValue): boolean {
  return value === null || value === undefined || (typeof value === "string" && value.trim() === "");
}

function reader(name: string, schema: Described): (value: SentValue) => Outcome {
  if (schema.enum) return (value) => readChoice(name, schema, value);
  if (schema.type === "array") return reader(name, schema.items!); // an array schema has items
  if (schema.type === "integer") return (value) => readInteger(name, schema, value);
  if (schema.type === "boolean") return (value) => readFlag(name, schema, value);
  return (value) => readText(name, schema, value);
}

function readText(name: string, schema: Described, value: SentValue): Outcome {
  const isContent = schema.kind?.() === "content";
  if (isContent && (value instanceof SentFile || value instanceof DecodedUpload)) return { value };
  const sent = asText(value);
  if (sent === undefined) return { wrong: { refused: "malformed", field: name } };
  if (schema.maxLength !== undefined && sent.length > schema.maxLength)
    return { wrong: { refused: "text-too-long", field: name, most: schema.maxLength } };
  if (!isContent && !isStorable(sent)) return { wrong: { refused: "malformed", field: name } };
  if (schema.kind?.() === "telephone") return { value: sent.replace(/^ (?=\d)/, "+").trim() };
  return { value: sent.trim() };
}

function readInteger(name: string, { minimum = 0, maximum = 0, wrong }: Described, value: SentValue): Outcome {
  const sent = asText(value)?.trim() ?? "";
  const number = Number(sent);
  if (/^[+-]?\d{1,16}$/.test(sent) && number >= minimum && number <= maximum) return { value: number };
  return { wrong: wrong?.(sent) ?? { refused: "out-of-range", field: name, least: minimum, most: maximum } };
}

const flags: Record<string, boolean> = {
  true: true,
  t: true,
  "1": true,
  on: true,
  yes: true,
  false: false,
  f: false,
  "0": false,
  off: false,
  no: false,
};

function readFlag(name: string, schema: Described, value: SentValue): Outcome {
  const sent = asText(value)?.trim() ?? "";
  const meant = Object.hasOwn(flags, sent.toLowerCase()) ? flags[sent.toLowerCase()] : undefined;
  if (meant !== undefined) return { value: meant };
  return { wrong: schema.wrong?.(sent) ?? { refused: "not-one-of", field: name, choices: ["true", "false"] } };
}

function readChoice(name: string, { enum: choices = [], wrong }: Described, value: SentValue): Outcome {
  const sent = asText(value)?.trim() ?? "";
  const chosen = choices.find((choice) => choice.toLowerCase() === sent.toLowerCase());
  if (chosen !== undefined) return { value: chosen };
  return { wrong: wrong?.(sent) ?? { refused: "not-one-of", field: name, choices } };
}

function asText(value: SentValue): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return undefined;
}
