// HTTP as it looks on the wire: framing, slowness, and what is (not) said when something of ours breaks.

import { connect } from "node:net";
import type { FastifyInstance } from "fastify";
import { expect, test } from "vitest";
import type { Log } from "../../src/log.ts";
import { sql } from "../../src/store/sql.ts";
import { httpTown } from "../town/http-town.ts";

const logged: string[] = [];
const write = (facts: object, text: string) => void logged.push(JSON.stringify(facts) + text);
const log: Log = { debug: write, info: write, warn: write, error: write };
let answered = 0;

const { server, ours, owner, ask } = await httpTown({
  log,
  plugins: [
    Object.assign(
      async (app: FastifyInstance) => {
        app.addHook("onResponse", async () => void answered++);
      },
      { [Symbol.for("skip-override")]: true },
    ),
  ],
});

const say = (...parts: string[]) => sayTo(server, ...parts);

function sayTo({ address }: { address: string }, ...parts: string[]): Promise<string> {
  const [host = "", port = ""] = address.split(":");
  return new Promise((resolve, reject) => {
    let heard = "";
    const socket = connect(Number(port), host, async () => {
      for (const part of parts) socket.write(part);
    });
    socket.on("data", (data) => {
      heard += data.toString();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(heard));
  });
}

const impatient = await httpTown({ patience: { headersMs: 200, requestMs: 400, lookMs: 50 } });

const query = `key=${ours.key}&name=Ali&surname=Veli&phone=0553`;

test("a POST with Content-Length 0, no content type and no user agent", async () => {
  const heard = await say(
    `POST /contacts?${query} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
  );
  expect(heard).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(heard).toMatch(/\r\n\r\n\d+$/);
});

test("a POST with neither a length nor a body", async () => {
  const heard = await say(`POST /contacts?${query} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect(heard).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test("a body in chunks", async () => {
  const heard = await say(
    "POST /contacts HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
    `${query.length.toString(16)}\r\n${query}\r\n`,
    "0\r\n\r\n",
  );
  expect(heard).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test("a whole URL in the request line, and HTTP/1.0", async () => {
  const heard = await say(`GET http://elsewhere.example.com//caller_ids/?key=${ours.key} HTTP/1.0\r\n\r\n`);
  expect(heard).toContain(ours.callerIds[0]);
});

test("two requests on one line are answered in turn", async () => {
  const one = `GET /caller_ids?key=${ours.key} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const heard = await say(one, one.replace("Host: x", "Host: x\r\nConnection: close"));
  expect(heard.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
});

test("whoever does not finish his headers is told so and hung up on", async () => {
  const heard = await sayTo(impatient.server, "GET /caller_ids HTTP/1.1\r\nHost: x\r\nX-Slow");
  expect(heard).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(heard).toMatch(/content-type: text\/plain; charset=utf-8\r\n[\s\S]*Request Timeout$/);
});

test("whoever does not finish his body is hung up on", async () => {
  const { server, ours } = impatient;
  const heard = await sayTo(
    server,
    `POST /contacts?key=${ours.key} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nname=`,
  );
  expect(heard).toMatch(/^(HTTP\/1\.1 408 |HTTP\/1\.1 400 |$)/);
});

test("what is not HTTP is refused in plain text", async () => {
  const heard = await say("NONSENSE\r\n\r\n");
  expect(heard).toMatch(
    /^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*content-type: text\/plain; charset=utf-8\r\n[\s\S]*Bad Request$/,
  );
});

test("a mistake of ours tells the caller nothing and the log everything but the key", async () => {
  await owner.query(sql`alter table blocked_numbers rename to out_of_order`);
  const reply = await ask("POST /blocked_numbers?number=05321234567");
  await owner.query(sql`alter table out_of_order rename to blocked_numbers`);
  expect(reply).toMatchObject({ status: 500, type: "text/plain; charset=utf-8", text: "Internal Server Error" });
  expect(logged.join("\n")).toContain("blocked_numbers");
});

test("no key was ever written to the log, and every answer was seen by the counters", async () => {
  await ask("GET /caller_ids", { key: "K12345678-1234-5678-4321-123456789012" });
  expect(logged.length).toBeGreaterThan(5);
  expect(logged.join("\n")).not.toContain(ours.key);
  expect(logged.join("\n")).not.toContain("K12345678");
  expect(answered).toBeGreaterThan(5);
});
