// Browsers that are none, at the door where browsers telephone: frames that are spoilt, in a thousand pieces, or without end,
// from somebody who never reads what he is answered.

import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { openWebSocket } from "../../src/sip/transport/websocket.ts";
import { heapUsed } from "../ground/heap.ts";
import { testClock } from "../ground/test-clock.ts";
import { ear, optionsText } from "../sip/sip-doors.ts";
import { below, corpus, openMutator, pick, seeded } from "../sip/sip-mutator.ts";
import { openSpoiler } from "./octet-spoiler.ts";
import { PATIENCE_MS, SEED, SPOILT } from "./spoilt-packets.ts";

const MEBIBYTE = 1024 * 1024;
const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
const LAST = 0x80;

/** `isDeaf`: nothing that is written to anybody leaves. */
async function door({ isDeaf = false } = {}) {
  const clock = testClock();
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const browsers = openWebSocket({ clock, secure: false, sentBy: { host: "127.0.0.1", port } });
  const listening = ear();
  browsers.start(listening);
  server.on("upgrade", (request, socket, head) => {
    if (isDeaf) socket.cork();
    browsers.upgrade(request, socket, head);
  });
  return {
    browsers,
    listening,
    /** Speaks before it is let in, so that all of it comes in one go. */
    async enters(said: Uint8Array): Promise<Socket> {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => undefined);
      const hello = [
        ...["GET /ws HTTP/1.1", "Host: 127.0.0.1", "Upgrade: websocket", "Connection: Upgrade"],
        ...[
          "Sec-WebSocket-Version: 13",
          "Sec-WebSocket-Protocol: sip",
          "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
          "",
          "",
        ],
      ];
      socket.write(Buffer.concat([Buffer.from(hello.join("\r\n")), said]));
      return socket;
    },
    async stop() {
      await browsers.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once("close", () => resolve()));

/** Masked by nothing, which is a mask as well. */
function frame(kind: number, payload: Uint8Array, isLast = true): Buffer {
  const head = [(isLast ? LAST : 0) | kind];
  if (payload.length < 126) head.push(LAST | payload.length);
  else head.push(LAST | 126, payload.length >> 8, payload.length & 255);
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), payload]);
}

test.each([
  ["pings", frame(PING, Buffer.alloc(100))],
  ["signs of life", frame(TEXT, Buffer.from("\r\n\r\n"))],
])("whoever sends %s and reads no answer is hung up on", { timeout: 120_000 }, async (_what, one) => {
  const { enters, browsers, stop } = await door({ isDeaf: true });
  const flood = Buffer.concat(Array<Buffer>(20_000).fill(one));
  const socket = await enters(flood);
  await expect.poll(() => browsers.connections()).toBe(1);
  let isOver = false;
  const over = closed(socket).then(() => {
    isOver = true;
  });
  for (let sent = 0; !isOver && sent < 100 * MEBIBYTE; sent += flood.length)
    if (!socket.write(flood)) await Promise.race([over, new Promise((resolve) => socket.once("drain", resolve))]);
  expect(isOver).toBe(true);
  await expect.poll(() => browsers.connections()).toBe(0);
  await stop();
});

test("a message in very many pieces is not waited for", async () => {
  const { enters, browsers, listening, stop } = await door();
  const pieces = Array.from({ length: 10_000 }, (_, place) => frame(place === 0 ? TEXT : 0, Buffer.from("x"), false));
  const socket = await enters(Buffer.concat(pieces));
  await closed(socket.resume());
  await expect.poll(() => browsers.connections()).toBe(0);
  expect(listening.heard).toEqual([]);
  await stop();
});

test(`${SPOILT} spoilt frames`, { timeout: PATIENCE_MS }, async () => {
  const random = seeded(SEED);
  const { enters, browsers, listening, stop } = await door();
  const messages = corpus().filter(({ length }) => length < 60_000);
  const mutate = openMutator(random, messages);
  const sound = [
    ...[frame(PING, Buffer.from("ping")), frame(PONG, Buffer.alloc(0)), frame(CLOSE, Buffer.from([3, 0xe8, 0x61]))],
    ...[frame(TEXT, Buffer.from(optionsText("WS", "f1"))), frame(BINARY, Buffer.from(optionsText("WS", "f2")))],
    Buffer.concat([
      frame(TEXT, Buffer.from("OPTIONS "), false),
      frame(PING, Buffer.alloc(0)),
      frame(0, Buffer.from("x")),
    ]),
  ];
  const spoil = openSpoiler(random, sound);
  const AT_ONCE = 25;
  let heapBefore = 0;
  for (let done = 0; done < SPOILT; done += AT_ONCE) {
    if (done <= SPOILT / 5) heapBefore = heapUsed();
    const batch = Array.from({ length: AT_ONCE }, () =>
      below(random, 3) === 0
        ? frame(TEXT, Buffer.from(mutate(pick(random, messages)), "latin1").subarray(0, 65_000))
        : below(random, 3) === 0
          ? spoil(pick(random, sound))
          : pick(random, sound.slice(0, 2)),
    );
    const socket = await enters(Buffer.concat(batch));
    socket.resume();
    socket.end();
    await closed(socket);
    listening.heard.length = 0;
  }
  await expect.poll(() => browsers.connections()).toBe(0);
  expect(heapUsed() - heapBefore).toBeLessThan(16 * MEBIBYTE);
  const socket = await enters(sound[3]!);
  await expect.poll(() => listening.heard.length).toBe(1);
  socket.destroy();
  await stop();
});
