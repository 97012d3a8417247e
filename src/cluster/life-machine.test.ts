import { expect, test } from "vitest";
import { testClock } from "../../test/ground/test-clock.ts";
import { failUnexpected } from "../../test/ground/unexpected.ts";
import { Machine } from "../machine.ts";
import { LIFE_MS } from "../store/nodes.ts";
import { CERTAIN_MS, type LifeInput, lifeBegins, lifeTable } from "./life-machine.ts";

function open() {
  const clock = testClock();
  const did: string[] = [];
  const machine = new Machine(lifeTable, lifeBegins, clock, {
    perform: (effect) => void did.push(effect.do),
    unexpected: failUnexpected,
  });
  const renewed = (sentAgoMs = 0, wanted: "up" | "draining" = "up") =>
    machine.receive({ is: "renewed", wanted, sentAgoMs });
  return { clock, did, machine, renewed, at: () => machine.state().at };
}

test("a node acts from its first renewal on, for as long as one follows the other", () => {
  const { clock, did, renewed, at } = open();
  expect(at()).toBe("starting");
  renewed();
  for (let second = 0; second < 60; second++) {
    clock.pass(1_000);
    renewed();
  }
  expect(at()).toBe("up");
  expect(did).toEqual(["act"]);
});

test("it doubts well before its life ends, and acts again when the database is back and nobody took anything", () => {
  const { clock, did, renewed, at } = open();
  renewed();
  clock.pass(CERTAIN_MS - 1);
  expect(at()).toBe("up");
  clock.pass(1);
  expect(at()).toBe("doubtful");
  expect(CERTAIN_MS).toBeLessThan(LIFE_MS - 1_000);
  clock.pass(600_000);
  renewed();
  expect(at()).toBe("up");
  expect(did).toEqual(["act", "quiet", "act"]);
});

test("time counts from when a renewal was sent: an answer that lay in front of a sleeper is worth nothing", () => {
  const { clock, did, renewed, at } = open();
  renewed(CERTAIN_MS - 500);
  clock.pass(499);
  expect(at()).toBe("up");
  clock.pass(1);
  expect(at()).toBe("doubtful");
  renewed(CERTAIN_MS);
  expect(at()).toBe("doubtful");
  expect(did).toEqual(["act", "quiet"]);
});

test("what another has taken is over for good", () => {
  for (const before of ["starting", "up", "draining", "doubtful"] as const) {
    const { clock, did, machine, renewed, at } = open();
    if (before !== "starting") renewed(0, before === "draining" ? "draining" : "up");
    if (before === "doubtful") clock.pass(CERTAIN_MS);
    expect(at()).toBe(before);
    machine.receive({ is: "superseded" });
    for (const late of [{ is: "superseded" }, { is: "renewed", wanted: "up", sentAgoMs: 0 }] satisfies LifeInput[])
      machine.receive(late);
    clock.pass(60_000);
    expect(at()).toBe("over");
    expect(did.at(-1)).toBe("end");
    expect(did.filter((it) => it === "end")).toHaveLength(1);
  }
});

test("it gives its exchanges away when it is told to, and keeps them when it is told again", () => {
  const { clock, did, renewed, at } = open();
  renewed();
  renewed(0, "draining");
  expect(at()).toBe("draining");
  clock.pass(CERTAIN_MS);
  expect(at()).toBe("doubtful");
  renewed(0, "draining");
  renewed(0, "up");
  expect(at()).toBe("up");
  expect(did).toEqual(["act", "drain", "quiet", "act", "drain", "act"]);
});
