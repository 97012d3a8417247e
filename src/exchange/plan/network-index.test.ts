import { expect, test } from "vitest";
import { networkIndex } from "./network-index.ts";

test("an address is found in every network around it, the smallest first, and in none that was taken out", () => {
  const index = networkIndex<string>();
  const added = [
    ["198.51.100.0/24", "carrier"],
    ["198.51.100.7", "server"],
    ["0.0.0.0/0", "world"],
    ["198.51.100.7/32", "carrier"],
    ["2001:DB8::/33", "carrier"],
    ["::ffff:192.0.2.0/120", "dressed"],
    ["nonsense", "nobody"],
    ["10.0.0.0/99", "nobody"],
  ] as const;
  for (const [network, owner] of added) index.add(network, owner);
  expect(index.ownersOf("198.51.100.7")).toEqual(["server", "carrier", "world"]);
  expect(index.ownersOf("::ffff:198.51.100.8")).toEqual(["carrier", "world"]);
  expect(index.ownersOf("192.0.2.9")).toEqual(["dressed", "world"]);
  expect(index.ownersOf("2001:db8:7fff::1")).toEqual(["carrier"]);
  expect(index.ownersOf("2001:db8:8000::1")).toEqual([]);
  expect(index.has("2001:db8:8000::1")).toBe(false);
  expect([index.oneOf("198.51.100.8"), index.oneOf("2001:db8:8000::1")]).toEqual(["carrier", undefined]);
  for (const none of ["nonsense", ""]) expect(index.ownersOf(none)).toEqual([]);
  for (const [network, owner] of added) if (owner !== "server") index.remove(network, owner);
  expect(index.ownersOf("198.51.100.7")).toEqual(["server"]);
  expect(index.has("198.51.100.8")).toBe(false);
  index.remove("198.51.100.7/32", "server");
  expect(index.has("198.51.100.7")).toBe(false);
});
