import { describe, expect, test } from "vitest";
import { startNameServer } from "../../../test/carriers/name-server.ts";
import { testClock } from "../../../test/ground/test-clock.ts";
import { realClock } from "../../clock.ts";
import { type Dns, drawn, locate, type NamingRecord, type ServiceRecord } from "./locate.ts";
import { openResolve } from "./resolve.ts";
import type { Destination } from "./transport.ts";

type Zone = {
  addresses?: Record<string, string[]>;
  services?: Record<string, ServiceRecord[]>;
  naming?: Record<string, NamingRecord[]>;
};

function dnsOf({ addresses = {}, services = {}, naming = {} }: Zone): Dns & { asked: string[] } {
  const asked: string[] = [];
  const look =
    <Value>(table: Record<string, Value[]>, kind: string) =>
    (name: string) => {
      asked.push(`${kind} ${name}`);
      return Promise.resolve(table[name] ?? []);
    };
  return {
    asked,
    addresses: look(addresses, "A"),
    services: look(services, "SRV"),
    naming: look(naming, "NAPTR"),
  };
}

const server = (name: string, priority = 1, weight = 1, port = 5060): ServiceRecord => ({
  name,
  port,
  priority,
  weight,
});
const short = (found: Destination[]) => found.map(({ transport, address, port }) => `${transport} ${address} ${port}`);

async function found(uri: string, zone: Zone): Promise<string[]> {
  return short(await locate(uri, { dns: dnsOf(zone), transports: ["udp", "tcp", "tls"], chance: () => 0 }));
}

test.each([
  ["sip:192.0.2.1", "udp 192.0.2.1 5060"],
  ["sip:a@192.0.2.1:5070;transport=tcp", "tcp 192.0.2.1 5070"],
  ["sips:192.0.2.1", "tls 192.0.2.1 5061"],
  ["sip:a@[2001:db8::1]:5080", "udp 2001:db8::1 5080"],
  ["sip:a@192.0.2.1;transport=ws", "ws 192.0.2.1 80"],
  ["sip:a@example.org;maddr=192.0.2.9", "udp 192.0.2.9 5060"],
])("an address is its own place (%s)", async (uri, place) => {
  expect(await found(uri, {})).toEqual([place]);
});

test("a name with a port is only looked up", async () => {
  const zone = { addresses: { "pbx.example": ["192.0.2.1", "2001:db8::1"] } };
  expect(await found("sip:pbx.example:5099", zone)).toEqual(["udp 192.0.2.1 5099", "udp 2001:db8::1 5099"]);
});

test("a domain says by NAPTR what it likes best", async () => {
  const wanted = (service: string, replacement: string, order: number): NamingRecord => ({
    service,
    replacement,
    order,
    preference: 0,
    flags: "s",
  });
  const zone = {
    naming: {
      "carrier.example": [
        wanted("SIP+D2U", "_sip._udp.carrier.example", 30),
        wanted("SIPS+D2T", "_sips._tcp.carrier.example", 10),
        wanted("SIP+D2W", "_sip._ws.carrier.example", 1),
      ],
    },
    services: {
      "_sip._udp.carrier.example": [server("u.carrier.example")],
      "_sips._tcp.carrier.example": [server("t.carrier.example", 1, 1, 5061)],
    },
    addresses: { "u.carrier.example": ["192.0.2.1"], "t.carrier.example": ["192.0.2.2"] },
  };
  expect(await found("sip:carrier.example", zone)).toEqual(["tls 192.0.2.2 5061", "udp 192.0.2.1 5060"]);
  expect(await found("sips:carrier.example", zone)).toEqual(["tls 192.0.2.2 5061"]);
});

test("without NAPTR the services are asked for, and without them the name itself", async () => {
  const zone = {
    services: { "_sip._tcp.carrier.example": [server("b.example", 20), server("a.example", 10)] },
    addresses: { "a.example": ["192.0.2.1"], "b.example": ["192.0.2.2"], "bare.example": ["192.0.2.3"] },
  };
  expect(await found("sip:carrier.example", zone)).toEqual(["tcp 192.0.2.1 5060", "tcp 192.0.2.2 5060"]);
  expect(await found("sip:carrier.example;transport=tcp", zone)).toHaveLength(2);
  expect(await found("sip:bare.example", zone)).toEqual(["udp 192.0.2.3 5060"]);
  expect(await found("sip:nobody.example", zone)).toEqual([]);
  expect(await found("tel:+905321234567", zone)).toEqual([]);
});

test("among servers of one priority the lot decides by weight", () => {
  const records = [server("light", 1, 10), server("heavy", 1, 90), server("last", 2, 0)];
  let heavyFirst = 0;
  for (let at = 0; at < 1_000; at++) {
    const order = drawn(records, { chance: () => (at % 100) / 100 }).map(({ name }) => name);
    expect(order[2]).toBe("last");
    if (order[0] === "heavy") heavyFirst += 1;
  }
  expect(heavyFirst).toBeGreaterThan(850);
  expect(heavyFirst).toBeLessThan(950);
});

