import { Type } from "typebox";
import { Value } from "typebox/value";
import { expect, test } from "vitest";
import { consoleApi } from "../api.ts";
import { closed } from "./closed.ts";

test("an object takes the keys it names and no other, however deep it lies, unless it says that it is open", () => {
  const inner = () => Type.Object({ a: Type.Optional(Type.Integer()) });
  const schema = closed(
    Type.Object({
      plain: Type.Partial(inner()),
      list: Type.Array(inner()),
      either: Type.Union([inner(), Type.Null()]),
      keys: Type.Record(Type.String({ pattern: "^[0-9]$" }), inner()),
      open: Type.Object({}, { additionalProperties: true }),
    }),
  );
  const good = { plain: {}, list: [{ a: 1 }], either: { a: 1 }, keys: { "1": {} }, open: { anything: 1 } };
  expect(Value.Check(schema, good)).toBe(true);
  const bad = { b: 1 };
  for (const sent of [
    { ...good, b: 1 },
    { ...good, plain: bad },
    { ...good, list: [bad] },
    { ...good, either: bad },
    { ...good, keys: { "1": bad } },
    { ...good, keys: { ab: {} } },
    JSON.parse('{"plain":{"__proto__":{}},"list":[],"either":null,"keys":{},"open":{}}') as object,
  ])
    expect(Value.Check(schema, sent), JSON.stringify(sent)).toBe(false);
});

test("no operation of the console has an open object", () => {
  const open: string[] = [];
  const look = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null) return;
    if ("type" in value && value.type === "object" && !("additionalProperties" in value && !value.additionalProperties))
      open.push(path);
    for (const [name, part] of Object.entries(value)) look(part, `${path}/${name}`);
  };
  for (const [name, { parameters }] of Object.entries(consoleApi)) look(parameters, name);
  expect(open).toEqual([]);
});
