// Parameters made from an operation's schema: valid ones, with chosen values for fields of certain names, and the same
// with keys that no schema names. Whoever adds an operation gets it tried without writing a line.

import { Value } from "typebox/value";

/** The part of JSON Schema that the schemas of the doors use; TypeBox writes it. */
type Schema = {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  patternProperties?: Record<string, Schema>;
  items?: Schema;
  minimum?: number;
  minItems?: number;
};

/**
 * By the name of a field, or by how its name ends (`*_id`; a bare `*` is for all others): values worth trying in it. Those
 * that its schema does not take are passed over.
 */
export type Candidates = Readonly<Record<string, readonly unknown[]>>;

export type Parameters = Record<string, unknown>;

type Making = {
  candidates: Candidates;
  /** Which of several candidates, or of several choices, is taken. */
  turn: number;
  /** Whether a field that may be left out is there, by its path. */
  wants(path: string): boolean;
  /** One field has this value, whatever the candidates say. */
  at?: { path: string; value: unknown };
};

/** Texts of every form that a pattern asks for; the first that fits is taken. */
const samples: readonly string[] = [
  "metin",
  "1000",
  "1",
  "12:00",
  "1 09:00-18:00",
  "2031-01-01",
  "2031-01-01T00:00:00Z",
  "birisi@example.com",
  "00000009-0000-4000-8000-000000000009",
  "A".repeat(32),
  "192.0.2.1",
  "host.example.com",
  "f1",
];

function make(schema: Schema, path: string, making: Making): unknown {
  const { at } = making;
  if (at?.path === path && Value.Check(schema as never, at.value)) return at.value;
  const name = path.split(".").at(-1) ?? "";
  const fitting = candidatesFor(schema, name, making.candidates);
  if (fitting.length > 0) return fitting[making.turn % fitting.length];
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[making.turn % schema.enum.length];
  if (schema.anyOf) return make(schema.anyOf.find(({ type }) => type !== "null") ?? {}, path, making);
  if (schema.type === "boolean") return making.turn % 2 === 0;
  if (schema.type === "integer" || schema.type === "number") return (schema.minimum ?? 0) + making.turn;
  if (schema.type === "array") return [make(schema.items ?? {}, path, making)];
  if (schema.type === "object") return makeObject(schema, path, making);
  return sampleOf(schema, path);
}

function makeObject(schema: Schema, path: string, making: Making): Parameters {
  const made: Parameters = {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const below = path === "" ? name : `${path}.${name}`;
    if (isRequired(schema, name) || making.wants(below)) made[name] = make(field, below, making);
  }
  for (const [pattern, field] of Object.entries(schema.patternProperties ?? {}))
    made[sampleOf({ type: "string", pattern } as Schema, path)] = make(field, path, making);
  return made;
}

function candidatesFor(schema: Schema, name: string, candidates: Candidates): unknown[] {
  if (schema.type === "object" || schema.type === "array") return [];
  const endings = Object.keys(candidates).filter((key) => key.startsWith("*") && name.endsWith(key.slice(1)));
  const longest = endings.sort((one, other) => other.length - one.length)[0] ?? "*";
  const values = candidates[Object.hasOwn(candidates, name) ? name : longest] ?? [];
  return values.filter((value) => Value.Check(schema as never, value));
}

function sampleOf(schema: Schema, path: string): string {
  const found = samples.find((sample) => Value.Check(schema as never, sample));
  if (found === undefined) throw new Error(`no sample fits ${path}: ${JSON.stringify(schema)}`);
  return found;
}

function isRequired({ required = [] }: Schema, name: string): boolean {
  return required.includes(name);
}

/** Valid parameters with all that may be there, or with only what must. */
export function parametersFor(
  schema: object,
  { candidates = {}, turn = 0, optional = true }: { candidates?: Candidates; turn?: number; optional?: boolean } = {},
): Parameters {
  return makeObject(schema as Schema, "", { candidates, turn, wants: () => optional });
}

/**
 * Valid parameters in which every candidate stands once in every field that takes it: all fields together, and then in
 * each field by itself while all others have values of the caller's `own`, so that one that is refused does not hide the
 * others. `own` is asked anew each time, since some of it can be had only once.
 */
export function* everyWayOfAsking(
  schema: object,
  candidates: Candidates,
  own: () => Candidates = () => candidates,
): Generator<Parameters> {
  const fields = [...leaves(schema as Schema)];
  const most = Math.max(1, ...fields.map(({ schema, name }) => candidatesFor(schema, name, candidates).length));
  for (let turn = 0; turn < most; turn++) yield parametersFor(schema, { candidates, turn });
  yield parametersFor(schema, { candidates, optional: false });
  yield parametersFor(schema, { candidates: own(), optional: false });
  for (const { path, name, schema: field } of fields) {
    const wants = (asked: string) => asked === path || path.startsWith(`${asked}.`);
    for (const value of candidatesFor(field, name, candidates))
      yield makeObject(schema as Schema, "", { candidates: own(), turn: 0, wants, at: { path, value } });
  }
}

type Leaf = { path: string; name: string; schema: Schema };

function* leaves(schema: Schema, path = ""): Generator<Leaf> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const below = path === "" ? name : `${path}.${name}`;
    const inner = field.type === "array" && field.items ? field.items : field;
    if (inner.type === "object" && inner.properties) yield* leaves(inner, below);
    else yield { path: below, name, schema: inner };
  }
}

export type ExtraKey = { where: string; key: string; parameters: Parameters };

/** The same parameters with one key more: each of `extra` at the top, and in every object inside, if none is called so. */
export function* withExtraKeys(
  schema: object,
  parameters: Parameters,
  extra: readonly (readonly [key: string, value: unknown])[],
): Generator<ExtraKey> {
  for (const { where, schema: object } of objectsIn(schema as Schema, parameters))
    for (const [key, value] of extra) {
      if (Object.hasOwn(object.properties ?? {}, key)) continue;
      const copy = structuredClone(parameters);
      const target = where.reduce<unknown>((inside, step) => (inside as Parameters)[step], copy) as Parameters;
      // A plain assignment of __proto__ would set what it names; over the wire it is a key like any other.
      Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
      yield { where: where.join("."), key, parameters: copy };
    }
}

type Found = { where: string[]; schema: Schema };

function* objectsIn(schema: Schema, value: unknown, where: string[] = []): Generator<Found> {
  if (schema.anyOf) for (const branch of schema.anyOf) yield* objectsIn(branch, value, where);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* objectsIn(schema.items ?? {}, item, [...where, String(index)]);
    return;
  }
  if (schema.type !== "object" || typeof value !== "object" || value === null) return;
  yield { where, schema };
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    yield* objectsIn(field, (value as Parameters)[name], [...where, name]);
}

/** The same parameters with one list in them made of so many of what stands in it. */
export function* withLongLists(parameters: Parameters, count: number): Generator<Parameters> {
  for (const where of listsIn(parameters)) {
    const copy = structuredClone(parameters);
    const list = where.reduce<unknown>((inside, step) => (inside as Parameters)[step], copy) as unknown[];
    list.push(...Array(count).fill(list[0]));
    yield copy;
  }
}

function* listsIn(value: unknown, where: string[] = []): Generator<string[]> {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) yield where;
  for (const [name, inside] of Object.entries(value)) yield* listsIn(inside, [...where, name]);
}