test("answers are remembered for a while, and the lack of one for less", async () => {
  const clock = testClock();
  const zone: Zone = { addresses: { "a.example": ["192.0.2.1"] } };
  const dns = dnsOf(zone);
  const resolve = openResolve({ clock, transports: ["udp"], dns });
  expect(short(await resolve("sip:a.example:5060"))).toEqual(["udp 192.0.2.1 5060"]);
  await resolve("sip:a.example:5060");
  await resolve("sip:none.example:5060");
  expect(dns.asked).toHaveLength(2);
  clock.pass(6_000);
  await resolve("sip:none.example:5060");
  await resolve("sip:a.example:5060");
  expect(dns.asked).toHaveLength(3);
  clock.pass(60_000);
  await resolve("sip:a.example:5060");
  expect(dns.asked).toHaveLength(4);
  expect(clock.waiting()).toBe(0);
});

test("DNS that does not answer in time, or throws, leads nowhere", async () => {
  const clock = testClock();
  const never: Dns = { ...dnsOf({}), addresses: () => new Promise(() => {}) };
  const waiting = openResolve({ clock, transports: ["udp"], dns: never })("sip:slow.example:5060");
  clock.pass(4_000);
  expect(await waiting).toEqual([]);
  const broken: Dns = { ...dnsOf({}), addresses: () => Promise.reject(new Error("SERVFAIL")) };
  expect(await openResolve({ clock, transports: ["udp"], dns: broken })("sip:x.example:5060")).toEqual([]);
});

describe("a real question to a name server", () => {
  const zone: Parameters<typeof startNameServer>[0] = {
    addresses: { "one.carrier.test": ["192.0.2.1", "2001:db8::1"], "two.carrier.test": ["192.0.2.2"] },
    services: {
      "_sip._udp.carrier.test": [
        { priority: 20, weight: 0, port: 5080, name: "two.carrier.test" },
        { priority: 10, weight: 5, port: 5070, name: "one.carrier.test" },
      ],
      "_sips._tcp.carrier.test": [{ priority: 1, weight: 1, port: 5061, name: "two.carrier.test" }],
    },
    naming: {
      "carrier.test": [
        { order: 20, preference: 1, flags: "s", service: "SIP+D2U", replacement: "_sip._udp.carrier.test" },
        { order: 10, preference: 1, flags: "s", service: "SIPS+D2T", replacement: "_sips._tcp.carrier.test" },
      ],
    },
  };
  const asking = async () => {
    const { at, asked } = await startNameServer(zone);
    return { asked, resolve: openResolve({ clock: realClock, transports: ["udp", "tcp", "tls"], nameServers: [at] }) };
  };

  test("finds the servers by SRV in the order of their priority, each at both families of addresses", async () => {
    const { resolve } = await asking();
    expect(short(await resolve("sip:carrier.test;transport=udp"))).toEqual([
      "udp 192.0.2.1 5070",
      "udp 2001:db8::1 5070",
      "udp 192.0.2.2 5080",
    ]);
  });

  test("asks NAPTR for the transport where nobody has named one, and keeps the domain for the certificate", async () => {
    const { resolve, asked } = await asking();
    const found = await resolve("sip:carrier.test");
    expect(short(found)[0]).toBe("tls 192.0.2.2 5061");
    expect(found[0]?.serverName).toBe("carrier.test");
    expect(short(found)).toContain("udp 192.0.2.1 5070");
    expect(asked).toContain("NAPTR carrier.test");
  });

  test("finds nobody under a name that is not there", async () => {
    const { resolve } = await asking();
    expect(await resolve("sip:nobody.test;transport=udp")).toEqual([]);
  });
});

test("a domain that names thousands of servers has a few of them asked about", async () => {
  const many = Array.from({ length: 1_500 }, (_, place) => server(`s${place}.evil.example`));
  const naming = Array.from({ length: 1_000 }, (_, order) => ({
    ...{ order, preference: 1, flags: "s", service: "SIP+D2U" },
    replacement: `_sip._udp.${order}.evil.example`,
  }));
  const services = Object.fromEntries(naming.map(({ replacement }) => [replacement, many]));
  const addresses = Object.fromEntries(many.map(({ name }) => [name, Array<string>(500).fill("192.0.2.66")]));
  const dns = dnsOf({ addresses, services, naming: { "evil.example": naming } });
  const places = await locate("sip:evil.example", { dns, transports: ["udp"], chance: () => 0 });
  expect(dns.asked.length).toBeLessThan(100);
  expect(places.length).toBeGreaterThan(16);
  expect(places.length).toBeLessThanOrEqual(1_024);
});
