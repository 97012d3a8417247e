import { expect, test } from "vitest";
import { testClock } from "../../../../test/ground/test-clock.ts";
import { failUnexpected } from "../../../../test/ground/unexpected.ts";
import { Machine } from "../../../machine.ts";
import { begin, table } from "./health.ts";

function watched(health: "up" | "down") {
  const clock = testClock();
  const did: string[] = [];
  const machine = new Machine(table, begin(health), clock, {
    perform: (effect) => void did.push(effect.do === "tell" ? effect.health : effect.do),
    unexpected: failUnexpected,
  });
  return { clock, did, machine, receive: (is: "answered" | "failed" | "stop") => machine.receive({ is }) };
}

test("two failures in a row take it down, two answers bring it back", () => {
  const { clock, did, receive } = watched("up");
  for (const is of ["failed", "failed", "answered", "answered"] as const) {
    receive(is);
    clock.pass(10_000);
  }
  expect(did).toEqual(["ask", "ask", "down", "ask", "ask", "up"]);
});

test("calls that fail between two checks bring the next one forward, and it stays one", () => {
  const { clock, did, receive } = watched("up");
  receive("answered");
  for (let call = 0; call < 5; call++) {
    clock.pass(1_000);
    receive("failed");
    receive("answered");
  }
  expect(clock.waiting()).toBe(1);
  clock.pass(30_000);
  expect(did).toEqual(["ask", "ask"]);
});

test("a stopped watch takes what is still on its way, and asks no more", () => {
  const { clock, machine, receive } = watched("down");
  receive("answered");
  receive("stop");
  receive("failed");
  expect(clock.waiting()).toBe(0);
  expect(machine.state().at).toBe("stopped");
});
