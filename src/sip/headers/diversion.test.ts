import { expect, test } from "vitest";
import type { Header, Request } from "../message/message.ts";
import { type Diversion, diversionsOf, printDiversions, printHistory } from "./diversion.ts";

const carrying = (...headers: Header[]): Request => ({
  is: "request",
  method: "INVITE",
  uri: "sip:x",
  headers,
  body: "",
});
const header = (name: string, value: string) => ({ name, value });

const busyThenAway: Diversion[] = [
  { uri: "sip:1001@a.example", display: "Bob", reason: "no-answer", hidden: false },
  { uri: "sip:908505320000@a.example", display: "", reason: "user-busy", hidden: true },
];

test("what is printed as Diversion is read again, the last first", () => {
  const printed = printDiversions(busyThenAway);
  expect(printed).toEqual([
    header("Diversion", '"Bob" <sip:1001@a.example>;reason=no-answer;counter=1;privacy=off'),
    header("Diversion", "<sip:908505320000@a.example>;reason=user-busy;counter=1;privacy=full"),
  ]);
  expect(diversionsOf(carrying(...printed))).toEqual(busyThenAway);
});

test("what is printed as History-Info is read again", () => {
  const printed = printHistory(busyThenAway, "sip:905321234567@carrier.example");
  expect(printed).toEqual([
    header(
      "History-Info",
      "<sip:908505320000@a.example?Reason=SIP%3Bcause%3D486&Privacy=history>;index=1, " +
        '"Bob" <sip:1001@a.example?Reason=SIP%3Bcause%3D408>;index=1.1;mp=1, ' +
        "<sip:905321234567@carrier.example>;index=1.1.1;mp=1.1",
    ),
  ]);
  expect(diversionsOf(carrying(...printed))).toEqual(busyThenAway);
  expect(printHistory([], "sip:x@y")).toEqual([]);
});

test("the cause may stand at the next target, and who only passed it on has not sent it on", () => {
  const history =
    "<sip:1000@a.example>;index=1, <sip:1000@b.example>;index=1.1;rc=1, <sip:1001@b.example;cause=302>;index=1.2;mp=1.1";
  expect(diversionsOf(carrying(header("History-Info", history)))).toEqual([
    { uri: "sip:1000@b.example", display: "", reason: "unconditional", hidden: false },
  ]);
});

test.each(["<sip:1000@a.example", '"x', "*", "", "<sip:1000@a.example>;index=1"])("%s says nothing", (value) => {
  expect(diversionsOf(carrying(header("History-Info", value)))).toEqual([]);
  if (!value.includes("index")) expect(diversionsOf(carrying(header("Diversion", value)))).toEqual([]);
});

test("an endless list is cut", () => {
  const many = Array.from({ length: 500 }, () => header("Diversion", "<sip:1@a.example>;reason=whatever"));
  expect(diversionsOf(carrying(...many))).toHaveLength(10);
  expect(diversionsOf(carrying(...many))[0]?.reason).toBe("unknown");
});
