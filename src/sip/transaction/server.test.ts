import { expect, test } from "vitest";
import { testClock } from "../../../test/ground/test-clock.ts";
import { failUnexpected } from "../../../test/ground/unexpected.ts";
import { Machine } from "../../machine.ts";
import { begin, table } from "./server.ts";

function askedOver(transport: "udp" | "tcp") {
  const clock = testClock();
  const heard: string[] = [];
  const machine = new Machine(table, begin(transport === "tcp"), clock, {
    unexpected: failUnexpected,
    perform(effect) {
      if (effect.do === "send") heard.push(effect.octets);
      else heard.push(effect.do === "report" ? effect.failure : effect.do);
    },
  });
  const respond = (status: number) =>
    machine.receive({ is: status < 200 ? "provisional" : "final", octets: `${status}` });
  return { clock, heard, respond, receive: machine.receive.bind(machine), at: () => machine.state().at };
}

test("before anything is said a repeated request is swallowed", () => {
  const asked = askedOver("udp");
  asked.receive({ is: "again" });
  expect(asked.heard).toEqual([]);
});

test("a repeated request hears the last thing said", () => {
  const asked = askedOver("udp");
  asked.respond(100);
  asked.receive({ is: "again" });
  asked.respond(182);
  asked.receive({ is: "again" });
  asked.respond(200);
  asked.receive({ is: "again" });
  expect(asked.heard).toEqual(["100", "100", "182", "182", "200", "200"]);
});

test("over UDP a final response is kept for 32 s, and no second one is sent", () => {
  const asked = askedOver("udp");
  asked.respond(200);
  asked.respond(500);
  asked.clock.pass(31_999);
  expect(asked.heard).toEqual(["200"]);
  asked.clock.pass(1);
  expect(asked.heard).toEqual(["200", "finish"]);
  expect(asked.clock.waiting()).toBe(0);
});

test("over TCP a final response ends it at once", () => {
  const asked = askedOver("tcp");
  asked.respond(100);
  asked.respond(200);
  expect(asked.heard).toEqual(["100", "200", "finish"]);
  expect(asked.clock.waiting()).toBe(0);
});

test("a sender who cannot be reached any more is reported", () => {
  for (const said of [[], [100], [200]]) {
    const asked = askedOver("udp");
    for (const status of said) asked.respond(status);
    asked.receive({ is: "transportFailed" });
    expect(asked.heard.slice(-2)).toEqual(["finish", "unreachable"]);
    expect(asked.clock.waiting()).toBe(0);
  }
});
