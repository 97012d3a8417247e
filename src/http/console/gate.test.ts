import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { clientAddressBehind } from "../door/client-address.ts";
import { openGate } from "./gate.ts";

const from = (remoteAddress: string, forwardedFor?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor },
  }) as unknown as IncomingMessage;

test("this machine and private networks may come in, the world may not", () => {
  const gate = openGate([], clientAddressBehind([]));
  for (const near of ["127.0.0.1", "10.1.2.3", "172.31.0.1", "192.168.1.7", "::1", "::ffff:10.0.0.1", "fd00::1"])
    expect(gate(from(near)).admitted, near).toBe(true);
  for (const far of ["203.0.113.7", "172.32.0.1", "2001:db8::1", "11.0.0.1"])
    expect(gate(from(far)).admitted, far).toBe(false);
});

test("a proxy nobody told us of hides the world, so nobody behind it comes in", () => {
  expect(openGate([], clientAddressBehind([]))(from("127.0.0.1", "10.0.0.1")).admitted).toBe(false);
  const known = openGate([], clientAddressBehind(["127.0.0.1"]));
  expect(known(from("127.0.0.1", "203.0.113.7")).admitted).toBe(false);
  expect(known(from("127.0.0.1", "192.168.1.7")).admitted).toBe(true);
});

test("an operator adds networks, or opens the door to everybody", () => {
  const office = openGate(["203.0.113.0/24", "2001:db8::1"], clientAddressBehind([]));
  expect(office(from("203.0.113.7")).admitted).toBe(true);
  expect(office(from("2001:db8::1")).admitted).toBe(true);
  expect(office(from("198.51.100.1")).admitted).toBe(false);
  expect(openGate("anywhere", clientAddressBehind([]))(from("198.51.100.1")).admitted).toBe(true);
});
