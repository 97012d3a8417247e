// The maker of parameters itself: what it makes is valid, tries every candidate, and adds keys where it says.

import { Type } from "typebox";
import { Value } from "typebox/value";
import { expect, test } from "vitest";
import { consoleApi } from "../../src/http/console/api.ts";
import { everyWayOfAsking, parametersFor, withExtraKeys } from "./from-schema.ts";

const schema = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  number: Type.String({ pattern: "^[0-9]{2,8}$" }),
  changes: Type.Partial(Type.Object({ name: Type.String(), sound: Type.Union([Type.Integer(), Type.Null()]) })),
  keys: Type.Record(Type.String({ pattern: "^[0-9]$" }), Type.String()),
  members: Type.Optional(Type.Array(Type.String())),
});
const candidates = { id: [7, "no number"], number: ["1000", "too long for it", "1777"], sound: [7], members: ["1777"] };

test("candidates stand where their schema takes them, in turn", () => {
  expect(parametersFor(schema, { candidates })).toEqual({
    id: 7,
    number: "1000",
    changes: { name: "metin", sound: 7 },
    keys: { 1: "metin" },
    members: ["1777"],
  });
  expect(parametersFor(schema, { candidates, turn: 1, optional: false })).toEqual({
    id: 7,
    number: "1777",
    changes: {},
    keys: { 1: "metin" },
  });
});

test("every candidate is tried in every field, and in each alone among values of one's own", () => {
  const asked = [...everyWayOfAsking(schema, candidates, () => ({ id: [1], number: ["1001"] }))];
  expect(asked).toContainEqual({ ...parametersFor(schema, { candidates }), number: "1777" });
  const own = { id: 1, number: "1001", changes: {}, keys: { 1: "metin" } };
  expect(asked).toContainEqual(own);
  expect(asked).toContainEqual({ ...own, id: 7 });
  expect(asked).toContainEqual({ ...own, number: "1777" });
  expect(asked).toContainEqual({ ...own, changes: { sound: 7 } });
  expect(asked).toContainEqual({ ...own, members: ["1777"] });
});

test("extra keys are put into every object, __proto__ as a key like any other", () => {
  const parameters = parametersFor(schema, { candidates });
  const extended = [...withExtraKeys(schema, parameters, [["id", 1] as const, ["__proto__", {}] as const])];
  expect(extended.map(({ where, key }) => `${where}/${key}`)).toEqual([
    ...["/__proto__", "changes/id", "changes/__proto__", "keys/id", "keys/__proto__"],
  ]);
  expect(JSON.stringify(extended[0]?.parameters)).toContain('"__proto__":{}');
});

test.each(Object.entries(consoleApi))("what is made for %s is valid", (_, { parameters }) => {
  for (const made of everyWayOfAsking(parameters, candidates))
    expect([...Value.Errors(parameters as never, made)]).toEqual([]);
});
