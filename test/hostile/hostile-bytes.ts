// What comes over a socket that may not be HTTP at all.

import type { Random } from "./hostile.ts";

const lines = [
  "GET / HTTP/1.1",
  "GET /caller_ids HTTP/1.1",
  "POST /contacts HTTP/1.1",
  "GET  /x HTTP/1.1",
  "get / http/1.1",
  "GET /",
  "PRI * HTTP/2.0",
  "GET http://[ HTTP/1.1",
  "GET /\u0000 HTTP/1.1",
  "\u0016\u0003\u0001\u0002",
  "CONNECT a:1 HTTP/1.1",
  "GET / HTTP/9.9",
  "BREW / HTTP/1.1",
  "GET \t/ HTTP/1.1",
  `GET /${"a".repeat(9_000)} HTTP/1.1`,
];
const rawHeaders = [
  "Host: x",
  "Content-Length: 5",
  "Content-Length: -1",
  "Content-Length: 5\r\nContent-Length: 6",
  "Content-Length: 99999999999999999999",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: chunked\r\nContent-Length: 3",
  "Transfer-Encoding: gzip",
  "Expect: 100-continue",
  "Expect: nothing",
  "Upgrade: websocket\r\nConnection: Upgrade",
  ": empty",
  "No colon here",
  "X: a\u0000b",
  "Folded: a\r\n b",
  "Host: a\r\nHost: b",
  `X-Long: ${"a".repeat(20_000)}`,
  "Connection: close",
  "Content-Type: \u0001",
];
const rawBodies = [
  "",
  "hello",
  "5\r\nhello\r\n0\r\n\r\n",
  "ffffffffffffffff\r\n",
  "zz\r\n",
  "0\r\n\r\nGET /contacts HTTP/1.1\r\n\r\n",
  "-1\r\n",
  "5;ext=\r\nhel",
];

export function hostileBytes(random: Random): Buffer {
  if (random.chance(0.1)) return Buffer.from(Array.from({ length: 1 + random.below(300) }, () => random.below(256)));
  const headers = Array.from({ length: random.below(5) }, () => random.pick(rawHeaders));
  const ending = random.pick(["\r\n", "\r\n", "\r\n", "\n", "\r", ""]);
  return Buffer.from(
    `${[random.pick(lines), ...headers].join(ending)}${ending}${ending}${random.pick(rawBodies)}`,
    "latin1",
  );
}
