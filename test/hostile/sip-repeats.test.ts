// Repeats that are none: what was answered once is not said again to somebody because a third party says little.

import { describe, expect, test } from "vitest";
import type { StackOptions } from "../../src/sip/stack-options.ts";
import type { Source } from "../../src/sip/transport/transport.ts";
import { BOB, line } from "../phones/sip-phones.ts";

const VICTIM = "203.0.113.9";
const MALLORY = "198.51.100.66";
const EDGE = "192.0.2.41";

type Said = { branch: string; method?: string; pad?: number; from?: string; below?: string[] };

function request({ branch, method = "OPTIONS", pad = 0, from = VICTIM, below = [] }: Said): string {
  const lines = [
    `${method} sip:bob@${BOB} SIP/2.0`,
    `Via: SIP/2.0/UDP ${from}:5060;branch=z9hG4bK${branch}`,
    ...below.map((via) => `Via: ${via}`),
    `From: "${"x".repeat(pad)}" <sip:a@${from}>;tag=a`,
    `To: <sip:bob@${BOB}>`,
    "Call-ID: one",
    `CSeq: 1 ${method}`,
    "User-Agent: Desk phone 4.1 (66:41:02)",
    "Content-Length: 0",
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** Bob answers everything; what he says on account of what is sent in somebody's name. */
function town(options: Partial<StackOptions> = {}) {
  const { network, bob, clock } = line({ bob: options });
  const heard: Source[] = [];
  bob.onRequest((incoming) => {
    heard.push(incoming.source);
    incoming.reply(200);
  });
  const says = (octets: string, from: string) => {
    const before = network.carried().length;
    network.forge(octets, from, BOB);
    clock.pass(10);
    return network.carried().slice(before + 1);
  };
  return { says, bob, clock, heard };
}

const large = request({ branch: "one", pad: 10_000 });
const small = request({ branch: "one" });

describe.each([
  ["who has proved nothing", () => false],
  ["whose phones are logged in", () => true],
])("to somebody %s", (_, isProved) => {
  test("a long answer does not go again because somebody elsewhere names its request", () => {
    const { says, bob } = town({ isProved });
    expect(says(large, VICTIM)).toHaveLength(1);
    for (let repeat = 0; repeat < 100; repeat++) {
      expect(says(small, MALLORY)).toEqual([]);
      expect(says(large, MALLORY)).toEqual([]);
    }
    expect(bob.load().serverTransactions).toBe(1);
  });

  test("nor because somebody says little in his name", () => {
    const { says } = town({ isProved });
    expect(says(large, VICTIM)).toHaveLength(1);
    for (let repeat = 0; repeat < 100; repeat++) expect(says(small, VICTIM)).toEqual([]);
  });

  test("it goes again when he asks again as he did", () => {
    const { says, bob, heard } = town({ isProved });
    const [first] = says(large, VICTIM);
    expect(says(large, VICTIM)).toEqual([first]);
    expect(says(large, VICTIM)).toEqual([first]);
    expect(bob.counters.repeats).toBe(2);
    expect(heard).toHaveLength(1);
  });
});

test("a favour is done once: what is larger than a stranger's question does not go again", () => {
  const { says, bob } = town({ isProved: () => false, favour: () => true });
  const value = `Digest realm="a", nonce="${"n".repeat(400)}"`;
  bob.onRequest((incoming) => void incoming.reply(401, { headers: [{ name: "WWW-Authenticate", value }] }));
  expect(says(small, VICTIM)).toHaveLength(1);
  expect(says(small, VICTIM)).toEqual([]);
  expect(bob.counters.unanswered).toBe(1);
});

test("a phone whose port the answers do not go to may repeat from another", () => {
  const { says, bob } = town();
  expect(says(small, `${VICTIM}:5060`)).toHaveLength(1);
  expect(says(small, `${VICTIM}:40000`)).toHaveLength(1);
  const asksForPort = small.replace("branch=z9hG4bKone", "rport;branch=z9hG4bKtwo");
  expect(says(asksForPort, `${VICTIM}:40000`).map(({ to }) => to)).toEqual([`${VICTIM}:40000`]);
  expect(says(asksForPort, `${VICTIM}:40001`)).toEqual([]);
  expect(bob.counters.dropped).toBe(1);
});

test("a carrier of several addresses repeats from any of them", () => {
  const addresses = ["192.0.2.10", "192.0.2.11"];
  const isSamePeer: StackOptions["isSamePeer"] = (...both) => both.every(({ address }) => addresses.includes(address));
  const { says } = town({ isSamePeer });
  expect(says(request({ branch: "one", from: "192.0.2.10" }), "192.0.2.10")).toHaveLength(1);
  expect(says(request({ branch: "one", from: "192.0.2.10" }), "192.0.2.11")).toHaveLength(1);
  expect(says(request({ branch: "one", from: "192.0.2.10" }), MALLORY)).toEqual([]);
});

describe("behind an edge", () => {
  const noted = (address: string, port = 40_001) => [
    `SIP/2.0/UDP 10.0.0.5:5060;branch=z9hG4bKphone;rport=${port};received=${address}`,
  ];
  const isEdge = (address: string) => address === EDGE;

  test("a phone or a carrier repeats from where the edge noted it, and nobody else behind it does", () => {
    const { says, heard } = town({ isEdge });
    const from = (address: string, port?: number) => request({ branch: "e", from: EDGE, below: noted(address, port) });
    const [first] = says(from("198.51.100.7"), EDGE);
    expect(first).toBeDefined();
    expect(says(from("198.51.100.7"), EDGE)).toEqual([first]);
    expect(says(from("198.51.100.8"), EDGE)).toEqual([]);
    expect(says(from("198.51.100.7", 40_002), EDGE)).toEqual([]);
    expect(says(from("198.51.100.7"), EDGE)).toEqual([first]);
    expect(heard).toMatchObject([{ client: { address: "198.51.100.7", port: 40_001 } }]);
  });

  test("his repeats count for him as all that he says does", () => {
    let left = 3;
    const guarded: Source[] = [];
    const guard = (source: Source) => {
      if (!source.client) return "pass" as const;
      guarded.push(source);
      return left-- > 0 ? ("pass" as const) : ("drop" as const);
    };
    const { says, bob } = town({ isEdge, guard });
    const again = request({ branch: "e", from: EDGE, below: noted("198.51.100.7") });
    expect(says(again, EDGE)).toHaveLength(1);
    const answers = Array.from({ length: 5 }, () => says(again, EDGE).length);
    expect(answers).toEqual([1, 1, 1, 0, 0]);
    expect(bob.counters.dropped).toBe(2);
    expect(guarded[0]?.client?.address).toBe("198.51.100.7");
  });
});
