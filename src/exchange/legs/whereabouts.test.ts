import { expect, test } from "vitest";
import type { Dialog } from "../../sip/dialog.ts";
import type { Source, TransportName } from "../../sip/transport/transport.ts";
import { standingOf } from "./standing.ts";
import { knownOf, Whereabouts } from "./whereabouts.ts";

/** Everybody behind it comes over this one connection. */
const edge: Source = { transport: "tcp", address: "10.0.0.5", port: 5060, connection: "c1", listener: "tcp" };

const behind = (address: string, port: number, clientTransport: TransportName): Source => ({
  client: { address, port },
  clientTransport,
  ...edge,
});

const phone = behind("203.0.113.7", 40_001, "tls");
const others: [string, Source, "beside" | "elsewhere"][] = [
  ["another address", behind("203.0.113.9", 40_001, "tls"), "elsewhere"],
  ["another connection of its address", behind("203.0.113.7", 40_002, "tls"), "elsewhere"],
  ["a datagram in its name", behind("203.0.113.7", 40_001, "udp"), "elsewhere"],
  ["the edge itself", edge, "elsewhere"],
];

const inside = { flow: undefined } as Dialog;

test.each(others)("behind an edge a phone with a connection is not taken for %s", (_, source, seen) => {
  const where = new Whereabouts(knownOf(phone));
  expect(where.see(phone, inside)).toBe("there");
  expect(where.see(source, inside)).toBe(seen);
  // Nor where the way back is the edge's own connection.
  const { connection = "" } = edge;
  expect(where.see(source, { ...inside, flow: { ...edge, connection } })).toBe(source === edge ? "there" : seen);
});

test("behind an edge a phone over UDP is beside itself after its translator chose another port", () => {
  const where = new Whereabouts(knownOf(behind("203.0.113.7", 40_001, "udp")));
  expect(where.see(behind("203.0.113.7", 40_001, "udp"), inside)).toBe("there");
  expect(where.see(behind("203.0.113.7", 40_009, "udp"), inside)).toBe("beside");
});

test("who is registered behind an edge stands at his own port there, and not wherever the edge's connection is", () => {
  const party = { is: "extension", number: "1000", name: "" } as const;
  const known = (source: Source) =>
    standingOf(
      {
        phones: { contactsOf: () => [{ source }], authenticate: () => ({}) },
        exchanges: { exchange: () => undefined },
        trunks: { isOf: () => false },
      },
      { exchangeId: 1 },
      party,
    );
  const standing = known(phone);
  expect(standing.knows(phone)).toBe("place");
  expect(others.map(([, source]) => standing.knows(source))).toEqual([undefined, "address", "address", undefined]);
  // By what it came is not kept over a restart.
  const { clientTransport: _, ...kept } = phone;
  expect(known(kept).knows(phone)).toBe("place");
});

test("what an older program has not noted is told apart by address, and by the way back", () => {
  const source: Source = { transport: "udp", address: "192.0.2.10", port: 5060, listener: "udp" };
  const where = new Whereabouts({ address: "192.0.2.10" });
  expect(where.see(source, inside)).toBe("beside");
  expect(where.see(source, { ...inside, flow: { transport: "tls", address: "192.0.2.10", port: 5061 } })).toBe(
    "elsewhere",
  );
});
