import { expect, test } from "vitest";
import { testClock } from "../../test/ground/test-clock.ts";
import { bobAnswers, line, NOTHING_LEFT } from "../../test/phones/sip-phones.ts";
import type { Incoming } from "./incoming.ts";
import { LostCalls, type Whose } from "./lost-calls.ts";

function open(whose?: Whose) {
  const clock = testClock();
  const answers: [number, string[]][] = [];
  const incoming = {
    reply: (status: number, { headers = [] }: { headers?: { name: string; value: string }[] } = {}) =>
      answers.push([status, headers.map(({ name, value }) => `${name}: ${value}`)]),
  } as unknown as Incoming;
  const lost = new LostCalls({ clock, seek: whose && (() => whose) });
  return { clock, answers, take: (found: () => boolean = () => false) => lost.take(incoming, found) };
}

test("a call that nobody knows is nobody's at once, and another's is told so", () => {
  const alone = open();
  alone.take();
  expect(alone.answers).toEqual([[481, []]]);
  const elsewhere = open(() => ({ headers: [{ name: "X-Santral-Owner", value: "10.0.0.2:5060" }] }));
  elsewhere.take();
  expect(elsewhere.answers).toEqual([[503, ["X-Santral-Owner: 10.0.0.2:5060"]]]);
});

test("what may be ours soon waits, and goes to whoever knows it by then", () => {
  const { clock, answers, take } = open(() => "soon");
  let isKnown = false;
  take(() => isKnown);
  clock.pass(10_000);
  expect(answers).toEqual([]);
  isKnown = true;
  clock.pass(60_000);
  expect(answers).toEqual([]);
});

test("nobody waits for ever, nor longer than somebody knows whose it is", () => {
  const patient = open(() => "soon");
  patient.take();
  patient.clock.pass(19_000);
  expect(patient.answers).toEqual([]);
  patient.clock.pass(2_000);
  expect(patient.answers).toEqual([[503, ["Retry-After: 2"]]]);
  let whose: ReturnType<Whose> = "soon";
  const { clock, answers, take } = open(() => whose);
  take();
  take();
  clock.pass(1_000);
  whose = "nobody";
  clock.pass(1_000);
  expect(answers).toEqual([
    [481, []],
    [481, []],
  ]);
});

const EDGE = "192.0.2.41";
const PHONE_VIA = "Via: SIP/2.0/TLS 198.51.100.7:40001;branch=z9hG4bKphone";

function said(method: string, vias: string[], callId = "one"): string {
  const rest = [
    `From: <sip:1000@a.example>;tag=a`,
    "To: <sip:1001@a.example>",
    `Call-ID: ${callId}`,
    `CSeq: 1 ${method}`,
    "Contact: <sip:1000@198.51.100.7:40001>",
    "Content-Length: 0",
  ];
  return `${[`${method} sip:1001@a.example SIP/2.0`, ...vias, "Max-Forwards: 70", ...rest].join("\r\n")}\r\n\r\n`;
}

test("what an edge tells every node as it came takes back the INVITE that it passed on, and no other", () => {
  const town = line();
  const edge = town.network.attach({ address: EDGE, name: "udp" });
  const { calls } = bobAnswers(town, { afterMs: 60_000 });
  const say = (text: string) => {
    edge.send(text, town.toBob);
    town.clock.pass(100);
  };
  say(said("INVITE", [`Via: SIP/2.0/UDP ${EDGE}:5060;branch=z9hG4bKedge`, PHONE_VIA]));
  say(said("CANCEL", [PHONE_VIA.replace("40001", "40002")], "another"));
  say(said("CANCEL", [PHONE_VIA.replace("phone", "guessed")]));
  expect(calls).toEqual([]);
  say(said("CANCEL", [PHONE_VIA]));
  expect(calls).toEqual(["cancelled"]);
  town.clock.pass(60_000);
  expect(town.bob.load()).toEqual(NOTHING_LEFT);
});
