import { expect, test } from "vitest";
import { testClock } from "../../../test/ground/test-clock.ts";
import { failUnexpected } from "../../../test/ground/unexpected.ts";
import { requestTo } from "../../../test/phones/sip-phones.ts";
import { Machine } from "../../machine.ts";
import { headerOf, type Response } from "../message/message.ts";
import { responseTo } from "../respond.ts";
import { ackForRefusal, cancelFor } from "./follow-up.ts";
import { begin, table } from "./invite-client.ts";

function callOver(transport: "udp" | "tcp") {
  const clock = testClock();
  const heard: string[] = [];
  const request = requestTo("INVITE", { headers: [{ name: "Route", value: "<sip:192.0.2.9;lr>" }] });
  request.headers.unshift({ name: "Via", value: "SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1" });
  const machine = new Machine(table, begin({ request, octets: "INVITE", reliable: transport === "tcp" }), clock, {
    unexpected: failUnexpected,
    perform(effect) {
      if (effect.do === "send") heard.push(`sent ${effect.octets.split("\r\n")[0]}`);
      else if (effect.do === "cancel") heard.push(`cancelled ${effect.request.method}`);
      else if (effect.do === "pass") heard.push(`passed ${effect.response.status}`);
      else if (effect.do === "report") heard.push(effect.failure);
      else heard.push("finished");
    },
  });
  const respond = (status: number) => {
    const response: Response = responseTo(request, status, { toTag: "b" });
    machine.receive({ is: status < 200 ? "provisional" : status < 300 ? "success" : "failure", response });
  };
  return { clock, heard, respond, receive: machine.receive.bind(machine), at: () => machine.state().at };
}

const ACK = "sent ACK sip:bob@192.0.2.2 SIP/2.0";

test("over UDP a lost INVITE is sent again at 0.5, 1.5, 3.5, 7.5, 15.5 and 31.5 s, and given up at 32 s", () => {
  const call = callOver("udp");
  const times = [0, 500, 1_500, 3_500, 7_500, 15_500, 31_500];
  for (const [at, time] of times.entries()) {
    call.clock.pass(time - (times[at - 1] ?? 0));
    expect(call.heard).toHaveLength(at + 1);
  }
  call.clock.pass(499);
  expect(call.at()).toBe("calling");
  call.clock.pass(1);
  expect(call.heard.slice(7)).toEqual(["finished", "timeout"]);
  expect(call.clock.waiting()).toBe(0);
});

test("over TCP an INVITE is sent once, and given up at 32 s all the same", () => {
  const call = callOver("tcp");
  call.clock.pass(31_999);
  expect(call.heard).toEqual(["sent INVITE"]);
  call.clock.pass(1);
  expect(call.heard.at(-1)).toBe("timeout");
});

test("a ringing phone stops the resending, and the caller may wait as long as he likes", () => {
  const call = callOver("udp");
  call.respond(100);
  call.respond(180);
  call.clock.pass(600_000);
  expect(call.heard).toEqual(["sent INVITE", "passed 100", "passed 180"]);
});

test("busy: the refusal is acknowledged each time it comes, passed on once, and forgotten after 32 s", () => {
  const call = callOver("udp");
  call.respond(486);
  call.respond(486);
  expect(call.heard).toEqual(["sent INVITE", ACK, "passed 486", ACK]);
  call.clock.pass(31_999);
  expect(call.at()).toBe("completed");
  call.clock.pass(1);
  expect(call.at()).toBe("terminated");
  expect(call.heard.at(-1)).toBe("finished");
});

test("over TCP a refusal ends it at once: nothing comes twice", () => {
  const call = callOver("tcp");
  call.respond(180);
  call.respond(603);
  expect(call.heard.slice(2)).toEqual([ACK, "passed 603", "finished"]);
  expect(call.clock.waiting()).toBe(0);
});

test("the ACK of a refusal has the INVITE's Via, Route and number, and the refusal's To", () => {
  const request = requestTo("INVITE", { headers: [{ name: "Route", value: "<sip:192.0.2.9;lr>" }] });
  request.headers.unshift({ name: "Via", value: "SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1" });
  const ack = ackForRefusal(request, responseTo(request, 404, { toTag: "b" }));
  expect(headerOf(ack, "Via")).toBe("SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1");
  expect(headerOf(ack, "Route")).toBe("<sip:192.0.2.9;lr>");
  expect(headerOf(ack, "To")).toBe("<sip:bob@192.0.2.2>;tag=b");
  expect(headerOf(ack, "CSeq")).toBe("1 ACK");
  const cancel = cancelFor(request, "SIP;cause=200");
  expect(headerOf(cancel, "To")).toBe("<sip:bob@192.0.2.2>");
  expect(headerOf(cancel, "CSeq")).toBe("1 CANCEL");
  expect(headerOf(cancel, "Reason")).toBe("SIP;cause=200");
});

test("each answer of a forked call is handed over, for 32 s", () => {
  const call = callOver("udp");
  call.respond(200);
  call.respond(200);
  call.respond(180);
  call.respond(486);
  expect(call.heard).toEqual(["sent INVITE", "passed 200", "passed 200"]);
  expect(call.at()).toBe("accepted");
  call.clock.pass(32_000);
  expect(call.heard.at(-1)).toBe("finished");
  expect(call.clock.waiting()).toBe(0);
});

test("an unreachable network is reported while somebody waits for news, and not afterwards", () => {
  for (const before of [[], [180], ["cancel"]] as const) {
    const call = callOver("udp");
    if (before[0] === 180) call.respond(180);
    if (before[0] === "cancel") call.receive({ is: "cancel" });
    call.receive({ is: "transportFailed" });
    expect(call.heard.slice(-2)).toEqual(["finished", "unreachable"]);
  }
  const refused = callOver("udp");
  refused.respond(486);
  refused.receive({ is: "transportFailed" });
  expect(refused.heard.at(-1)).toBe("finished");
  const answered = callOver("udp");
  answered.respond(200);
  answered.receive({ is: "transportFailed" });
  expect(answered.at()).toBe("accepted");
});

test("a CANCEL waits for the first sign of life, then goes out once", () => {
  const call = callOver("udp");
  call.receive({ is: "cancel" });
  expect(call.heard).toEqual(["sent INVITE"]);
  call.respond(100);
  expect(call.heard.slice(1)).toEqual(["passed 100", "cancelled CANCEL"]);
  call.receive({ is: "cancel" });
  call.respond(487);
  expect(call.heard.slice(3)).toEqual([ACK, "passed 487"]);
});

test("a phone that answers before the CANCEL can go out has answered", () => {
  const call = callOver("udp");
  call.receive({ is: "cancel" });
  call.respond(200);
  expect(call.heard).toEqual(["sent INVITE", "passed 200"]);
});

test("a phone that hears the CANCEL and says nothing more is given up after 32 s", () => {
  const call = callOver("udp");
  call.respond(180);
  call.receive({ is: "cancel" });
  call.clock.pass(32_000);
  expect(call.heard.slice(2)).toEqual(["cancelled CANCEL", "finished", "timeout"]);
});
