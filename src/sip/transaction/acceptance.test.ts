import { expect, test } from "vitest";
import { testClock } from "../../../test/ground/test-clock.ts";
import { failUnexpected } from "../../../test/ground/unexpected.ts";
import { Machine } from "../../machine.ts";
import { begin, table } from "./acceptance.ts";

function answer() {
  const clock = testClock();
  const heard: string[] = [];
  const machine = new Machine(table, begin("200"), clock, {
    unexpected: failUnexpected,
    perform: (effect) => void heard.push(effect.do === "send" ? effect.octets : effect.do),
  });
  return { clock, heard, receive: machine.receive.bind(machine) };
}

test("an answer is repeated at pauses of up to 4 s until its ACK is here", () => {
  const answered = answer();
  for (const pause of [500, 1_000, 2_000, 4_000, 4_000]) answered.clock.pass(pause);
  expect(answered.heard).toEqual(["200", "200", "200", "200", "200"]);
  answered.receive({ is: "ack" });
  answered.receive({ is: "ack" });
  expect(answered.heard.slice(5)).toEqual(["finish"]);
  expect(answered.clock.waiting()).toBe(0);
});

test("an answer nobody acknowledges is reported after 32 s", () => {
  const answered = answer();
  answered.clock.pass(32_000);
  expect(answered.heard.slice(-2)).toEqual(["finish", "report"]);
  expect(answered.clock.waiting()).toBe(0);
});
