import { expect, test } from "vitest";
import { testClock } from "../../test/ground/test-clock.ts";
import { unexpected } from "../../test/ground/unexpected.ts";
import { memoryNetwork } from "../../test/sip/memory-network.ts";
import { contactFor } from "./contact.ts";
import type { Request } from "./message/message.ts";
import { parseSipUri, type SipUri } from "./message/uri.ts";
import { openStack } from "./stack.ts";
import { literalDestination } from "./transport/destination.ts";
import { openRandom } from "./transport/random.ts";
import type { Destination, Transport } from "./transport/transport.ts";

const to = (address: string, more: Partial<Destination> = {}): Destination => ({
  transport: "udp",
  address,
  port: 5060,
  ...more,
});

/** Two networks and IPv6, a door in each; of the last network we are told by another address. */
function town() {
  const clock = testClock();
  const network = memoryNetwork(clock);
  const door = (address: string, begins: string, told?: string): Transport => ({
    ...network.attach({ address }),
    leadsTo: (peer) => peer.startsWith(begins),
    ...(told !== undefined && { toldTo: () => told }),
  });
  const transports = [
    door("10.0.0.5", "10."),
    door("192.168.1.5", "192.168."),
    door("fd00::5", "fd00:", "[2001:db8::5]"),
  ];
  const stack = openStack({ clock, unexpected, random: openRandom(), transports });
  return { clock, network, stack, transports };
}

test("each peer is spoken to by the door that leads there, and told what it finds us at", () => {
  const { stack } = town();
  expect(contactFor(stack, "us", [to("10.0.0.9")])).toBe("<sip:us@10.0.0.5:5060>");
  expect(contactFor(stack, "us", [to("192.168.1.9")])).toBe("<sip:us@192.168.1.5:5060>");
  expect(contactFor(stack, "us", [to("fd00::9")])).toBe("<sip:us@[2001:db8::5]:5060>");
  expect(contactFor(stack, "us", [to("172.16.0.9"), to("192.168.1.9")])).toBe("<sip:us@192.168.1.5:5060>");
  expect(contactFor(stack, "us", [to("172.16.0.9")])).toBeUndefined();
  expect(contactFor(stack, "us", [])).toBeUndefined();
});

test("what came in by a door is answered by that door, wherever the way back would begin", () => {
  const { stack, transports } = town();
  const [ten] = transports;
  expect(stack.doorTo(to("192.168.1.9", { listener: ten!.listener }))).toBe(ten);
});

test("the Via names the address of the way to each server that is tried", async () => {
  const { clock, network, stack } = town();
  const request: Request = {
    is: "request",
    method: "OPTIONS",
    uri: "sip:there.example",
    headers: [
      { name: "From", value: "<sip:us@here.example>;tag=1" },
      { name: "To", value: "<sip:there.example>" },
      { name: "Call-ID", value: "1" },
      { name: "CSeq", value: "1 OPTIONS" },
    ],
    body: "",
  };
  const outcome = stack.ask(request, [to("172.16.0.9"), to("10.0.0.9"), to("fd00::9")]);
  for (let seconds = 0; seconds < 80; seconds++) clock.pass(1_000);
  expect(await outcome).toEqual({ is: "timeout" });
  const vias = new Set(network.carried().map(({ octets }) => /^Via: (\S+ [^;]+)/m.exec(octets)?.[1]));
  expect([...vias]).toEqual(["SIP/2.0/UDP 10.0.0.5:5060", "SIP/2.0/UDP [2001:db8::5]:5060"]);
});

test("an IPv4 address in IPv6 clothing goes by the IPv4 door", () => {
  const { stack } = town();
  const destination = literalDestination(parseSipUri("sip:x@[::ffff:192.168.1.9]:5070") as SipUri);
  expect(destination).toMatchObject({ address: "192.168.1.9", port: 5070 });
  expect(stack.doorTo(destination!)?.sentBy.host).toBe("192.168.1.5");
});
