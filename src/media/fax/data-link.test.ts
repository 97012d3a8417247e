// Who may speak on a T.38 line: the other side, wherever its packets come from, and nobody else.

import { createSocket, type Socket } from "node:dgram";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { eventually } from "../../../test/ground/eventually.ts";
import { DataLink } from "./data-link.ts";
import { UdptlSender } from "./udptl.ts";

const HERE = "127.0.0.1";
const open: { close(): void }[] = [];

afterEach(() => {
  for (const it of open.splice(0)) it.close();
});

test("the other side is answered where its packets come from, and strangers are not heard", async () => {
  const { line, taken } = await dataLine();
  const [signalled, moved, stranger] = [await socketAt(HERE), await socketAt(HERE), await socketAt("127.0.0.2")];
  line.direct({ remote: portOf(signalled), maxDatagram: 400, redundancy: true }, undefined);
  await say(stranger, line, 66);
  await say(moved, line, 1);
  await eventually("the first packet is taken", async () => taken.length > 0);
  const answers: Buffer[] = [];
  moved.on("message", (packet) => void answers.push(packet));
  line.send(Uint8Array.of(9), 2);
  await eventually("both copies come", async () => answers.length === 2);
  await say(stranger, line, 67);
  await say(moved, line, 2);
  await eventually("the second packet is taken", async () => taken.length > 1);
  expect(taken).toEqual([1, 2]);
});

test("behind NAT packets may come from where the signalling comes from, once and for all", async () => {
  const { line, taken } = await dataLine();
  const [behind, stranger] = [await socketAt("127.0.0.3"), await socketAt("127.0.0.4")];
  line.direct({ remote: { address: "192.0.2.77", port: 4000 }, maxDatagram: 400, redundancy: true }, "127.0.0.3");
  await say(stranger, line, 66);
  await say(behind, line, 1);
  await eventually("the packet is taken", async () => taken.length > 0);
  await say(stranger, line, 67);
  await say(behind, line, 2);
  await eventually("the second is taken", async () => taken.length > 1);
  expect(taken).toEqual([1, 2]);
});

test("a name is nobody's address: nothing goes to it, and who goes by it is answered once he is heard", async () => {
  const { line, taken } = await dataLine();
  const side = await socketAt(HERE);
  const heard: Buffer[] = [];
  side.on("message", (packet) => void heard.push(packet));
  const { port } = portOf(side);
  line.direct({ remote: { address: "localhost", port }, maxDatagram: 400, redundancy: true }, HERE);
  for (let packet = 0; packet < 20; packet++) line.send(Uint8Array.of(9), 3);
  await say(side, line, 1);
  await eventually("its packet is taken", async () => taken.length > 0);
  expect(heard).toEqual([]);
  line.send(Uint8Array.of(9), 1);
  await eventually("it is answered", async () => heard.length === 1);
});

test("whoever an SDP names hears little until something has come from there", async () => {
  const { line, taken } = await dataLine();
  const victim = await socketAt("127.0.0.5");
  const heard: Buffer[] = [];
  victim.on("message", (packet) => void heard.push(packet));
  const remote = { address: "127.0.0.5", port: portOf(victim).port };
  line.direct({ remote, maxDatagram: 400, redundancy: true }, HERE);
  for (let packet = 0; packet < 1_000; packet++) line.send(Uint8Array.of(9), 3);
  await say(victim, line, 1);
  await eventually("its packet is taken", async () => taken.length > 0);
  expect(heard.length).toBeLessThanOrEqual(150);
  const before = heard.length;
  line.send(Uint8Array.of(9), 1);
  await eventually("from then on it is answered", async () => heard.length > before);
});

test("nor more when it names one after the other", async () => {
  const { line } = await dataLine();
  const victims = await Promise.all(["127.0.0.5", "127.0.0.6", "127.0.0.7"].map(socketAt));
  let heard = 0;
  for (const victim of victims) victim.on("message", () => void heard++);
  for (const [at, victim] of victims.entries()) {
    const remote = { address: `127.0.0.${5 + at}`, port: portOf(victim).port };
    line.direct({ remote, maxDatagram: 400, redundancy: true }, HERE);
    for (let packet = 0; packet < 100; packet++) line.send(Uint8Array.of(9), 1);
  }
  const last = await socketAt(HERE);
  const told: Buffer[] = [];
  last.on("message", (packet) => void told.push(packet));
  line.direct({ remote: portOf(last), maxDatagram: 400, redundancy: true }, HERE);
  line.send(Uint8Array.of(9), 1);
  await eventually("what was sent last has come", async () => told.length > 0);
  expect(heard).toBeGreaterThan(0);
  expect(heard).toBeLessThanOrEqual(150);
});

test("a socket for both families hears the IPv4 side at its own address, and answers it there", async () => {
  for (const side of [await socketAt(HERE), await socketAt("::1")]) {
    const { line, taken } = await dataLine("::");
    const answers: Buffer[] = [];
    side.on("message", (packet) => void answers.push(packet));
    line.direct({ remote: portOf(side), maxDatagram: 400, redundancy: true }, undefined);
    line.send(Uint8Array.of(9), 1);
    await eventually("the packet comes", async () => answers.length === 1);
    await say(side, line, 1);
    await eventually("its own is taken", async () => taken.length > 0);
  }
});

async function dataLine(bind = HERE) {
  const line = new DataLink(await boundTo(bind));
  open.push(line);
  const taken: number[] = [];
  line.connect({
    take: (ifp) => void taken.push(ifp[0] ?? -1),
    pass: () => undefined,
    terminate: () => undefined,
    close: () => undefined,
  });
  return { line, taken };
}

async function socketAt(address: string): Promise<Socket> {
  const socket = await boundTo(address);
  open.push(socket);
  return socket;
}

async function boundTo(address: string): Promise<Socket> {
  const socket = createSocket(address.includes(":") ? "udp6" : "udp4");
  await new Promise<void>((resolve) => socket.bind(0, address, resolve));
  return socket;
}

const senders = new Map<Socket, UdptlSender>();

async function say(from: Socket, { port }: DataLink, octet: number): Promise<void> {
  const sender = senders.get(from) ?? new UdptlSender({ maxDatagram: 400, redundancy: false });
  senders.set(from, sender);
  await new Promise<void>((resolve) =>
    from.send(sender.wrap(Uint8Array.of(octet)), port, toLine(from), () => resolve()),
  );
}

const toLine = (from: Socket) => (from.address().family === "IPv6" ? "::1" : HERE);

function portOf(socket: Socket): { address: string; port: number } {
  return { address: toLine(socket), port: (socket.address() as AddressInfo).port };
}
