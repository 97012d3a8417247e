import { afterEach, expect, test } from "vitest";
import { testClock } from "../../../test/ground/test-clock.ts";
import { readConfig } from "../../config.ts";
import { openReach } from "../../server/reach.ts";
import { openTcp } from "../../sip/transport/tcp.ts";
import type { Transport } from "../../sip/transport/transport.ts";
import { openUdp } from "../../sip/transport/udp.ts";
import { houseOf } from "./house.ts";

const NIC = { netmask: "255.255.255.0", family: "IPv4" as const, mac: "", internal: false };
const NIC_6 = { ...NIC, family: "IPv6" as const, scopeid: 2 };
const STRANGERS = ["203.0.113.66", "2001:db8::66", "192.168.1.6", "fe80::6", "carrier.example"];

const doors: Transport[] = [];

afterEach(async () => {
  for (const door of doors.splice(0)) await door.close();
});

/** Real doors, on a machine with these addresses. */
async function houseAt(env: Record<string, string>, bound: readonly string[]) {
  const clock = testClock();
  const config = readConfig({ SANTRAL_SIP: bound.map((host) => `${host}:5060`).join(), ...env });
  if ("problems" in config) throw new Error(config.problems.join());
  const interfaces = () => ({
    eth0: [
      { ...NIC, address: "192.168.1.5", cidr: "192.168.1.5/24" },
      { ...NIC_6, address: "2001:db8::5", cidr: "2001:db8::5/64" },
      { ...NIC_6, address: "fe80::5", cidr: "fe80::5/64" },
    ],
  });
  const reach = openReach({ ...config, clock, interfaces });
  for (const { host } of config.sip)
    doors.push(await openUdp({ address: host, port: 0 }), await openTcp({ clock, address: host, port: 0 }));
  return houseOf({ transports: doors, edges: config.edges, reach, trustLoopback: false });
}

test("where doors stand at an address of their own, that is the house's in either family and every spelling", async () => {
  const { isHouse } = await houseAt({}, ["127.0.0.1", "[::1]"]);
  for (const address of ["127.0.0.1", "::ffff:127.0.0.1", "::1", "0:0:0:0:0:0:0:1"])
    expect(isHouse(address), address).toBe(true);
  for (const address of STRANGERS) expect(isHouse(address), address).toBe(false);
});

test("where doors stand at all addresses, all of the machine are the house's", async () => {
  const { isHouse } = await houseAt({}, ["0.0.0.0", "[::]"]);
  for (const address of ["192.168.1.5", "::ffff:192.168.1.5", "2001:db8::5", "2001:DB8:0::5", "fe80::5%eth0"])
    expect(isHouse(address), address).toBe(true);
  for (const address of ["0.0.0.0", "::"]) expect(isHouse(address), address).toBe(true);
  for (const address of STRANGERS) expect(isHouse(address), address).toBe(false);
});

test("so is what leads back to it: its public addresses, and its edges", async () => {
  const env = { SANTRAL_PUBLIC_IP: "203.0.113.5,2001:db8:1::5", SANTRAL_EDGES: "203.0.113.41,2001:db8::41" };
  const { isHouse } = await houseAt(env, ["127.0.0.1"]);
  for (const address of ["203.0.113.5", "2001:db8:1::5", "2001:DB8:1:0::5", "203.0.113.41", "::ffff:203.0.113.41"])
    expect(isHouse(address), address).toBe(true);
  for (const address of STRANGERS) expect(isHouse(address), address).toBe(false);
});
