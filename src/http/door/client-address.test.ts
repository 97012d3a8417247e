import { expect, test } from "vitest";
import { clientAddressBehind } from "./client-address.ts";

const rows: [trusted: string[], socket: string, forwarded: string | undefined, client: string][] = [
  [[], "192.0.2.1", "198.51.100.7", "192.0.2.1"],
  [["10.0.0.0/8"], "10.1.2.3", "198.51.100.7", "198.51.100.7"],
  [["10.0.0.0/8"], "10.1.2.3", undefined, "10.1.2.3"],
  [["10.0.0.0/8"], "192.0.2.1", "198.51.100.7", "192.0.2.1"],
  [["10.0.0.1"], "10.0.0.1", "1.1.1.1, 198.51.100.7", "198.51.100.7"],
  [["10.0.0.0/8"], "10.0.0.1", "1.1.1.1, 198.51.100.7, 10.0.0.9", "198.51.100.7"],
  [["10.0.0.0/8"], "10.0.0.1", "10.0.0.8, 10.0.0.9", "10.0.0.8"],
  [["10.0.0.0/8"], "10.0.0.1", "198.51.100.7, nonsense", "10.0.0.1"],
  [["10.0.0.0/8"], "10.0.0.1", "198.51.100.7, 10.0.0.2, ", "10.0.0.1"],
  [["127.0.0.1"], "::ffff:127.0.0.1", "198.51.100.7", "198.51.100.7"],
  [["2001:db8::/32"], "2001:db8::1", "[2001:db8:ffff::9], 198.51.100.7", "198.51.100.7"],
  [["127.0.0.1"], "127.0.0.1", "::FFFF:c633:6407", "198.51.100.7"],
  [["::1"], "::1", "2001:DB8:0::5", "2001:db8::5"],
  [["::1"], "::1", "2001:db8::5", "2001:db8::5"],
];

test.each(rows)("trusting %j, %s forwarding %j speaks for %s", (trusted, socket, forwarded, client) => {
  expect(clientAddressBehind(trusted)(socket, forwarded)).toBe(client);
});

test("a network that is none stops the start", () => {
  expect(() => clientAddressBehind(["10.0.0.0/33"])).toThrow(/trusted proxy/);
  expect(() => clientAddressBehind(["proxy.example.com"])).toThrow(/trusted proxy/);
});
