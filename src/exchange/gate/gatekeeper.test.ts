import { expect, test } from "vitest";
import { testClock } from "../../../test/ground/test-clock.ts";
import type { Header, Request } from "../../sip/message/message.ts";
import { openGatekeeper, TRY_AGAIN } from "./gatekeeper.ts";

const request = (branch: string, changes: { method?: string; to?: string; headers?: Header[] } = {}): Request => {
  const { method = "INVITE", to = "<sip:1001@town.example>", headers = [] } = changes;
  return {
    is: "request",
    method,
    uri: "sip:1001@town.example",
    headers: [
      { name: "Via", value: `SIP/2.0/UDP 10.0.0.9;branch=z9hG4bK${branch}` },
      { name: "From", value: "<sip:1000@town.example>;tag=me" },
      { name: "To", value: to },
      { name: "Call-ID", value: branch },
      { name: "CSeq", value: `1 ${method}` },
      ...headers,
    ],
    body: "",
  };
};

function doorWith() {
  const clock = testClock();
  const gate = { shut: false, turned: 0 };
  const look = openGatekeeper(clock, { isShut: () => gate.shut, turnedAway: () => void gate.turned++ });
  return { clock, gate, look };
}

test("while the gate is shut a new call is told to try again, and what belongs to a call goes through", () => {
  const { gate, look } = doorWith();
  expect(look(request("a"))).toBe("pass");
  gate.shut = true;
  expect(look(request("b"))).toEqual(TRY_AGAIN);
  expect(look(request("c", { to: "<sip:1001@town.example>;tag=you" }))).toBe("pass");
  expect(look(request("d", { headers: [{ name: "Replaces", value: "x;to-tag=1;from-tag=2" }] }))).toBe("pass");
  for (const method of ["BYE", "CANCEL", "REGISTER", "OPTIONS"]) expect(look(request("e", { method }))).toBe("pass");
  expect(gate.turned).toBe(1);
});

test("a copy of a refused call is refused too, when there is room again: its caller has gone", () => {
  const { gate, look, clock } = doorWith();
  gate.shut = true;
  look(request("a"));
  gate.shut = false;
  clock.pass(20_000);
  expect(look(request("a"))).toEqual(TRY_AGAIN);
  expect(look(request("again"))).toBe("pass");
  expect(gate.turned).toBe(1);
  clock.pass(32_000);
  expect(look(request("a"))).toBe("pass");
});

test("under a storm it remembers the last ones, not all", () => {
  const { gate, look } = doorWith();
  gate.shut = true;
  for (let calls = 0; calls < 50_000; calls++) look(request(`storm-${calls}`));
  gate.shut = false;
  expect(look(request("storm-0"))).toBe("pass");
  expect(look(request("storm-49999"))).toEqual(TRY_AGAIN);
});
