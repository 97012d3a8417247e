import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { type TestClock, testClock } from "../../../test/ground/test-clock.ts";
import { ear, optionsText, portOf, sender } from "../../../test/sip/sip-doors.ts";
import type { StreamLimits } from "./connection.ts";
import { openTcp } from "./tcp.ts";
import type { Transport } from "./transport.ts";

async function openDoor(limits: Partial<StreamLimits> = {}, guard?: () => "pass" | "drop") {
  const clock: TestClock = testClock();
  const door = await openTcp({ clock, address: "127.0.0.1", port: 0, limits });
  const listening = ear(guard);
  door.start(listening);
  return { clock, door, listening };
}

async function phoneTo(door: Transport): Promise<Socket> {
  const socket = connect(portOf(door), "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

test("messages are cut out of the stream however it is split and joined", async () => {
  const { door, listening } = await openDoor();
  const phone = await phoneTo(door);
  const texts = ["t1", "t2", "t3", "t4"].map((callId) => optionsText("TCP", callId));
  const [first, ...rest] = texts;
  for (const character of first!) phone.write(character);
  phone.write(rest.join(""));
  for (const text of texts) expect((await listening.next()).octets).toContain(text.match(/Call-ID: .*/)![0]);
  expect(new Set(listening.heard.map(({ source }) => source.connection)).size).toBe(1);
  phone.destroy();
  await door.close();
});

test("an answer goes back over the stream the request came by, and a ping gets its pong", async () => {
  const { door, listening } = await openDoor();
  const phone = await phoneTo(door);
  phone.write(optionsText("TCP", "b1"));
  const { source } = await listening.next();
  expect(door.holds(source.connection!)).toBe(true);
  door.send("hello", { ...source, address: "192.0.2.1", port: 1 }, sender());
  expect(String((await once(phone, "data"))[0])).toBe("hello");
  phone.write("\r\n\r\n");
  expect(String((await once(phone, "data"))[0])).toBe("\r\n");
  phone.destroy();
  await door.close();
});

test("one outgoing stream serves a destination until it closes", async () => {
  const { door, listening } = await openDoor();
  const streams: Socket[] = [];
  const server = createServer((socket) => streams.push(socket)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const there = { transport: "tcp", address: "127.0.0.1", port } as const;
  door.send("one ", there, sender());
  door.send("two", there, sender());
  await once(server, "connection");
  streams[0]!.write(optionsText("TCP", "back"));
  expect((await listening.next()).source).toMatchObject({ address: "127.0.0.1", port });
  expect(door.connections()).toBe(1);
  expect(String((await once(streams[0]!, "data"))[0])).toBe("one two");
  streams[0]!.destroy();
  while (door.connections() > 0) await new Promise(setImmediate);
  door.send("three", there, sender());
  await once(server, "connection");
  expect(streams).toHaveLength(2);
  await door.close();
  server.close();
});

test("a server that is not there, or does not pick up in time, is reported", async () => {
  const { clock, door } = await openDoor();
  const free = await openTcp({ clock, address: "127.0.0.1", port: 0 });
  const gone = portOf(free);
  await free.close();
  const refused = sender();
  door.send("x", { transport: "tcp", address: "127.0.0.1", port: gone }, refused);
  expect(await refused.failure).toMatch(/ECONNREFUSED|closed/);
  const silent = sender();
  door.send("x", { transport: "tcp", address: "203.0.113.1", port: 5060 }, silent);
  clock.pass(5_000);
  expect(await silent.failure).toMatch(/closed|ENETUNREACH|destroyed/);
  expect(door.connections()).toBe(0);
  await door.close();
  expect(clock.waiting()).toBe(0);
});

const yesTo = (method: string) => `SIP/2.0 200 OK\r\nCSeq: 1 ${method}\r\nContent-Length: 0\r\n\r\n`;

/** A phone over whose stream somebody has logged in. */
async function knownPhoneTo({ door, listening }: Pick<Awaited<ReturnType<typeof openDoor>>, "door" | "listening">) {
  const phone = await phoneTo(door);
  phone.write(optionsText("TCP", "known"));
  const { source } = await listening.next();
  const heard = once(phone, "data");
  door.send(yesTo("REGISTER"), source, sender());
  await heard;
  return { phone, connection: source.connection! };
}

test("too many streams, in all and from one source, are shut out", async () => {
  for (const [limits, word] of [
    [{ connections: 1 }, "too-many-connections"],
    [{ connectionsPerSource: 1 }, "too-many-from-source"],
  ] as const) {
    const { door, listening } = await openDoor(limits);
    const { phone: inside } = await knownPhoneTo({ door, listening });
    const outside = await phoneTo(door);
    expect(await listening.nextRefusal()).toBe(word);
    await once(outside, "close");
    expect(door.connections()).toBe(1);
    inside.destroy();
    while (door.connections() > 0) await new Promise(setImmediate);
    await door.close();
  }
});

test("a source that is shut out is not even listened to", async () => {
  const { door } = await openDoor({}, () => "drop");
  const phone = await phoneTo(door);
  await once(phone, "close");
  expect(door.connections()).toBe(0);
  await door.close();
});

test("a message that trickles in is given its time once, not anew with each octet", async () => {
  const { clock, door, listening } = await openDoor({ unfinishedMs: 10_000 });
  const phone = await phoneTo(door);
  phone.write(optionsText("TCP", "s0"));
  await listening.next();
  phone.write("\r\n\r\nOPTIONS sip:"); // the pong says that it has been read
  expect(String((await once(phone, "data"))[0])).toBe("\r\n");
  clock.pass(9_000);
  phone.write("127");
  await settled();
  clock.pass(1_000);
  expect(await listening.nextRefusal()).toBe("unfinished-message");
  await once(phone, "close");
  await door.close();
  expect(clock.waiting()).toBe(0);
});

test("a stream over which nobody logs in is closed when it is idle, signs of life or not; one that is let in may be silent", async () => {
  const { clock, door, listening } = await openDoor({ strangerMs: 10_000, idleMs: 100_000 });
  const [mute, asking, phone] = [await phoneTo(door), await phoneTo(door), await phoneTo(door)];
  const answer = async (socket: Socket, id: string, says: string) => {
    socket.write(optionsText("TCP", id));
    const { source } = await listening.next();
    const heard = once(socket, "data");
    door.send(says, source, sender());
    await heard;
  };
  await answer(asking, "m1", yesTo("OPTIONS"));
  await answer(phone, "m2", yesTo("REGISTER"));
  clock.pass(6_000);
  await answer(asking, "m3", "SIP/2.0 401 Unauthorized\r\nCSeq: 1 REGISTER\r\nContent-Length: 0\r\n\r\n");
  clock.pass(4_000);
  await once(mute, "close");
  expect(door.connections()).toBe(2);
  asking.write("\r\n\r\n");
  await once(asking, "data");
  clock.pass(6_000);
  await once(asking, "close");
  expect(door.connections()).toBe(1);
  clock.pass(90_000);
  await once(phone, "close");
  await door.close();
});

test("a carrier that knocks by TCP logs in nowhere, and its stream stays", async () => {
  const { clock, door, listening } = await openDoor({ strangerMs: 10_000, idleMs: 100_000 });
  listening.knows = () => true;
  const carrier = await phoneTo(door);
  carrier.write(optionsText("TCP", "c1"));
  await listening.next();
  clock.pass(60_000);
  expect(door.connections()).toBe(1);
  clock.pass(50_000);
  await once(carrier, "close");
  await door.close();
});

test("who is rung, or calls and is heard, is no stranger", async () => {
  const { clock, door, listening } = await openDoor({ strangerMs: 10_000, idleMs: 100_000 });
  const ways = [
    "SIP/2.0 180 Ringing\r\nCSeq: 1 INVITE\r\nContent-Length: 0\r\n\r\n",
    "INVITE sip:a@b SIP/2.0\r\nContent-Length: 0\r\n\r\n",
  ];
  for (const [at, words] of ways.entries()) {
    const phone = await phoneTo(door);
    phone.write(optionsText("TCP", `u${at}`));
    const { source } = await listening.next();
    const heard = once(phone, "data");
    door.send(words, source, sender());
    await heard;
  }
  clock.pass(60_000);
  expect(door.connections()).toBe(2);
  await door.close();
});

test("strangers fill some of the places: the oldest goes for the next one, and who has logged in stays", async () => {
  const { door, listening } = await openDoor({ connections: 5 });
  const { phone, connection } = await knownPhoneTo({ door, listening });
  const strangers: Socket[] = [];
  for (let count = 0; count < 12; count++) {
    const stranger = (await phoneTo(door)).resume();
    strangers.push(stranger);
    if (count >= 4) await listening.nextRefusal();
  }
  await expect.poll(() => strangers.filter(({ destroyed }) => destroyed).length).toBe(8);
  expect(strangers.slice(8).map(({ destroyed }) => destroyed)).toEqual([false, false, false, false]);
  expect(door.holds(connection)).toBe(true);
  for (const stranger of strangers) stranger.destroy();
  phone.destroy();
  await door.close();
});

test("a stranger behind the same address goes before a phone is kept out, and whoever is ignored pushes nobody out", async () => {
  let verdict: "pass" | "drop" = "pass";
  const { door, listening } = await openDoor({ connectionsPerSource: 2 }, () => verdict);
  const { phone, connection } = await knownPhoneTo({ door, listening });
  const stranger = (await phoneTo(door)).resume();
  await expect.poll(() => door.connections()).toBe(2);
  verdict = "drop";
  await once((await phoneTo(door)).resume(), "close");
  expect(listening.refusals).toEqual([]);
  verdict = "pass";
  const other = (await phoneTo(door)).resume();
  await once(stranger, "close");
  expect(listening.refusals).toEqual(["too-many-from-source"]);
  expect(door.holds(connection)).toBe(true);
  expect(door.connections()).toBe(2);
  for (const socket of [phone, other]) socket.destroy();
  await door.close();
});

test("a broken stream is answered as far as it can be, and closed", async () => {
  const { door, listening } = await openDoor();
  const phone = await phoneTo(door);
  phone.write(optionsText("TCP", "x1").replace("Content-Length: 0", "Content-Length: -1"));
  expect((await listening.next()).octets).toContain("malformed");
  expect(await listening.nextRefusal()).toBe("bad-stream");
  phone.resume();
  await once(phone, "close");
  await door.close();
});

test("who breaks his stream and then reads nothing is not waited for", async () => {
  const { clock, door, listening } = await openDoor({ unfinishedMs: 10_000, unsent: 1 << 30 });
  const phone = await phoneTo(door);
  phone.pause();
  phone.write(optionsText("TCP", "n1"));
  const { source } = await listening.next();
  door.send("x".repeat(30_000_000), source, sender());
  phone.write(optionsText("TCP", "n2").replace("Content-Length: 0", "Content-Length: -1"));
  expect(await listening.nextRefusal()).toBe("bad-stream");
  expect(door.connections()).toBe(1);
  clock.pass(10_000);
  await expect.poll(() => door.connections()).toBe(0);
  phone.destroy();
  await door.close();
  expect(clock.waiting()).toBe(0);
});

test("a peer that does not read is cut off before it fills our memory", async () => {
  const { door, listening } = await openDoor({ unsent: 100_000 });
  const phone = await phoneTo(door);
  phone.pause();
  phone.write(optionsText("TCP", "r1"));
  const { source } = await listening.next();
  const reader = sender();
  for (let at = 0; at < 500 && door.connections() > 0; at++) {
    door.send("x".repeat(60_000), source, reader);
    await new Promise(setImmediate);
  }
  expect(listening.refusals).toContain("slow-reader");
  expect(await reader.failure).toBeTruthy();
  phone.destroy();
  await door.close();
});

/** Until what was written on loopback has been read, as far as one can tell. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
}
