import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { silentLog } from "../../log.ts";
import { openFastify } from "./listener.ts";

const H2C = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n";
const WEBSOCKET =
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

let app: FastifyInstance;
let port: number;
const claimed: string[] = [];

beforeAll(async () => {
  app = openFastify(silentLog);
  app.claimUpgrade((asked, socket) => {
    if (!asked.url?.startsWith("/ours")) return false;
    claimed.push(asked.url);
    if (asked.url === "/ours/ended") socket.end();
    return true;
  });
  app.get("/healthz", async () => "well");
  app.get("/slow", async () => {
    await new Promise(setImmediate);
    return "slow";
  });
  app.post("/echo", async ({ raw }) => {
    let text = "";
    for await (const part of raw) text += String(part);
    return text;
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = app.server.address() as AddressInfo); // it listens
});
afterAll(() => app.close());

/** A client that never closes its own side; everything it hears until the server has closed. */
async function hear(...said: string[]): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let heard = "";
  socket.setEncoding("latin1").on("data", (text: string) => (heard += text));
  for (const part of said) socket.write(part, "latin1");
  await once(socket, "end");
  await openOnServer(0);
  socket.destroy();
  return heard;
}

async function openOnServer(most: number): Promise<void> {
  const count = () => new Promise<number>((tell) => app.server.getConnections((_error, open) => tell(open)));
  while ((await count()) > most) await new Promise(setImmediate);
}

test("a request that would rather speak another protocol is answered in this one, and goes on in it", async () => {
  const again = "GET /healthz HTTP/1.1\r\nHost: x\r\n";
  const heard = await hear(`${again}${H2C}\r\n`, `${again}${H2C}\r\n${again}Connection: close\r\n\r\n`);
  expect(heard.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
  expect(heard.match(/\r\n\r\nwell/g)).toHaveLength(3);
});

test("its body comes whole, with a length or in chunks, at once or later", async () => {
  const close = (head: string) => head.replace("Connection: ", "Connection: close, ");
  const head = `POST /echo HTTP/1.1\r\nHost: x\r\n${close(H2C)}`;
  expect(await hear(`${head}Content-Length: 9\r\n\r\nname=Zo\xc3`, "\xab")).toMatch(/\r\n\r\nname=Zo\xc3\xab$/);
  const chunked = await hear(`${head}Transfer-Encoding: chunked\r\n\r\n4\r\nname\r\n`, "3\r\n=Al\r\n0\r\n\r\n");
  expect(chunked).toMatch(/\r\n\r\nname=Al$/);
});

test("an upgrade behind a request that is still being answered waits for its turn", async () => {
  const heard = await hear(
    `GET /slow HTTP/1.1\r\nHost: x\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n${H2C}\r\n`,
    `GET /slow HTTP/1.1\r\nHost: x\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: x\r\n${WEBSOCKET}\r\n`,
  );
  expect(heard.match(/slow|well|404/g)).toEqual(["slow", "well", "slow", "404"]);
});

test.each(["/nowhere", "/healthz"])("a WebSocket to %s, where there is none, is refused and closed", async (path) => {
  const heard = await hear(`GET ${path} HTTP/1.1\r\nHost: x\r\n${WEBSOCKET}\r\n`);
  expect(heard).toMatch(/^HTTP\/1\.1 404 Not Found\r\nconnection: close\r\n/);
});

test("what is not HTTP, nor a request to be passed on, is closed as well though its client stays", async () => {
  expect(await hear("NONSENSE\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
  expect(await hear("CONNECT elsewhere:80 HTTP/1.1\r\nHost: elsewhere:80\r\n\r\n")).toBe("");
});

test("a client that breaks off in the middle of its upgrade harms nobody", async () => {
  for (const path of ["/ours/kept", "/healthz", "/nowhere"])
    for (const kind of [H2C, WEBSOCKET]) {
      const asked = path === "/ours/kept" ? claimed.length : undefined;
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => undefined).write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${kind}\r\n`);
      while (asked === claimed.length) await new Promise(setImmediate);
      socket.resetAndDestroy();
      await once(socket, "close");
      await openOnServer(0);
    }
});

test("two hundred of each leave no descriptor behind", async () => {
  const clients: Socket[] = [];
  for (let i = 0; i < 200; i++)
    for (const kind of [H2C.replace("Connection: ", "Connection: close, "), WEBSOCKET]) {
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      socket.resume().write(`GET /healthz HTTP/1.1\r\nHost: x\r\n${kind}\r\n`);
      clients.push(socket);
    }
  await Promise.all(clients.map((socket) => once(socket, "end")));
  await openOnServer(0);
  expect(sockets()).toBe(0);
  for (const socket of clients) socket.destroy();
});

/** The server's ends that nobody has closed; other test files of this process have sockets of their own. */
function sockets(): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const rows = ["tcp", "tcp6"].flatMap((kind) => readFileSync(`/proc/net/${kind}`, "latin1").split("\n"));
  return rows.filter((row) => {
    const [, from = "", , state, , , , , , inode = "0"] = row.trim().split(/\s+/);
    return from.endsWith(local) && state !== LISTENS && inode !== "0"; // one that is closed lingers without an inode
  }).length;
}

const LISTENS = "0A";

test("a client of Node that asks for an upgrade gets the plain answer", async () => {
  const asking = request({ port, path: "/healthz", headers: { connection: "upgrade", upgrade: "foo/2" } }).end();
  const [answer] = (await once(asking, "response")) as [{ statusCode: number; resume(): void }];
  expect(answer.statusCode).toBe(200);
  answer.resume();
  asking.destroy();
  await openOnServer(0);
});
