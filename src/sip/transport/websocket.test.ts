import { once } from "node:events";
import { createServer } from "node:http";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { testClock } from "../../../test/ground/test-clock.ts";
import { ear, optionsText, sender } from "../../../test/sip/sip-doors.ts";
import { openWebSocket, type WebSocketLimits } from "./websocket.ts";

async function openDoor(limits: Partial<WebSocketLimits> = {}) {
  const clock = testClock();
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const door = openWebSocket({ clock, secure: false, sentBy: { host: "127.0.0.1", port }, limits });
  const listening = ear();
  const others: string[] = [];
  door.start(listening);
  server.on("upgrade", (request, socket, head) => {
    if (door.upgrade(request, socket, head)) return;
    others.push(request.url ?? "");
    socket.destroy();
  });
  const stop = async () => {
    await door.close();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  return { clock, others, door, listening, port, stop };
}

async function browserTo(port: number, path = "/ws"): Promise<WebSocket> {
  const browser = new WebSocket(`ws://127.0.0.1:${port}${path}`, "sip");
  browser.on("error", () => {});
  await once(browser, "open");
  return browser;
}

test.each(["/ws", "/", "/ws?token=1"])("a browser telephones over %s by the sip subprotocol", async (path) => {
  const { door, listening, port, stop } = await openDoor();
  const browser = await browserTo(port, path);
  expect(browser.protocol).toBe("sip");
  expect(browser.extensions).toBe("");
  browser.send(optionsText("WS", "w1").replace("sip:b@", "sip:b\u00fc@"));
  const { octets, source } = await listening.next();
  expect(octets).toContain("sip:b\xc3\xbc@");
  expect(source).toMatchObject({ transport: "ws", address: "127.0.0.1" });
  expect(door.holds(source.connection!)).toBe(true);
  door.send("caf\xc3\xa9", source, sender());
  const [answer, isBinary] = (await once(browser, "message")) as [Buffer, boolean];
  expect([answer.toString(), isBinary]).toEqual(["caf\u00e9", false]);
  const ended: string[] = [];
  listening.gone = (connection) => ended.push(connection);
  browser.terminate();
  await expect.poll(() => ended).toEqual([source.connection]);
  expect(door.holds(source.connection!)).toBe(false);
  await stop();
});

test("a browser that may not be here any more hears what was said to it, and is closed with the reason", async () => {
  const { door, listening, port, stop } = await openDoor();
  const browser = await browserTo(port);
  browser.send(optionsText("WS", "w2"));
  const { source } = await listening.next();
  const heard = once(browser, "message");
  const closed = once(browser, "close");
  door.send("good-bye", source, sender());
  door.drop?.(source.connection!);
  expect(String((await heard)[0])).toBe("good-bye");
  expect((await closed)[0]).toBe(1_008);
  await stop();
});

test("a keep-alive gets its pong", async () => {
  const { port, listening, stop } = await openDoor();
  const browser = await browserTo(port);
  browser.send("\r\n\r\n");
  expect(String((await once(browser, "message"))[0])).toBe("\r\n");
  expect(listening.heard).toEqual([]);
  browser.terminate();
  await stop();
});

test("upgrades that are not ours are left to others", async () => {
  const { others, door, port, stop } = await openDoor();
  for (const [path, protocol] of [
    ["/panel", "sip"],
    ["/ws", "chat"],
  ] as const) {
    const browser = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocol);
    await once(browser, "error");
  }
  expect(others).toEqual(["/panel", "/ws"]);
  expect(door.connections()).toBe(0);
  await stop();
});

test("a browser that is gone is reported to whoever writes to it", async () => {
  const { door, listening, port, stop } = await openDoor();
  const browser = await browserTo(port);
  browser.send(optionsText("WS", "g1"));
  const { source } = await listening.next();
  browser.terminate();
  while (door.connections() > 0) await new Promise(setImmediate);
  const news = sender();
  door.send("x", source, news);
  expect(await news.failure).toContain("gone");
  const nowhere = sender();
  door.send("x", { transport: "ws", address: "127.0.0.1", port: 80 }, nowhere);
  expect(await nowhere.failure).toContain("gone");
  await stop();
});

test("a browser that answers no ping is hung up on", async () => {
  const { clock, port, door, stop } = await openDoor({ pingMs: 30_000, strangerMs: 600_000 });
  const alive = await browserTo(port);
  clock.pass(30_000);
  await once(alive, "ping");
  await heardFrom(alive);
  const frozen = new WebSocket(`ws://127.0.0.1:${port}/ws`, "sip", { autoPong: false });
  await once(frozen, "open");
  clock.pass(30_000);
  await once(alive, "ping");
  await heardFrom(alive);
  clock.pass(30_000);
  await once(frozen, "close");
  expect(door.connections()).toBe(1);
  alive.terminate();
  await stop();
  expect(clock.waiting()).toBe(0);
});

test("a browser in which nobody logs in is closed, however well it keeps alive; one that is let in may be silent", async () => {
  const { clock, port, door, listening, stop } = await openDoor({ strangerMs: 20_000, pingMs: 15_000 });
  const [mute, asking, phone] = [await browserTo(port), await browserTo(port), await browserTo(port)];
  asking.send(optionsText("WS", "m0"));
  await listening.next();
  phone.send(optionsText("WS", "m1"));
  const { source } = await listening.next();
  const answered = once(phone, "message");
  door.send("SIP/2.0 200 OK\r\nCSeq: 2 REGISTER\r\nContent-Length: 0\r\n\r\n", source, sender());
  await answered;
  const pings = [mute, asking, phone].map((browser) => once(browser, "ping"));
  clock.pass(15_000);
  await Promise.all(pings);
  await Promise.all([heardFrom(mute), heardFrom(asking), heardFrom(phone)]);
  const closed = [once(mute, "close"), once(asking, "close")];
  clock.pass(5_000);
  for (const [code] of await Promise.all(closed)) expect(code).toBe(1_008);
  await expect.poll(() => door.connections()).toBe(1);
  expect(door.holds(source.connection!)).toBe(true);
  expect(await listening.nextRefusal()).toBe("unfinished-message");
  phone.terminate();
  await expect.poll(() => door.connections()).toBe(0);
  expect(clock.waiting()).toBe(0);
  await stop();
});

/** What it said so far has been heard: the answer to a keep-alive comes after it. */
async function heardFrom(browser: WebSocket): Promise<void> {
  browser.send("\r\n\r\n");
  await once(browser, "message");
}

test("limits hold: size of a message, number of browsers", async () => {
  const { port, door, listening, stop } = await openDoor({ message: 1_000, connectionsPerSource: 1 });
  const stranger = await browserTo(port);
  const dropped = once(stranger, "close");
  const browser = await browserTo(port);
  expect(await listening.nextRefusal(), "the one over which nobody has logged in goes").toBe("too-many-from-source");
  await dropped;
  browser.send(optionsText("WS", "b1"));
  const { source } = await listening.next();
  door.send("SIP/2.0 200 OK\r\nCSeq: 1 REGISTER\r\nContent-Length: 0\r\n\r\n", source, sender());
  await once(browser, "message");
  const outside = new WebSocket(`ws://127.0.0.1:${port}/ws`, "sip");
  await once(outside, "error");
  expect(await listening.nextRefusal()).toBe("too-many-from-source");
  browser.send("x".repeat(2_000));
  await once(browser, "close");
  while (door.connections() > 0) await new Promise(setImmediate);
  await stop();
});
