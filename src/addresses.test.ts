import { expect, test } from "vitest";
import { fromHere, isUnspecified, LOOPBACK } from "./addresses.ts";

test("every spelling of no address is known, in either family", () => {
  for (const host of ["0.0.0.0", "::", "[::]", "0:0:0:0:0:0:0:0", "::0", "::ffff:0.0.0.0"])
    expect([host, isUnspecified(host), fromHere(host)]).toEqual([host, true, LOOPBACK]);
  for (const host of ["127.0.0.1", "::1", "[::1]", "10.0.0.0", "192.0.2.10", "localhost", "", "fe80::", "0.0.0.0.0"])
    expect([host, isUnspecified(host), fromHere(host)]).toEqual([host, false, host]);
});
