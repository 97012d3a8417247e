import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import type { FastifyInstance } from "fastify";
import { expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { whenOver } from "../../../test/ground/when-over.ts";
import { silentLog } from "../../log.ts";
import { connectionLimits } from "../../server/open-files-limit.ts";
import type { TooMany } from "./connections.ts";
import { openFastify, type Patience } from "./listener.ts";

type Wanted = { all?: number; ofOne?: number; isShared?: boolean };

/** Nobody is closed for being slow or silent. */
const PATIENT: Patience = { headersMs: 60_000, requestMs: 60_000, lookMs: 60_000 };

async function doorFor({ all = 100, ofOne = 100, isShared = false }: Wanted) {
  const told: TooMany[] = [];
  const bounds = { all, ofOne, isShared: () => isShared, refused: (limit: TooMany) => void told.push(limit) };
  const app = openFastify(silentLog, PATIENT, undefined, bounds);
  const slow: (() => void)[] = [];
  app.get("/", async () => "here");
  app.get("/slow", () => new Promise((answer) => slow.push(() => answer("at last"))));
  const webSockets = new WebSocketServer({ noServer: true });
  app.claimUpgrade((request, socket, head) => {
    webSockets.handleUpgrade(request, socket, head, () => undefined);
    return true;
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  whenOver(async () => {
    for (const client of webSockets.clients) client.terminate();
    await app.close();
  });
  return { app, told, slow, port: (app.server.address() as AddressInfo).port }; // it listens
}

async function guestAt({ app, port }: { app: FastifyInstance; port: number }) {
  const arrives = once(app.server, "connection");
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  await arrives;
  const closed = new Promise<void>((tell) => socket.once("close", () => tell()));
  whenOver(() => void socket.destroy());
  return {
    socket,
    closed,
    ask(path: string) {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    },
    async hears() {
      return String((await once(socket, "data"))[0]).split("\r\n")[0];
    },
  };
}

const FINE = "HTTP/1.1 200 OK";

test("of many connections that have asked and wait for more, the one that has waited longest goes", async () => {
  const door = await doorFor({ all: 3 });
  const guests = [await guestAt(door), await guestAt(door), await guestAt(door)];
  for (const guest of [guests[1]!, guests[2]!, guests[0]!]) {
    guest.ask("/");
    expect(await guest.hears()).toBe(FINE);
  }
  const late = await guestAt(door);
  await guests[1]!.closed;
  expect(door.told).toEqual(["connections"]);
  for (const guest of [late, guests[0]!, guests[2]!]) {
    guest.ask("/");
    expect(await guest.hears()).toBe(FINE);
  }
});

test("a request under way and a WebSocket are never cut: where nothing waits, whoever comes last goes", async () => {
  const door = await doorFor({ all: 2 });
  const busy = await guestAt(door);
  busy.ask("/slow");
  await expect.poll(() => door.slow.length).toBe(1);
  const board = new WebSocket(`ws://127.0.0.1:${door.port}/`);
  await once(board, "open");
  for (let tries = 0; tries < 3; tries++) await (await guestAt(door)).closed;
  expect(door.told).toEqual(Array(3).fill("connections"));
  expect(board.readyState).toBe(WebSocket.OPEN);
  door.slow[0]!();
  expect(await busy.hears()).toBe(FINE);
  // It waits now, and makes room.
  const next = await guestAt(door);
  await busy.closed;
  next.ask("/");
  expect(await next.hears()).toBe(FINE);
});

test("one address makes room by its own connections alone, unless many stand behind it", async () => {
  const door = await doorFor({ ofOne: 2 });
  const [first, second] = [await guestAt(door), await guestAt(door)];
  const third = await guestAt(door);
  await first.closed;
  expect(door.told).toEqual(["connectionsOfOne"]);
  for (const guest of [second, third]) {
    guest.ask("/");
    expect(await guest.hears()).toBe(FINE);
  }
  const proxied = await doorFor({ ofOne: 1, isShared: true });
  const several = [await guestAt(proxied), await guestAt(proxied), await guestAt(proxied)];
  for (const guest of several) {
    guest.ask("/");
    expect(await guest.hears()).toBe(FINE);
  }
  expect(proxied.told).toEqual([]);
});

test("many that come in the same moment close as many, and who is gone is no longer counted", async () => {
  const door = await doorFor({ all: 5 });
  const sockets = Array.from({ length: 40 }, () => connect(door.port, "127.0.0.1").on("error", () => undefined));
  let closed = 0;
  for (const socket of sockets) socket.once("close", () => closed++).resume();
  await expect.poll(() => closed).toBe(35);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => closed).toBe(40);
  const guests = await Promise.all(Array.from({ length: 5 }, () => guestAt(door)));
  for (const guest of guests) guest.ask("/");
  for (const guest of guests) expect(await guest.hears()).toBe(FINE);
});

test("HTTP takes no more than a quarter of what the process may have open", async () => {
  expect(await connectionLimits(Promise.resolve(65_536))).toEqual({ all: 10_000, ofOne: 2_500 });
  expect(await connectionLimits(Promise.resolve(1_024))).toEqual({ all: 256, ofOne: 128 });
  expect(await connectionLimits(Promise.resolve(undefined))).toEqual({ all: 10_000, ofOne: 2_500 });
});
