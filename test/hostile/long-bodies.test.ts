// Long bodies of strangers: who they are from is known before they are read, and whoever has no key gets nothing of ours.

import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import type { FastifyInstance } from "fastify";
import { expect, test } from "vitest";
import { realClock } from "../../src/clock.ts";
import { consoleApi } from "../../src/http/console/api.ts";
import { requestBodies } from "../../src/http/door/request-body.ts";
import { everyOperation } from "../../src/http/every-operation.ts";
import type { HttpServerOptions } from "../../src/http/server.ts";
import { secrets } from "../ground/secrets.ts";
import { httpTown } from "../town/http-town.ts";
import { newDesk } from "../town/sms-desk.ts";
import { type Upload, upload } from "./long-upload.ts";

/** What is read to look for a key, and what one read of a socket brings beyond it. */
const MOST_READ = 384 * 1024;
const LONG = 60 * 1024 * 1024;

/** How many bytes a connection had brought when it was answered. */
const bytesRead: number[] = [];
const watch = async (app: FastifyInstance) => {
  app.addHook("onResponse", async ({ socket }) => void bytesRead.push(socket.bytesRead));
};
const plugin = Object.assign(watch, { [Symbol.for("skip-override")]: true });
/** Parts that nobody gets to before it is known who he is. */
const untouched = Object.fromEntries(everyOperation.flatMap(({ needs = [] }) => needs.map((part) => [part, {}])));
const { db, server, ours } = await httpTown({
  ...(untouched as Partial<HttpServerOptions>),
  plugins: [plugin],
  console: { from: [], pages: undefined, running: undefined, secrets },
});

const sends = async (asked: Omit<Upload, "length"> & { length?: number }) => {
  bytesRead.length = 0;
  const heard = await upload(server.address, asked);
  await expect.poll(() => bytesRead, { timeout: 5_000 }).toHaveLength(1);
  return { ...heard, read: bytesRead[0] ?? 0 };
};

/** What somebody might send who has no key: JSON, a form, a form of files, whatever it is called. */
const bodies: [type: string, begins: string][] = [
  ["application/json", '{"phone_list":"'],
  ["application/json", "[".repeat(1_000)],
  ["application/x-www-form-urlencoded", "name="],
  ["multipart/form-data; boundary=b", '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n'],
];

const lines = everyOperation.flatMap(({ methods, paths, guards }) =>
  methods.flatMap((method) =>
    paths.map((path) => ({
      line: `${method} ${path.replace(/:\w+/g, "1")}`,
      refused: guards.some(({ knows }) => knows === "ticket") ? 413 : 401,
    })),
  ),
);

test("every operation refuses a long body of nobody before it has read it", { timeout: 600_000 }, async () => {
  for (const [index, { line, refused }] of lines.entries()) {
    const [type, begins] = bodies[index % bodies.length]!; // inside
    const length = index % 2 === 0 ? { length: LONG } : {};
    const { status, read } = await sends({ line, headers: { "content-type": type }, begins, ...length });
    expect({ line, status }).toEqual({ line, status: refused });
    expect(read, line).toBeLessThan(MOST_READ);
  }
});

test("so does every operation of the console, and what is nowhere", { timeout: 600_000 }, async () => {
  const headers = { "content-type": "application/json", "x-santral-console": "1" };
  for (const name of [...Object.keys(consoleApi), "session.signIn", "session.signOut", "no.such"]) {
    const { status, read } = await sends({
      line: `POST /console/api/${name}`,
      headers,
      begins: '{"a":"',
      length: LONG,
    });
    expect({ name, isRefused: status !== 200 || name === "session.signOut" }).toEqual({ name, isRefused: true });
    expect(read, name).toBeLessThan(MOST_READ);
  }
});

test("a body is not even asked for before its sender is known", async () => {
  const headers = { expect: "100-continue", "content-type": "application/json" };
  const line = "POST /announcements?key=K12345678-1234-5678-4321-123456789012";
  const refused = await sends({ line, headers, length: LONG });
  expect(refused).toMatchObject({ status: 401, sawContinue: false });
  expect(refused.read).toBeLessThan(2_000);
  const taken = await sends({
    line: `POST /blocked_numbers?key=${ours.key}`,
    headers,
    begins: '{"number":"1"}',
    length: 14,
  });
  expect(taken).toMatchObject({ sawContinue: true });
  expect(taken.status).not.toBe(401);
});

