import { expect, test } from "vitest";
import { testClock } from "../../../test/ground/test-clock.ts";
import { failUnexpected } from "../../../test/ground/unexpected.ts";
import { Machine } from "../../machine.ts";
import { begin, table } from "./invite-server.ts";

function callOver(transport: "udp" | "tcp") {
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
    machine.receive({ is: status < 200 ? "provisional" : status < 300 ? "success" : "failure", octets: `${status}` });
  return { clock, heard, respond, receive: machine.receive.bind(machine), at: () => machine.state().at };
}

test("a caller who hears nothing for 0.2 s gets a 100, and one who has heard something does not", () => {
  const silent = callOver("udp");
  silent.clock.pass(199);
  expect(silent.heard).toEqual([]);
  silent.clock.pass(1);
  expect(silent.heard).toEqual(["trying"]);
  const ringing = callOver("udp");
  ringing.respond(180);
  ringing.clock.pass(200);
  expect(ringing.heard).toEqual(["180"]);
});

test("an INVITE that comes again hears the last thing said, or nothing when nothing was", () => {
  const call = callOver("udp");
  call.receive({ is: "again" });
  call.respond(180);
  call.respond(183);
  call.receive({ is: "again" });
  expect(call.heard).toEqual(["180", "183", "183"]);
});

test("an answered INVITE lingers 32 s and swallows its repeats, over any transport", () => {
  for (const transport of ["udp", "tcp"] as const) {
    const call = callOver(transport);
    call.respond(200);
    call.receive({ is: "again" });
    call.receive({ is: "ack" });
    call.receive({ is: "transportFailed" });
    expect(call.heard).toEqual(["200"]);
    expect(call.at()).toBe("accepted");
    call.clock.pass(31_999);
    expect(call.at()).toBe("accepted");
    call.clock.pass(1);
    expect(call.heard).toEqual(["200", "finish"]);
    expect(call.clock.waiting()).toBe(0);
  }
});

test("over UDP a refusal is sent again until the ACK, at pauses of up to 4 s", () => {
  const call = callOver("udp");
  call.respond(486);
  call.clock.pass(500);
  call.clock.pass(1_000);
  call.clock.pass(2_000);
  call.clock.pass(4_000);
  call.clock.pass(4_000);
  expect(call.heard).toHaveLength(6);
  call.receive({ is: "again" });
  expect(call.heard).toHaveLength(7);
  call.receive({ is: "ack" });
  expect(call.at()).toBe("confirmed");
  call.receive({ is: "ack" });
  call.receive({ is: "again" });
  expect(call.heard).toHaveLength(7);
  call.clock.pass(5_000);
  expect(call.heard.at(-1)).toBe("finish");
  expect(call.clock.waiting()).toBe(0);
});

test("over TCP a refusal is sent once, and its ACK ends it at once", () => {
  const call = callOver("tcp");
  call.respond(486);
  call.clock.pass(20_000);
  expect(call.heard).toEqual(["486"]);
  call.receive({ is: "ack" });
  expect(call.heard).toEqual(["486", "finish"]);
  expect(call.clock.waiting()).toBe(0);
});

test.each(["udp", "tcp"] as const)("over %s a refusal nobody acknowledges is given up after 32 s", (transport) => {
  const call = callOver(transport);
  call.respond(503);
  call.clock.pass(32_000);
  expect(call.heard.slice(-2)).toEqual(["finish", "timeout"]);
  expect(call.clock.waiting()).toBe(0);
});

test("a caller who cannot be reached any more is reported", () => {
  for (const status of [180, 486]) {
    const call = callOver("udp");
    call.respond(status);
    call.receive({ is: "transportFailed" });
    expect(call.heard.slice(-2)).toEqual(["finish", "unreachable"]);
    expect(call.clock.waiting()).toBe(0);
  }
});
