// No file and no folder imports itself by way of others, however long the way round is.

import { dirname } from "node:path";
import { expect, test } from "vitest";
import { isTest, readSources } from "./ground/sources.ts";

type Graph = Map<string, Set<string>>;

const sources = readSources("src", "console").filter((it) => !isTest(it));
const known = new Set(sources.map(({ path }) => path));

/** A file at the root of src or console is a part of its own, and so is one that a program begins with. */
function partOf(path: string): string {
  const folder = dirname(path);
  return folder.includes("/") && path !== "console/phone/main.tsx" ? folder : path;
}

function graphBy(nameOf: (path: string) => string): Graph {
  const graph: Graph = new Map();
  for (const { path, imports } of sources) {
    const edges = graph.get(nameOf(path)) ?? new Set<string>();
    graph.set(nameOf(path), edges);
    for (const { from } of imports) if (known.has(from) && nameOf(from) !== nameOf(path)) edges.add(nameOf(from));
  }
  return graph;
}

/** The sets in which each reaches each (Tarjan), as one line each. */
function circlesIn(graph: Graph): string[] {
  const place = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[] = [];
  const visit = (node: string): number => {
    place.set(node, place.size);
    let low = place.get(node)!;
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!place.has(next)) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, place.get(next)!);
    }
    lowest.set(node, low);
    if (low === place.get(node)) {
      const circle = stack.splice(stack.indexOf(node));
      if (circle.length > 1) circles.push(circle.sort().join(" "));
    }
    return low;
  };
  for (const node of graph.keys()) if (!place.has(node)) visit(node);
  return circles.sort();
}

test("a circle of any length is found", () => {
  const graph: Graph = new Map(
    Object.entries({ a: ["b"], b: ["c"], c: ["d"], d: ["b", "e"], e: [] }).map(([from, to]) => [from, new Set(to)]),
  );
  expect(circlesIn(graph)).toEqual(["b c d"]);
});

test("no file imports itself by way of others", () => expect(circlesIn(graphBy((path) => path))).toEqual([]));

test("no folder imports itself by way of others", () => expect(circlesIn(graphBy(partOf))).toEqual([]));
