import { expect, test } from "vitest";
import { freePorts } from "./free-ports.ts";

test("pairs are given in turn, none twice, and none beyond the range", () => {
  const ports = freePorts({ from: 100, to: 104 });
  expect([ports.take(), ports.take(), ports.take()]).toEqual([100, 102, undefined]);
  ports.giveBack(100);
  expect([ports.take(), ports.take()]).toEqual([100, undefined]);
});
