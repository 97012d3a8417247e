import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import type { FastifyInstance } from "fastify";
import { expect, test } from "vitest";
import { silentLog } from "../../log.ts";
import { openFastify } from "./listener.ts";

test("who has connected and asked for nothing, as browsers do in advance, does not keep a server from closing", async () => {
  const app = openFastify(silentLog);
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo; // it listens
  const arrives = once(app.server, "connection");
  const silent = connect(port, "127.0.0.1");
  await arrives;
  const half = connect(port, "127.0.0.1");
  half.write("GET /nowhere HTTP/1.1\r\nHost: x\r\nX-Half");
  await once(app.server, "connection");
  const [first, second] = [once(silent, "close"), once(half, "close")];
  for (const socket of [silent, half]) socket.resume().on("error", () => undefined);
  await app.close();
  await Promise.all([first, second]);
  expect([silent.destroyed, half.destroyed]).toEqual([true, true]);
});

const knockAt = async (app: FastifyInstance) => {
  const { port } = app.server.address() as AddressInfo; // it listens
  const arrives = once(app.server, "connection");
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }).resume();
  await arrives;
  return { socket, ended: once(socket, "end") };
};
const openAt = ({ server }: FastifyInstance) =>
  new Promise<number>((tell) => server.getConnections((_error, count) => tell(count)));

test("who says nothing at all is closed like one who does not finish, though he stays", async () => {
  const app = openFastify(silentLog, { headersMs: 200, requestMs: 400, lookMs: 50 });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { socket, ended } = await knockAt(app);
  await ended;
  await expect.poll(() => openAt(app)).toBe(0);
  socket.destroy();
  await app.close();
});

test("of very many who say nothing the oldest go at once", async () => {
  const app = openFastify(silentLog, { headersMs: 60_000, requestMs: 60_000, lookMs: 5_000, mostSilent: 2 });
  app.get("/", async () => "here");
  await app.listen({ host: "127.0.0.1", port: 0 });
  const spoke = await knockAt(app);
  spoke.socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(spoke.socket, "data");
  const [first, second, third] = [await knockAt(app), await knockAt(app), await knockAt(app)];
  await first.ended;
  expect([spoke, second, third].map(({ socket }) => socket.readableEnded)).toEqual([false, false, false]);
  await app.close();
  for (const { socket } of [spoke, first, second, third]) socket.destroy();
});