const wav = (length: number) => `data:audio/wav;name:a.wav;base64,${"A".repeat(length)}`;

test("a key or a login is found near the beginning of a long body, however it is sent, and has to be its own", async () => {
  const long = wav(3_000_000);
  const parts = ["key", ours.key, "name", "x", "sounddata", long];
  const form = parts.map((part, index) =>
    index % 2 === 0 ? `--b\r\ncontent-disposition: form-data; name="${part}"\r\n\r\n` : `${part}\r\n`,
  );
  for (const [type, body] of [
    ["application/json", JSON.stringify({ inner: { key: "none" }, key: ours.key, name: "x", sounddata: long })],
    ["application/x-www-form-urlencoded", `key=${ours.key}&name=x&sounddata=${encodeURIComponent(long)}`],
    ["multipart/form-data; boundary=b", `${form.join("")}--b--\r\n`],
  ] as const) {
    const headers = { "content-type": type };
    const heard = await sends({ line: "POST /announcements", headers, begins: body, length: body.length });
    expect({ type, status: heard.status, text: heard.text }).toMatchObject({ status: 400 }); // no sound, but taken
    const twice = body.replace(/,"sounddata"/, `,"key":"","sounddata"`);
    if (twice === body) continue;
    expect((await sends({ line: "POST /announcements", headers, begins: twice, length: twice.length })).status).toBe(
      401,
    );
  }
  const behind = JSON.stringify({ name: "x", sounddata: long, key: ours.key });
  expect((await sends({ line: "POST /announcements", begins: behind, length: behind.length })).status).toBe(401);
});

test("so is an account of messages", async () => {
  const { login } = await newDesk(db);
  const messages = Array.from({ length: 20_000 }, () => ({ dest: "x", text: "y".repeat(20) }));
  const ask = async (said: object) => {
    const body = JSON.stringify({ ...said, messages });
    return (await sends({ line: "POST /v2/send", begins: body, length: body.length })).status;
  };
  expect(await ask(login)).not.toBe(401);
  expect(await ask({ ...login, password: "wrong" })).toBe(401);
});

test("who sends much at once takes the room of nobody else", async () => {
  const one = openSlow();
  const bodies = requestBodies(realClock, { all: 1_000, exchange: 600, strangers: 300, stranger: 200 });
  const read = [one.ours(150), one.ours(150)].map((it) => bodies.read(it, 1_000, { stranger: "192.0.2.1" }));
  await expect(Promise.any(read)).resolves.toEqual({ failed: "busy" });
  const other = bodies.read(one.ours(90, "whole"), 1_000, { stranger: "192.0.2.2" });
  await expect(other).resolves.toHaveProperty("body");
  const full = [one.ours(400), one.ours(400)].map((it) => bodies.read(it, 1_000, { exchange: 1 }));
  await expect(Promise.any(full)).resolves.toEqual({ failed: "busy" });
  await expect(bodies.read(one.ours(300, "whole"), 1_000, { exchange: 2 })).resolves.toHaveProperty("body");
});

test("a long body counts until what it asked for is done, however long it waits in a line", async () => {
  const one = openSlow();
  const LONG = 300_000;
  const bodies = requestBodies(realClock, { all: 2_000_000, exchange: 500_000, strangers: 300, stranger: 200 });
  const first = one.ours(LONG, "whole");
  const share = { exchange: 1 };
  await expect(bodies.read(first, LONG, share)).resolves.toHaveProperty("body");
  await expect(bodies.read(one.ours(LONG, "whole"), LONG, share)).resolves.toEqual({ failed: "busy" });
  await expect(bodies.read(one.ours(LONG, "whole"), LONG, { exchange: 2 })).resolves.toHaveProperty("body");
  await expect(bodies.read(one.ours(1_000, "whole"), LONG, share)).resolves.toHaveProperty("body");
  bodies.done(first);
  bodies.done(first);
  await expect(bodies.read(one.ours(LONG, "whole"), LONG, share)).resolves.toHaveProperty("body");
});

/** Requests of which so many bytes have come, and perhaps the end. */
function openSlow() {
  return {
    ours(bytes: number, isWhole?: "whole"): IncomingMessage {
      const stream = new PassThrough();
      stream.write(Buffer.alloc(bytes));
      if (isWhole) stream.end();
      return Object.assign(stream, { headers: { "transfer-encoding": "chunked" } }) as unknown as IncomingMessage;
    },
  };
}
