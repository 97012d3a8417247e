import { Type } from "typebox";
import { Value } from "typebox/value";
import { expect, test } from "vitest";
import { randomFrom } from "../../../../test/hostile/hostile.ts";
import { bodyFrom, oddParameters } from "../../../../test/hostile/odd-values.ts";
import { consoleApi } from "../api.ts";
import { closed } from "./closed.ts";
import { misfitsIn } from "./misfits.ts";

test("whatever is asked for fits where the schema says so, and nowhere else", () => {
  const operations = Object.values(consoleApi);
  let fitting = 0;
  for (let seed = 1; seed <= 1_500; seed++) {
    const random = randomFrom(seed);
    const { parameters: schema } = random.pick(operations);
    const sent = parsed(bodyFrom(oddParameters(schema, random, { own: {}, foreign: {} }), random));
    const fits = Value.Check(schema, sent);
    fitting += Number(fits);
    expect({ seed, fits: misfitsIn(schema, sent).length === 0 }).toEqual({ seed, fits });
  }
  expect(fitting).toBeGreaterThan(100);
});

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

test("it is told where something does not fit, and what it would have to be", () => {
  const schema = closed(
    Type.Object({
      name: Type.String({ minLength: 1, maxLength: 3 }),
      days: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { maxItems: 7, uniqueItems: true })),
      changes: Type.Optional(Type.Object({ limit: Type.Union([Type.Integer({ maximum: 9 }), Type.Null()]) })),
      which: Type.Optional(Type.Union([Type.Object({ id: Type.Integer() }), Type.Object({ uuid: Type.String() })])),
      keys: Type.Optional(Type.Record(Type.String({ pattern: "^[0-9]$" }), Type.String({ maxLength: 3 }))),
    }),
  );
  const sent = (more: object) => misfitsIn(schema, { name: "a", ...more });
  expect(sent({})).toEqual([]);
  expect(sent({ name: "abcd" })).toEqual([{ field: "name", fault: { is: "maxLength", limit: 3 } }]);
  expect(sent({ name: "abcd", changes: { limit: 10 } })).toMatchObject([{ field: "name" }, { field: "changes/limit" }]);
  expect(sent({ days: [1, 8, 9] })).toEqual([{ field: "days/1", fault: { is: "maximum", limit: 7 } }]);
  expect(sent({ days: [1, 1] })).toEqual([{ field: "days", fault: { is: "uniqueItems" } }]);
  expect(sent({ days: Array(8).fill(1) })).toEqual([{ field: "days", fault: { is: "maxItems", limit: 7 } }]);
  expect(sent({ keys: { a: "b" } })).toEqual([{ field: "keys" }]);
  expect(sent({ keys: { 1: "bcde" } })).toMatchObject([{ field: "keys/1" }]);
  expect(sent({ which: { uuid: "x" } })).toEqual([]);
  expect(sent({ which: { id: "x" } })).toEqual([{ field: "which" }]);
  expect(sent({ more: 1 })).toEqual([{ field: "" }]);
  for (const nothing of [undefined, null, [], "text", {}]) expect(misfitsIn(schema, nothing)).toEqual([{ field: "" }]);
});

test("every list that an operation takes has an end", () => {
  const lists: string[] = [];
  const endless: string[] = [];
  const look = (schema: unknown, path: string): void => {
    if (typeof schema !== "object" || schema === null) return;
    const { type, maxItems } = schema as { type?: unknown; maxItems?: unknown };
    if (type === "array") lists.push(path);
    if (type === "array" && typeof maxItems !== "number") endless.push(path);
    for (const [name, inside] of Object.entries(schema)) look(inside, `${path}.${name}`);
  };
  for (const [name, { parameters }] of Object.entries(consoleApi)) look(parameters, name);
  expect(lists.length).toBeGreaterThan(20);
  expect(endless).toEqual([]);
});
