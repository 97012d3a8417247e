import { expect, test } from "vitest";
import { testClock } from "../../test/ground/test-clock.ts";
import { readConfig } from "../config.ts";
import { openReach, type ReachNeeds } from "./reach.ts";
import { askSystem } from "./route.ts";

const OWN: Record<string, string> = {
  "10.": "10.0.0.5",
  "203.": "192.168.1.5",
  "192.": "192.168.1.5",
  "2001:": "fd00::5",
};
const interfaces = () => ({
  eth0: [
    {
      address: "198.51.100.5",
      netmask: "255.255.255.0",
      family: "IPv4" as const,
      mac: "",
      internal: false,
      cidr: "198.51.100.5/24",
    },
  ],
});

function reachWith(env: Record<string, string>, more: Partial<ReachNeeds> = {}) {
  const config = readConfig(env);
  if ("problems" in config) throw new Error(config.problems.join());
  const asked: string[] = [];
  const route = (peer: string) => {
    asked.push(peer);
    return Object.entries(OWN).find(([begins]) => peer.startsWith(begins))?.[1];
  };
  const listens = config.sip.map(({ host }) => host);
  const clock = testClock();
  const reach = openReach({ ...config, clock, route, interfaces, ...more });
  return { asked, clock, ...reach, boundFor: (peer: string) => reach.boundFor(peer, listens) };
}

test("a peer is told the address of the way to it, and the system is asked once in a while", () => {
  const { toldTo, asked, clock } = reachWith({ SANTRAL_SIP: "0.0.0.0:5060" });
  expect(toldTo("10.0.0.9", "0.0.0.0")).toBe("10.0.0.5");
  expect(toldTo("192.168.1.9", "0.0.0.0")).toBe("192.168.1.5");
  expect(toldTo("10.0.0.9", "0.0.0.0")).toBe("10.0.0.5");
  expect(asked).toEqual(["10.0.0.9", "192.168.1.9"]);
  clock.pass(31_000);
  toldTo("10.0.0.9", "0.0.0.0");
  expect(asked).toHaveLength(3);
});

test("the public address is for those outside the local networks alone, each family its own", () => {
  const { toldTo } = reachWith({ SANTRAL_SIP: "0.0.0.0:5060,[::]:5060", SANTRAL_PUBLIC_IP: "203.0.113.5" });
  expect(toldTo("203.0.113.77", "0.0.0.0")).toBe("203.0.113.5");
  expect(toldTo("192.168.1.9", "0.0.0.0")).toBe("192.168.1.5");
  expect(toldTo("::ffff:192.168.1.9", "0.0.0.0")).toBe("192.168.1.5");
  expect(toldTo("2001:db8::9", "::")).toBe("fd00::5");
  expect(toldTo("198.51.100.77", "0.0.0.0")).toBe("198.51.100.5"); // this machine stands in that network itself
  expect(toldTo("198.51.101.77", "0.0.0.0")).toBe("203.0.113.5");
});

test("the local networks are what the operator says they are", () => {
  const none = reachWith({
    SANTRAL_LOCAL_NETWORKS: "none",
    SANTRAL_PUBLIC_IP: "203.0.113.5",
    SANTRAL_SIP: "10.0.0.5:5060",
  });
  expect(none.toldTo("10.0.0.9", "10.0.0.5")).toBe("203.0.113.5");
  const one = reachWith({ SANTRAL_LOCAL_NETWORKS: "192.168.0.0/16", SANTRAL_PUBLIC_IP: "203.0.113.5,2001:db8::5" });
  expect(one.toldTo("192.168.1.9", "0.0.0.0")).toBe("192.168.1.5");
  expect(one.toldTo("10.0.0.9", "0.0.0.0")).toBe("203.0.113.5");
  expect(one.toldTo("2001:db8::9", "::")).toBe("2001:db8::5");
});

test("of several listening addresses a peer is spoken to from the one that the way begins at", () => {
  const env = { SANTRAL_SIP: "10.0.0.5:5060,192.168.1.5:5060,[fd00::5]:5060" };
  const { boundFor, toldTo } = reachWith(env);
  expect(boundFor("192.168.1.9")).toBe("192.168.1.5");
  expect(boundFor("10.0.0.9")).toBe("10.0.0.5");
  expect(boundFor("2001:db8::9")).toBe("fd00::5");
  expect(toldTo("192.168.1.9", "192.168.1.5")).toBe("192.168.1.5");
  expect(reachWith({ SANTRAL_SIP: "10.0.0.5:5060" }).boundFor("2001:db8::9")).toBeUndefined();
});

test("where no way leads there is no address to speak from, and still one to name", () => {
  const { boundFor, toldTo } = reachWith({ SANTRAL_SIP: "0.0.0.0:5060" });
  expect(boundFor("172.30.0.1")).toBeUndefined();
  expect(toldTo("172.30.0.1", "0.0.0.0")).toBe("198.51.100.5");
  expect(boundFor("pbx.example")).toBeUndefined();
});

test("the system tells the address of the way to a peer without a packet", () => {
  expect(askSystem("127.0.0.9")).toBe("127.0.0.1");
  expect(askSystem("::1")).toBe("::1");
  expect(askSystem("255.255.255.255")).toBeUndefined();
  expect(askSystem("not an address")).toBeUndefined();
});

test.each([
  ["SANTRAL_SIP", "127.0.0.1:5060,"],
  ["SANTRAL_SIP", " [::]:5060 , 0.0.0.0:5060"],
  ["SANTRAL_PUBLIC_IP", "203.0.113.5, 2001:db8::5"],
  ["SANTRAL_LOCAL_NETWORKS", "private,own,198.51.100.0/24,2001:db8::/32"],
  ["SANTRAL_LOCAL_NETWORKS", "none"],
])("%s may be %s", (name, value) => {
  expect(readConfig({ [name]: value })).not.toHaveProperty("problems");
});

test.each([
  ["SANTRAL_SIP", "127.0.0.1:5060,nonsense"],
  ["SANTRAL_SIP", ","],
  ["SANTRAL_SIP_TLS", "0.0.0.0"],
  ["SANTRAL_PUBLIC_IP", "pbx.example"],
  ["SANTRAL_PUBLIC_IP", "203.0.113.5,203.0.113.6"],
  ["SANTRAL_LOCAL_NETWORKS", "none,own"],
  ["SANTRAL_LOCAL_NETWORKS", "10.0.0.0/99"],
])("%s is refused as %s", (name, value) => {
  expect(readConfig({ [name]: value })).toMatchObject({ problems: [expect.stringContaining(name)] });
});

test("what an edge of ours says of its address is so, in whichever spelling", () => {
  const { isRelay } = reachWith({ SANTRAL_EDGES: "10.0.0.5, 2001:DB8::5" });
  expect(["10.0.0.5", "2001:db8::5", "::ffff:10.0.0.5", "10.0.0.6"].map(isRelay)).toEqual([true, true, true, false]);
});
