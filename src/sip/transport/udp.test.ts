import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, test } from "vitest";
import { ear, optionsText, portOf, sender } from "../../../test/sip/sip-doors.ts";
import { realClock } from "../../clock.ts";
import { openStack } from "../stack.ts";
import { openRandom } from "./random.ts";
import { openUdp } from "./udp.ts";

test.each(["127.0.0.1", "::1"])("datagrams go both ways over %s, octet for octet", async (address) => {
  const [one, other] = await Promise.all([openUdp({ address, port: 0 }), openUdp({ address, port: 0 })]);
  const [earOfOne, earOfOther] = [ear(), ear()];
  one.start(earOfOne);
  other.start(earOfOther);
  const every = String.fromCharCode(...Array.from({ length: 256 }, (_, octet) => octet));
  one.send(every, { transport: "udp", address, port: portOf(other) }, sender());
  const arrived = await earOfOther.next();
  expect(arrived).toEqual({
    octets: every,
    source: { transport: "udp", address, port: portOf(one), listener: other.listener },
  });
  other.send("back", { ...arrived.source }, sender());
  expect((await earOfOne.next()).octets).toBe("back");
  expect(one.sentBy).toEqual({ host: address === "::1" ? "[::1]" : address, port: portOf(one) });
  await Promise.all([one.close(), other.close()]);
});

test("a burst of datagrams is heard whole, each from where it came", async () => {
  const door = await openUdp({ address: "127.0.0.1", port: 0 });
  const heard: string[] = [];
  const all = new Promise<void>((resolve) => {
    door.start({
      ...ear(),
      receive: (octets, { address, port }) => {
        heard.push(`${octets} from ${address}:${port}`);
        if (heard.length === 200) resolve();
      },
    });
  });
  const phones = await Promise.all([1, 2].map(() => openUdp({ address: "127.0.0.1", port: 0 })));
  const sent: string[] = [];
  for (let n = 0; n < 200; n++) {
    const phone = phones[n % 2]!; // there are two
    phone.send(`datagram ${n}`, { transport: "udp", address: "127.0.0.1", port: portOf(door) });
    sent.push(`datagram ${n} from 127.0.0.1:${portOf(phone)}`);
  }
  await all;
  expect(heard.sort()).toEqual(sent.sort());
  await Promise.all([door, ...phones].map((it) => it.close()));
});

test("a datagram that cannot be sent is reported, not thrown", async () => {
  const door = await openUdp({ address: "127.0.0.1", port: 0 });
  const [tooLarge, noPort] = [sender(), sender()];
  door.send("x".repeat(70_000), { transport: "udp", address: "127.0.0.1", port: 9 }, tooLarge);
  door.send("x", { transport: "udp", address: "127.0.0.1", port: 0 }, noPort);
  expect(await tooLarge.failure).toContain("EMSGSIZE");
  expect(await noPort.failure).toContain("port");
  await door.close();
  door.send("after the end", { transport: "udp", address: "127.0.0.1", port: 9 }, sender());
});

test("a port that is taken is refused when the door is opened", async () => {
  const door = await openUdp({ address: "127.0.0.1", port: 0 });
  await expect(openUdp({ address: "127.0.0.1", port: portOf(door) })).rejects.toThrow("EADDRINUSE");
  await door.close();
});

test("the stack answers STUN and SIP on one port, and is silent to keep-alives", async () => {
  const door = await openUdp({ address: "127.0.0.1", port: 0 });
  const stack = openStack({ clock: realClock, random: openRandom(), transports: [door] });
  stack.onRequest((incoming) => void incoming.reply(200));
  const phone = createSocket("udp4").bind(0, "127.0.0.1");
  await once(phone, "listening");
  const ask = async (octets: Buffer) => {
    phone.send(octets, portOf(door), "127.0.0.1");
    const [answer] = (await once(phone, "message")) as [Buffer];
    return answer;
  };
  phone.send("\r\n\r\n", portOf(door), "127.0.0.1");
  const stun = await ask(Buffer.from(`000100002112a442${"ab".repeat(12)}`, "hex"));
  expect(stun.subarray(0, 20).toString("hex")).toBe(`0101000c2112a442${"ab".repeat(12)}`);
  expect(stun.readUInt16BE(26) ^ 0x2112).toBe(phone.address().port);
  expect(stun.readUInt32BE(28) ^ 0x2112a442).toBe(0x7f000001);
  const via = "Via: SIP/2.0/UDP 127.0.0.1;rport";
  const sip = await ask(Buffer.from(optionsText("UDP", "u1").replace("Via: SIP/2.0/UDP 127.0.0.1", via)));
  expect(sip.toString()).toMatch(/^SIP\/2.0 200 OK\r\n/);
  phone.close();
  await stack.close();
});

test("where nobody listens a request fails at once, and the socket goes on", async () => {
  const clock = realClock;
  const [gone, there] = await Promise.all([1, 2].map(() => openUdp({ address: "127.0.0.1", port: 0 })));
  await gone!.close();
  const door = await openUdp({ address: "127.0.0.1", port: 0 });
  const stack = openStack({ clock, random: openRandom(), transports: [door] });
  const phone = openStack({ clock, random: openRandom(), transports: [there!] });
  phone.onRequest((incoming) => void incoming.reply(200));
  const ask = (port: number) => {
    const headers = [
      { name: "From", value: "<sip:a@127.0.0.1>;tag=1" },
      { name: "To", value: "<sip:b@127.0.0.1>" },
      { name: "Call-ID", value: `${port}-${Math.random()}` },
      { name: "CSeq", value: "1 OPTIONS" },
    ];
    const request = { is: "request", method: "OPTIONS", uri: `sip:b@127.0.0.1:${port}`, headers, body: "" } as const;
    return stack.ask(request, { transport: "udp", address: "127.0.0.1", port });
  };
  const began = clock.wall();
  const port = portOf(gone!);
  const outcomes = await Promise.all([ask(port), ask(portOf(there!)), ask(port), ask(portOf(there!))]);
  expect(outcomes.map(({ is }) => is)).toEqual(["unreachable", "success", "unreachable", "success"]);
  expect(clock.wall() - began).toBeLessThan(5_000);
  // A queue that nobody empties wakes the socket without end, thousands of times in every tenth of a second; who runs the
  // tests does, too, in some of them.
  await expect.poll(() => turnsWithin(100), { timeout: 10_000 }).toBeLessThan(50);
  await Promise.all([stack.close(), phone.close()]);
});

async function turnsWithin(ms: number): Promise<number> {
  const turns = () => performance.nodeTiming.uvMetricsInfo.loopCount;
  const before = turns();
  await new Promise<void>((resolve) => realClock.after(ms, resolve));
  return turns() - before;
}
