import { expect, test } from "vitest";
import { openReadingOrder } from "./reading-order.ts";

const message = (first: string, to = "To: <sip:1001@town.example>") =>
  `${first} SIP/2.0\r\nCall-ID: x\r\n${to}\r\n\r\n`;

function reading() {
  const heard: string[] = [];
  const order = openReadingOrder(
    (octets, address, port) => void heard.push(`${octets.split(" ")[0]} ${address}:${port}`),
  );
  const take = (octets: string, port: number) => order.take(octets, "10.0.0.9", port);
  return { heard, take, rest: order.rest };
}

test("what belongs to calls that are up is heard before those that begin", () => {
  const { heard, take, rest } = reading();
  take(message("INVITE sip:a"), 1);
  take(message("BYE sip:b", "To: <sip:b@town.example>;tag=1"), 2);
  take(message("INVITE sip:c"), 3);
  take(message("INVITE sip:d", "t : Somebody <sip:d@town.example> ; tag=2"), 4);
  take("\r\n\r\n", 5);
  expect(heard).toEqual(["BYE 10.0.0.9:2", "INVITE 10.0.0.9:4", "\r\n\r\n 10.0.0.9:5"]);
  rest();
  rest();
  expect(heard.slice(3)).toEqual(["INVITE 10.0.0.9:1", "INVITE 10.0.0.9:3"]);
});

test("nobody takes back a call that has not been heard of yet", () => {
  const { heard, take, rest } = reading();
  take(message("INVITE sip:a"), 1);
  take(message("CANCEL sip:a"), 1);
  rest();
  expect(heard).toEqual(["INVITE 10.0.0.9:1", "CANCEL 10.0.0.9:1"]);
});
