import { expect, test } from "vitest";
import { freePorts } from "./free-ports.ts";

test("pairs are given in turn, none twice, and none beyond the range", () => {
  const ports = freePorts({ from: 100, to: 104 }, 0);
  expect([ports.take(), ports.take(), ports.take()]).toEqual([100, 102, undefined]);
  ports.giveBack(100);
  expect([ports.take(), ports.take()]).toEqual([100, undefined]);
});

test("they begin anywhere in the range", () => {
  const ports = freePorts({ from: 100, to: 107 }, 6);
  expect([ports.take(), ports.take(), ports.take()]).toEqual([104, 106, 100]);
  const firsts = new Set(Array.from({ length: 200 }, () => freePorts({ from: 100, to: 107 }).take()));
  expect(firsts).toEqual(new Set([100, 102, 104, 106]));
});
