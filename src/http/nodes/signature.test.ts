import { expect, test } from "vitest";
import { testClock } from "../../../test/ground/test-clock.ts";
import { openSignatures } from "./signature.ts";

const SECRET = "a secret of thirty-two letters or more";
const line = { method: "POST", url: "/contacts?key=x" };
const passed = { node: "one", address: "2001:db8::1" };

function both(secret = SECRET) {
  const clock = testClock();
  return { clock, ours: openSignatures(SECRET, clock), theirs: openSignatures(secret, clock) };
}

test("who knows the secret is believed, once, for this very request", () => {
  const { ours, theirs } = both();
  const signed = ours.sign(passed, line);
  expect(theirs.verify(signed, { ...line, method: "DELETE" })).toBeUndefined();
  expect(theirs.verify(signed, { ...line, url: "/contacts?key=y" })).toBeUndefined();
  expect(theirs.verify(signed.replace("2001", "2002"), line)).toBeUndefined();
  expect(theirs.verify(signed, line)).toEqual(passed);
  expect(theirs.verify(signed, line), "a second time").toBeUndefined();
});

test("another secret, an old signature and a made-up one are not believed", () => {
  const { clock, ours, theirs } = both();
  expect(both("another secret of thirty-two letters").theirs.verify(ours.sign(passed, line), line)).toBeUndefined();
  const old = ours.sign(passed, line);
  clock.pass(61_000);
  expect(theirs.verify(old, line)).toBeUndefined();
  for (const made of ["", "one", "one 1 2 3 4", `${ours.sign(passed, line)} more`, "a b c %E0%A4%A d"])
    expect(theirs.verify(made, line)).toBeUndefined();
});
