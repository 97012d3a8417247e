import { expect, test } from "vitest";
import { StreamCount } from "./stream-count.ts";

test("who has a network of IPv6 has the places of one address, from whichever he comes", () => {
  const count = new StreamCount("tcp", { connections: 100, connectionsPerSource: 2 });
  count.add("2001:db8::1");
  count.add("2001:db8::ffff:2");
  expect(count.refusalFor("2001:db8::3")).toBe("too-many-from-source");
  expect(count.refusalFor("2001:db8:0:1::3")).toBeUndefined();
  count.remove("2001:db8::1");
  expect(count.refusalFor("2001:db8::3")).toBeUndefined();
});

test("addresses of IPv4 are counted each by itself", () => {
  const count = new StreamCount("tcp", { connections: 100, connectionsPerSource: 1 });
  count.add("192.0.2.1");
  expect(count.refusalFor("192.0.2.1")).toBe("too-many-from-source");
  expect(count.refusalFor("192.0.2.2")).toBeUndefined();
});
