import { expect, test } from "vitest";
import { requestTo } from "../../../test/phones/sip-phones.ts";
import type { Source } from "../../sip/transport/transport.ts";
import { type Home, type Residence, screenElsewhere } from "./residence.ts";

const phone: Source = { transport: "udp", address: "192.0.2.10", port: 5062, listener: "udp 192.0.2.1:5060" };
const behindEdge: Source = { ...phone, client: { address: "203.0.113.7", port: 40_001 } };
const SILENT = { name: "X-Santral-Silent", value: " 10.0.0.2:5060" };
const soon: Home = { at: undefined, isKnown: true, isSoon: true };

function open(home: Home, isOurs = false) {
  const state = { home, isOurs };
  const silent: (string | undefined)[] = [];
  const ofNew: Residence["ofNew"] = (_, it) => {
    silent.push(it);
    return () => state.home;
  };
  const screen = screenElsewhere({ ofNew } as Residence, () => state.isOurs);
  return { state, silent, screen };
}

const again = { name: "Retry-After", value: "2" };

test("a phone that asks a node itself waits while nobody has its exchange, and then is taken or sent away", () => {
  const { state, screen } = open(soon);
  const look = screen(requestTo("REGISTER"), phone);
  if (typeof look !== "function") throw new Error("it does not wait");
  expect(look()).toBe("wait");
  state.home = { at: "10.0.0.3:5060", isKnown: true, isSoon: false };
  expect(look()).toEqual({ status: 503, headers: [again] });
  state.home = "here";
  expect(look()).toBe("pass");
});

test("an edge is answered at once until it says that it waits, and then is told who has it", () => {
  const { state, silent, screen } = open(soon);
  expect(screen(requestTo("INVITE"), behindEdge)).toEqual({ status: 503, headers: [again] });
  const look = screen(requestTo("INVITE", { headers: [SILENT] }), behindEdge);
  if (typeof look !== "function") throw new Error("it does not wait");
  state.home = { at: "10.0.0.3:5060", isKnown: true, isSoon: false };
  expect(look()).toEqual({ status: 503, headers: [again, { name: "X-Santral-Owner", value: "10.0.0.3:5060" }] });
  expect(silent).toEqual([undefined, "10.0.0.2:5060"]);
});

test("nobody but an edge is believed about who is silent", () => {
  const { silent, screen } = open("here");
  expect(screen(requestTo("REGISTER", { headers: [SILENT] }), phone)).toBe("pass");
  expect(silent).toEqual([undefined]);
});

test("a carrier's call to a number that is loaded meanwhile is taken; what is about a call never waits here", () => {
  const { state, screen } = open({ ...soon, isKnown: false });
  const look = screen(requestTo("INVITE"), phone);
  if (typeof look !== "function") throw new Error("it does not wait");
  state.isOurs = true;
  expect(look()).toBe("pass");
  expect(screen(requestTo("OPTIONS"), phone)).toBe("pass");
});
