// The sockets that the fax machines are handed.

import type { Socket } from "node:dgram";
import { afterEach, expect, test } from "vitest";
import { openFaxSockets } from "./sockets.ts";

const HERE = "127.0.0.1";
const open: Socket[] = [];

afterEach(() => {
  for (const socket of open.splice(0)) socket.close();
});

test("ports for data are taken from the top down, those in use are stepped over, and at last none is left", async () => {
  const top = (await data(0, 0))!.address().port; // any that is free
  const first = await data(top - 40, top);
  expect(first?.address().port).toBeLessThan(top);
  expect(await data(top, top)).toBeUndefined();
});

test("sound meets the engine where it is, and has no socket where we are not", async () => {
  const socket = await openFaxSockets({ bind: "0.0.0.0", ports: { from: 0, to: 0 }, inside: HERE }).sound();
  if (socket) open.push(socket);
  expect(socket?.address().address).toBe(HERE);
  const nowhere = openFaxSockets({ bind: HERE, ports: { from: 0, to: 0 }, inside: "192.0.2.1" });
  expect(await nowhere.sound()).toBeUndefined();
});

async function data(from: number, to: number): Promise<Socket | undefined> {
  const socket = await openFaxSockets({ bind: HERE, ports: { from, to }, inside: HERE }).data();
  if (socket) open.push(socket);
  return socket;
}
