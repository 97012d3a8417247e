import { expect, test } from "vitest";
import { testClock } from "../../../test/ground/test-clock.ts";
import { failUnexpected } from "../../../test/ground/unexpected.ts";
import { requestTo } from "../../../test/phones/sip-phones.ts";
import { Machine } from "../../machine.ts";
import { responseTo } from "../respond.ts";
import { begin, table } from "./client.ts";

function askOver(transport: "udp" | "tcp") {
  const clock = testClock();
  const heard: string[] = [];
  const machine = new Machine(table, begin({ octets: "OPTIONS", reliable: transport === "tcp" }), clock, {
    unexpected: failUnexpected,
    perform(effect) {
      if (effect.do === "send") heard.push("sent");
      else if (effect.do === "pass") heard.push(`passed ${effect.response.status}`);
      else heard.push(effect.do === "report" ? effect.failure : "finished");
    },
  });
  const respond = (status: number) => {
    const response = responseTo(requestTo("OPTIONS"), status);
    machine.receive({ is: status < 200 ? "provisional" : status < 300 ? "success" : "failure", response });
  };
  return { clock, heard, respond, receive: machine.receive.bind(machine), at: () => machine.state().at };
}

test("over UDP a lost request is sent again at growing pauses of up to 4 s, and given up at 32 s", () => {
  const asked = askOver("udp");
  const times = [500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500];
  let now = 0;
  for (const [at, time] of times.entries()) {
    asked.clock.pass(time - 1 - now);
    expect(asked.heard).toHaveLength(at + 1);
    asked.clock.pass(1);
    now = time;
    expect(asked.heard).toHaveLength(at + 2);
  }
  asked.clock.pass(500);
  expect(asked.heard.slice(-2)).toEqual(["finished", "timeout"]);
  expect(asked.clock.waiting()).toBe(0);
});

test("over TCP it is sent once and given up at 32 s", () => {
  const asked = askOver("tcp");
  asked.clock.pass(32_000);
  expect(asked.heard).toEqual(["sent", "finished", "timeout"]);
});

test("a server that is at it is reminded only every 4 s", () => {
  const asked = askOver("udp");
  asked.respond(100);
  asked.respond(182);
  asked.clock.pass(8_000);
  expect(asked.heard).toEqual(["sent", "passed 100", "passed 182", "sent", "sent"]);
  asked.clock.pass(24_000);
  expect(asked.heard.at(-1)).toBe("timeout");
});

test("over TCP a server that is at it is not reminded at all", () => {
  const asked = askOver("tcp");
  asked.respond(100);
  asked.clock.pass(31_999);
  expect(asked.heard).toEqual(["sent", "passed 100"]);
});

test.each([200, 404])("a final %i is passed on once, and repeats of it are swallowed for 5 s", (status) => {
  const asked = askOver("udp");
  asked.respond(status);
  asked.respond(status);
  asked.clock.pass(4_999);
  expect(asked.heard).toEqual(["sent", `passed ${status}`]);
  asked.clock.pass(1);
  expect(asked.heard.at(-1)).toBe("finished");
  expect(asked.clock.waiting()).toBe(0);
});

test("over TCP a final response ends it at once", () => {
  const asked = askOver("tcp");
  asked.respond(200);
  expect(asked.heard).toEqual(["sent", "finished", "passed 200"]);
  expect(asked.clock.waiting()).toBe(0);
});

test("an unreachable network is reported at once, before and after the first sign of life", () => {
  for (const first of [undefined, 100]) {
    const asked = askOver("udp");
    if (first) asked.respond(first);
    asked.receive({ is: "transportFailed" });
    expect(asked.heard.slice(-2)).toEqual(["finished", "unreachable"]);
    expect(asked.clock.waiting()).toBe(0);
  }
});
