import { expect, test } from "vitest";
import { networksOf } from "./networks.ts";

test("a network holds its addresses, in IPv6 clothing too, and what is neither is passed over", () => {
  const listed = ["198.51.100.0/24", "::ffff:192.0.2.0/120", "2001:DB8::/32", "nonsense", "10.0.0.0/99"];
  const networks = networksOf(listed);
  for (const address of ["198.51.100.7", "::ffff:198.51.100.7", "192.0.2.9", "::FFFF:c000:209", "2001:db8:0:0::1"])
    expect([address, networks.has(address)]).toEqual([address, true]);
  for (const address of ["198.51.101.7", "::ffff:198.51.101.7", "192.0.3.9", "2001:db9::1", "10.0.0.1", "nonsense", ""])
    expect([address, networks.has(address)]).toEqual([address, false]);
});
