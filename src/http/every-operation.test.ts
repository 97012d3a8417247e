import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mountOperations } from "./door/door.ts";
import { body, key, limit, schema } from "./door/guards.ts";
import { everyOperation } from "./every-operation.ts";

const sources = readdirSync("src/http", { recursive: true, encoding: "utf8" })
  .filter((path) => /(?<!\.test)\.ts$/.test(path))
  .map((path) => ({ path, text: readFileSync(join("src/http", path), "utf8") }));

const listed = everyOperation.map(({ methods, paths }) => `${methods[0]} ${paths[0]}`);

test("an operation that is declared stands in the list, once", () => {
  const DECLARED = /= \w*[eE]ndpoint\(\{[\s\S]*?methods: \["(\w+)"[\s\S]*?paths: \["([^"]+)"/g;
  const declared = sources.flatMap(({ text }) =>
    [...text.matchAll(DECLARED)].map(([, method, path]) => `${method} ${path}`),
  );
  expect(declared.sort()).toEqual([...listed].sort());
  expect(new Set(listed).size).toBe(listed.length);
});

test("its guards ask who it is, then how often, and only then what was sent", () => {
  for (const [at, { guards }] of everyOperation.entries()) {
    const knowing = guards.filter(({ knows }) => knows);
    const limits = guards.filter(({ pool }) => pool);
    expect(knowing, listed[at]).toHaveLength(1);
    expect(limits, listed[at]).toHaveLength(1);
    expect(guards.indexOf(limits[0]!), listed[at]).toBe(guards.indexOf(knowing[0]!) + 1);
    if (knowing[0]?.knows === "key" || knowing[0]?.knows === "ticket")
      expect(guards.slice(2), listed[at]).toEqual([body, schema]);
  }
});

test("an operation whose guards ask nobody who it is does not open", () => {
  const [first] = everyOperation;
  const unguarded = { ...first!, guards: [limit("default"), body, schema] };
  const nothing = {} as never; // it does not get as far as using it
  expect(() => mountOperations(nothing, [unguarded], { services: {} } as never)).toThrow("nobody asks who wants");
  expect(unguarded.guards).not.toContain(key);
});

// The pages, and what is asked by machines or by the console with its own ways of knowing who asks.
const otherRoutes =
  /^(door\/(door|listener)|operations|reference\/routes|webphone\/pages|wall\/page|nodes\/questions|console\/\w[\w-]*)\.ts$/;

test("no other file opens a way in", () => {
  const opening = sources.filter(({ text }) =>
    /\b(app|server|scope)\.(route|get|post|put|patch|delete|all)\(/.test(text),
  );
  for (const { path } of opening) expect(path).toMatch(otherRoutes);
  expect(opening.length).toBeGreaterThan(3);
});
