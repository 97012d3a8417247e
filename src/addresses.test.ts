import { expect, test } from "vitest";
import {
  asWritten,
  canonical,
  fromHere,
  holderOf,
  isUnspecified,
  liesIn,
  networkOf,
  octetsOf,
  PRIVATE_NETWORKS,
} from "./addresses.ts";

test("every spelling of no address is known, in either family, and leads to the loopback of its own", () => {
  for (const host of ["0.0.0.0"])
    expect([host, isUnspecified(host), fromHere(host)]).toEqual([host, true, "127.0.0.1"]);
  for (const host of ["::", "[::]", "0:0:0:0:0:0:0:0", "::0", "::ffff:0.0.0.0"])
    expect([host, isUnspecified(host), fromHere(host)]).toEqual([host, true, "::1"]);
  for (const host of ["127.0.0.1", "::1", "[::1]", "10.0.0.0", "192.0.2.10", "localhost", "", "fe80::", "0.0.0.0.0"])
    expect([host, isUnspecified(host), fromHere(host)]).toEqual([host, false, host]);
});

test("an address has one spelling", () => {
  const spellings: [string, string][] = [
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::FFFF:c000:201", "192.0.2.1"],
    ["0:0:0:0:0:ffff:192.0.2.1", "192.0.2.1"],
    ["[::ffff:192.0.2.1]", "192.0.2.1"],
    ["2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["2001:db8::0001", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["::", "::"],
    ["::1", "::1"],
    ["1::", "1::"],
    ["1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"],
    ["1:0:3:4:5:6:7:8", "1:0:3:4:5:6:7:8"],
    ["64:ff9b::192.0.2.33", "64:ff9b::c000:221"],
  ];
  for (const [text, spelt] of spellings) expect([text, canonical(text)]).toEqual([text, spelt]);
});

test("what is no address is none", () => {
  const wrong = [
    "",
    "1.2.3",
    "1.2.3.256",
    "1.2.3.4.5",
    "1.2.3.x",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
  ];
  for (const text of [...wrong, "12345::", "g::", "::1.2.3", "1.2.3.4::", "localhost", "1:2:3:4:5:6:7::8"])
    expect([text, octetsOf(text)]).toEqual([text, undefined]);
  expect(asWritten("pbx.example")).toBe("pbx.example");
  expect(asWritten("::ffff:10.0.0.1")).toBe("10.0.0.1");
});

test("networks hold the addresses under them, in whatever clothing", () => {
  const holds = (network: string, address: string) => {
    const found = networkOf(network);
    return found && liesIn(octetsOf(address)!, found);
  };
  expect(holds("10.0.0.0/8", "10.255.0.1")).toBe(true);
  expect(holds("10.0.0.0/8", "::ffff:10.255.0.1")).toBe(true);
  expect(holds("::ffff:10.0.0.0/104", "10.255.0.1")).toBe(true);
  expect(holds("100.64.0.0/10", "100.128.0.1")).toBe(false);
  expect(holds("fd00::/8", "fd12::1")).toBe(true);
  expect(holds("fd00::/8", "10.0.0.1")).toBe(false);
  expect(holds("0.0.0.0/0", "203.0.113.9")).toBe(true);
  expect(holds("192.0.2.1", "192.0.2.1")).toBe(true);
  for (const wrong of ["10.0.0.0/33", "10.0.0.0/x", "10.0.0.0/8/8", "ten/8", "fd00::/129", "::ffff:10.0.0.0/8"])
    expect([wrong, networkOf(wrong)]).toEqual([wrong, undefined]);
  const isPrivate = (address: string) => PRIVATE_NETWORKS.some((network) => liesIn(octetsOf(address)!, network));
  for (const address of [
    "10.1.2.3",
    "172.31.0.1",
    "192.168.1.1",
    "169.254.1.1",
    "100.64.0.1",
    "127.0.0.9",
    "::1",
    "fd00::1",
  ])
    expect([address, isPrivate(address)]).toEqual([address, true]);
  for (const address of ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2001:db8::1", "203.0.113.5"])
    expect([address, isPrivate(address)]).toEqual([address, false]);
});

test("the addresses of one IPv6 network are one source", () => {
  expect(holderOf("2001:db8:1:2::1")).toBe(holderOf("2001:db8:1:2:ffff::9"));
  expect(holderOf("2001:db8::1")).toBe("2001:db8::/64");
  expect(holderOf("::1")).toBe("::/64");
  expect(holderOf("2001:DB8:1:2:0:0:0:1")).toBe(holderOf("2001:db8:1:2::9"));
  expect(holderOf("::ffff:192.0.2.1")).toBe("192.0.2.1");
  expect(holderOf("2001:db8:1:2::1")).not.toBe(holderOf("2001:db8:1:3::1"));
});
