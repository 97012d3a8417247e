// A stranger's page whose name was made to lead to us (DNS rebinding) is of one origin with us to its browser. It asks for
// its own name, though, and by that name we are not there; whoever comes by an address or by our name is.

import { connect } from "node:net";
import { expect, test } from "vitest";
import type { HttpServer } from "../../src/http/server.ts";
import { consoleTown, PASSWORD } from "../town/console-town.ts";
import { httpTown } from "../town/http-town.ts";

const config = { http: { host: "127.0.0.1", port: 0 }, publicUrl: "https://pbx.example.com:8443", trustedProxies: [] };
const strict = await consoleTown({ config: { ...config, httpHosts: ["crm-side.example.org", "*.lan.example.org"] } });
const behind = await httpTown({ config: { ...config, trustedProxies: ["127.0.0.1"] } });
const open = await httpTown({ config: { ...config, httpHosts: "any" } });
const staff = await strict.member("standard");

/** The whole answer to what is said, word by word. */
function hear({ address }: HttpServer, lines: readonly string[], body = ""): Promise<string> {
  const [host, port] = address.split(":");
  return new Promise((tell, fail) => {
    const heard: Buffer[] = [];
    const socket = connect(Number(port), host);
    socket.on("data", (part) => void heard.push(part));
    socket.on("close", () => tell(Buffer.concat(heard).toString("utf8"))).on("error", fail);
    const length = body === "" ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
    socket.write(`${[...lines, ...length, "Connection: close"].join("\r\n")}\r\n\r\n${body}`);
  });
}

const statusOf = async (server: HttpServer, ...lines: string[]) => Number((await hear(server, lines)).slice(9, 12));

const strangers = [
  "evil.example",
  "evil.example:8080",
  "pbx.example.com.evil.example",
  "evilpbx.example.com",
  "lan.example.org",
  "127.0.0.1.nip.example",
  "[::1].evil.example",
  "evil.example@127.0.0.1",
  "127.0.0.1, evil.example",
];

test.each(strangers)("a page of %s may not sign in, ask, read or telephone here", async (host) => {
  const body = JSON.stringify({ email: staff.email, password: PASSWORD });
  const page = [`Host: ${host}`, `Origin: http://${host}`, "X-Santral-Console: 1"];
  const signIn = await hear(strict.server, ["POST /console/api/session.signIn HTTP/1.1", ...page], body);
  expect(signIn).toMatch(/^HTTP\/1.1 421 /);
  expect(signIn).not.toMatch(/set-cookie/i);
  for (const path of ["/console", "/docs", "/openapi.json", `/caller_ids?key=${strict.ours.key}`, "/metrics"])
    expect(await statusOf(strict.server, `GET ${path} HTTP/1.1`, ...page)).toBe(421);
  const upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
  const keyed = [...upgrade, "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="];
  expect(await statusOf(strict.server, "GET /console/live HTTP/1.1", ...page, ...keyed)).toBe(421);
  expect(await statusOf(strict.server, "GET /ws HTTP/1.1", ...page, ...keyed)).toBe(421);
});

test("the answer says which setting lets a name in", async () => {
  const heard = await hear(strict.server, ["GET /caller_ids HTTP/1.1", "Host: evil.example"]);
  expect(heard).toMatch(/\r\n\r\nthis server does not answer to that host name: see SANTRAL_HTTP_HOSTS$/);
});

const friends = [
  ...["127.0.0.1", "127.0.0.1:8080", "192.0.2.7:80", "[::1]:8080", "[2001:db8::7]", "203.0.113.9"],
  ...["localhost", "LOCALHOST:8080", "santral.localhost", "santral", "santral:8080", "x"],
  ...["pbx.example.com", "pbx.example.com:8443", "PBX.Example.COM", "pbx.example.com.", "pbx.example.com:80"],
  ...["crm-side.example.org", "a.lan.example.org", "b.a.lan.example.org:8080"],
];

test.each(friends)("a program that comes by %s is answered as ever", async (host) => {
  expect(await statusOf(strict.server, `GET /caller_ids?key=${strict.ours.key} HTTP/1.1`, `Host: ${host}`)).toBe(200);
});

test("a program of before HTTP/1.1 names no host, and is answered", async () => {
  expect(await statusOf(strict.server, `GET /caller_ids?key=${strict.ours.key} HTTP/1.0`)).toBe(200);
});

test("behind a trusted proxy the name counts by which the proxy was asked, whatever it calls us", async () => {
  const line = `GET /caller_ids?key=${behind.ours.key} HTTP/1.1`;
  const asked = (host: string, ...more: string[]) => statusOf(behind.server, line, `Host: ${host}`, ...more);
  expect(await asked("santral.upstream.example", "X-Forwarded-Host: pbx.example.com")).toBe(200);
  expect(await asked("127.0.0.1:8080", "X-Forwarded-Host: evil.example")).toBe(421);
  expect(await asked("127.0.0.1:8080", "X-Forwarded-Host: pbx.example.com, evil.example")).toBe(421);
  expect(await asked("pbx.example.com")).toBe(200);
  expect(await asked("evil.example")).toBe(421);
});

test("who is no trusted proxy is not believed which name he was asked by", async () => {
  const said = ["Host: evil.example", "X-Forwarded-Host: pbx.example.com", "X-Santral-Node: forged"];
  expect(await statusOf(strict.server, "GET /docs HTTP/1.1", ...said)).toBe(421);
});

test("where any name is allowed, any is answered", async () => {
  expect(await statusOf(open.server, `GET /caller_ids?key=${open.ours.key} HTTP/1.1`, "Host: evil.example")).toBe(200);
});

test("behind https every answer keeps browsers to it, and the console keeps other pages away", async () => {
  for (const line of ["GET /console HTTP/1.1", "GET /caller_ids HTTP/1.1", "GET /nowhere HTTP/1.1"])
    expect(await hear(strict.server, [line, "Host: pbx.example.com"])).toMatch(
      /\r\nstrict-transport-security: max-age=31536000\r\n/,
    );
  const shown = await hear(strict.server, ["GET /console HTTP/1.1", "Host: pbx.example.com"]);
  for (const [name, value] of [
    ["cross-origin-opener-policy", "same-origin"],
    ["cross-origin-resource-policy", "same-origin"],
    ["referrer-policy", "same-origin"],
    ["x-content-type-options", "nosniff"],
  ])
    expect(shown).toContain(`\r\n${name}: ${value}\r\n`);
});

test("a server without https tells nobody to keep to it", async () => {
  const plain = await httpTown();
  expect(await hear(plain.server, ["GET /caller_ids HTTP/1.1", "Host: 127.0.0.1"])).not.toMatch(/strict-transport/);
});
