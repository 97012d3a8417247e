// Where parameters do not fit their schema, looked for in steps that what was sent cannot make many: lists and names are
// counted before anything in them is looked at, and of a list the first entry that does not fit is enough.

import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { Check, Errors } from "typebox/value";
import type { Fault } from "../../../words/refusals/refusal.ts";

export type Misfit = { field: string; fault?: Fault };

type Schema = TSchema & {
  type?: string;
  anyOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  patternProperties?: Record<string, Schema>;
  additionalProperties?: unknown;
  items?: Schema;
  maxItems?: number;
  minItems?: number;
  maxLength?: number;
  uniqueItems?: boolean;
};

const MOST_TOLD = 50;
const LONGEST_FIELD = 99;
/** Of an object whose names have only a pattern. */
const MOST_NAMES = 1_000;

/** None where they fit; of each field what is wrong first. */
export function misfitsIn(schema: TSchema, value: unknown): Misfit[] {
  const found = new Map<string, Misfit>();
  for (const { field: path, fault } of misfits(schema as Schema, value, "")) {
    const field = path.slice(0, LONGEST_FIELD);
    if (!found.has(field)) found.set(field, fault ? { field, fault } : { field });
    if (found.size >= MOST_TOLD) break;
  }
  return [...found.values()];
}

function misfits(schema: Schema, value: unknown, path: string): Iterable<Misfit> {
  if (typeof value !== "object" || value === null) return misfitOf(schema, value, path);
  const isList = Array.isArray(value);
  const branches = (schema.anyOf ?? [schema]).filter(({ type }) => type === (isList ? "array" : "object"));
  const [branch] = branches;
  if (!branch) return [{ field: path }];
  if (isList) return inList(branch, value, path);
  return branches.length === 1
    ? inObject(branch, value as Record<string, unknown>, path)
    : inOneOf(branches, value, path);
}

/** Texts above this are measured as they lie in memory: to count their letters takes as long as they are. */
const LONG_TEXT = 100_000;

function misfitOf(schema: Schema, value: unknown, path: string): Misfit[] {
  const { maxLength: limit = Number.POSITIVE_INFINITY } = schema;
  if (typeof value === "string" && value.length > limit && value.length > LONG_TEXT)
    return [{ field: path, fault: { is: "maxLength", limit } }];
  if (Check(schema, value)) return [];
  const [first] = Errors(schema, value);
  const fault = first && faultIn(first);
  return [fault ? { field: path, fault } : { field: path }];
}

function* inList(schema: Schema, list: readonly unknown[], path: string): Generator<Misfit> {
  const { maxItems = Number.POSITIVE_INFINITY, minItems = 0, items } = schema;
  if (list.length > maxItems) return yield { field: path, fault: { is: "maxItems", limit: maxItems } };
  if (list.length < minItems) yield { field: path, fault: { is: "minItems", limit: minItems } };
  const wrong = items && firstMisfit(items, list);
  if (wrong) {
    const [at, inside] = wrong;
    for (const { field, fault } of inside) yield { field: below(below(path, at), field), ...(fault && { fault }) };
  } else if (schema.uniqueItems && new Set(list).size < list.length)
    yield { field: path, fault: { is: "uniqueItems" } };
}

function firstMisfit(items: Schema, list: readonly unknown[]): [at: number, inside: Misfit[]] | undefined {
  const isGood = list.length > FEW ? quickCheckOf(items) : undefined;
  for (const [at, item] of list.entries()) {
    if (isGood?.(item)) continue;
    const inside = [...misfits(items, item, "")];
    if (inside.length > 0) return [at, inside];
  }
  return undefined;
}

/** To compile a schema takes longer than to walk it for so many values. */
const FEW = 1_000;
const quickChecks = new WeakMap<Schema, (value: unknown) => boolean>();

/** Of what cannot hold anything itself. */
function quickCheckOf(schema: Schema): ((value: unknown) => boolean) | undefined {
  const isPlain = (schema.anyOf ?? [schema]).every(({ type }) => type !== "object" && type !== "array");
  if (!isPlain) return undefined;
  const known = quickChecks.get(schema);
  if (known) return known;
  const compiled = Compile(schema);
  const check = (value: unknown) => compiled.Check(value);
  quickChecks.set(schema, check);
  return check;
}

function* inObject(schema: Schema, value: Record<string, unknown>, path: string): Generator<Misfit> {
  const { properties = {}, required = [], patternProperties = {} } = schema;
  const names = Object.keys(value);
  if (names.length > mostNames(schema)) return yield { field: path };
  if (!required.every((name) => Object.hasOwn(value, name))) yield { field: path };
  const patterns = Object.entries(patternProperties).map(([pattern, inside]) => ({
    pattern: new RegExp(pattern, "u"),
    inside,
  }));
  for (const name of names) {
    const inside = Object.hasOwn(properties, name)
      ? properties[name]
      : patterns.find(({ pattern }) => pattern.test(name))?.inside;
    if (inside) yield* misfits(inside, value[name], below(path, name));
    else if (schema.additionalProperties === false) yield { field: path };
  }
}

function inOneOf(branches: readonly Schema[], value: object, path: string): Misfit[] {
  const fits = (branch: Schema) => [...misfits(branch, value, path)].length === 0;
  return branches.some(fits) ? [] : [{ field: path }];
}

function mostNames({ properties = {}, patternProperties, additionalProperties }: Schema): number {
  if (additionalProperties !== false) return Number.POSITIVE_INFINITY;
  return Object.keys(properties).length + (patternProperties ? MOST_NAMES : 0);
}

const below = (path: string, name: string | number) =>
  path === "" || name === "" ? `${path}${name}` : `${path}/${name}`;

const LIMITS = ["maximum", "minimum", "maxLength", "minLength"] as const;

/** What the value has to be, where the schema has a limit that people understand. */
function faultIn({ keyword, params }: ReturnType<typeof Errors>[number]): Fault | undefined {
  const is = LIMITS.find((it) => it === keyword);
  return is && "limit" in params ? { is, limit: Number(params.limit) } : undefined;
}
