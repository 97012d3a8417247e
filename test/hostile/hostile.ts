// Requests that nobody in good faith would send, from a seed: the same ones every time.

import { everyOperation } from "../../src/http/every-operation.ts";

export type Random = {
  below(limit: number): number;
  pick<Value>(from: readonly Value[]): Value;
  chance(share: number): boolean;
};

/** mulberry32: small, fast, and the same on every machine. */
export function randomFrom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, pick: (from) => from[below(from.length)]!, chance: (share) => next() < share };
}

const texts: readonly string[] = [
  ...["", " ", "0", "-1", "1e309", "NaN", "Infinity", "null", "undefined", "true", "[]", "{}", "1.5", "0x10", "٣"],
  ...["99999999999999999999", "-9223372036854775809", "2147483648", "1000000000000000", "00000000000000000001"],
  ...[
    "' or 1=1 --",
    "1; drop table contacts; --",
    "$1",
    "\\'; select pg_sleep(9); --",
    "1) union select null--",
    "%' or '%'='",
  ],
  ...[
    "a\r\nSet-Cookie: x=1",
    "a\nX-Injected: 1",
    "\r\n\r\nHTTP/1.1 200 OK",
    "\u0000",
    "a\u0000b",
    "\u001b[31m",
    "\u2028\u2029",
  ],
  ...[
    "<script>alert(1)</script>",
    "{{7*7}}",
    "#{7*7}",
    "../../../../etc/passwd",
    "..%2f..%2f",
    "file:///etc/passwd",
    "\\\\host\\share",
  ],
  ...["ş".repeat(300), "💥".repeat(200), "a".repeat(70_000), "\u202eabc", "e\u0301", "ﷺ".repeat(20), "\ufffe", "İIıi"],
  ...["2025-02-30", "31.02.2020", "2025-01-01 25:61:61 UTC", "9999-12-31T23:59:59+99:99", "0000-00-00", "-2025-01-01"],
  ...[
    "+905321234567",
    "0532 123 45 67",
    "00493012345",
    "112",
    "1000",
    "1000,1001,,",
    ",".repeat(2_000),
    "on",
    "ON",
    "off",
    "m",
  ],
  ...[
    "data:audio/wav;name:x.wav;base64,AAAA",
    "data:;base64,",
    "data:audio/mp3;name:a.exe;base64,AAAA",
    "====",
    "A-_/+A==",
  ],
  ...[
    "http://127.0.0.1:1/",
    "http://[::1]",
    "https://exa mple",
    "javascript:alert(1)",
    "http://user:pw@host",
    "https://example.com",
  ],
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "358c20bc-fd86-11e5-87a2-157d41a07454", "R358c20bc"],
];

const names: readonly string[] = [
  ...[
    "key",
    "id",
    "page",
    "limit",
    "name",
    "surname",
    "phone",
    "number",
    "direction",
    "extension",
    "caller_id",
    "state",
  ],
  ...[
    "status",
    "user",
    "agent",
    "queue",
    "queue_number",
    "user_list",
    "action",
    "call_uuid",
    "uuid",
    "read",
    "user_number",
  ],
  ...["start_stamp_from", "start_stamp_to", "missed", "recording_present", "caller_id_number", "sounddata", "content"],
  ...[
    "group_ids",
    "group_ids[]",
    "group_ids[0]",
    "group_ids:[]",
    "birthday",
    "birthday_sms",
    "monthly_sms_day",
    "gender",
  ],
  ...["notification_url", "ringing", "__proto__", "constructor", "a\u0000b", "", "[", "]", "a[b][c]", "ş"],
];

/** What a server without a running exchange has. */
const endpoints = everyOperation
  .filter(({ needs }) => needs === undefined)
  .flatMap(({ methods, paths }) => methods.map((method) => ({ method: method as string, paths })));
const pages = ["/docs", "/openapi.json", "/"];
const odd = [
  "/%",
  "/%zz",
  "/%00",
  "/%c0%ae%c0%ae/",
  "/..",
  "/../contacts",
  "/./contacts",
  "/contacts/../contacts",
  "//",
  "/a".repeat(500),
  "/contacts;x=1",
  "/contacts%2f1",
  "/CONTACTS",
  "/contacts/1/2/3",
];
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const types = [
  "",
  "application/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=XX",
  "multipart/form-data",
  "text/plain",
  ";;;",
  "application/json; charset=utf-16",
  "\u00ff",
  "a/b/c",
  "application/json, text/html",
];

export type HostileRequest = { method: string; path: string; headers: Record<string, string>; body?: Buffer };

/** Most of them go to a real operation by its own method; `key` and `ids` say how near the truth they come. */
export function hostileRequest(random: Random, key: string, ids: readonly string[]): HostileRequest {
  const operation = random.pick(endpoints);
  const method = random.chance(0.8) ? operation.method : random.pick(methods);
  const id = random.chance(0.4) ? random.pick(ids) : encoded(random).slice(0, 2_000);
  const query = Array.from({ length: random.below(5) }, () => pair(random)).join("&");
  const path = `${hostilePath(random, operation.paths, id)}?${random.chance(0.95) ? `key=${key}&` : ""}${query}`;
  const headers = hostileHeaders(random);
  const bodyless = method === "GET" || method === "HEAD" || method === "OPTIONS";
  return random.chance(bodyless ? 0.95 : 0.2)
    ? { method, path, headers }
    : { method, path, headers, body: hostileBody(random) };
}

function hostilePath(random: Random, paths: readonly string[], id: string): string {
  if (random.chance(0.08)) return random.pick(odd);
  if (random.chance(0.02)) return random.pick(pages);
  return random.pick(paths).replace(/:\w+/, () => id) + random.pick(["", "", "", "", "/", "//", ".json", "/.json"]);
}

function hostileHeaders(random: Random): Record<string, string> {
  const type = random.pick(types);
  return {
    ...(type === "" ? {} : { "content-type": type }),
    ...(random.chance(0.1)
      ? { accept: random.pick(["application/json", "*/*", "nothing", ";", "text/html;q=0.9"]) }
      : {}),
    ...(random.chance(0.1)
      ? { range: random.pick(["bytes=0-", "bytes=5-1", "bytes=-", "lines=1", "bytes=0-0,1-1"]) }
      : {}),
    ...(random.chance(0.1) ? { "x-forwarded-for": random.pick(["1.2.3.4", "::1", "x", "1.2.3.4, 5.6.7.8"]) } : {}),
  };
}

function hostileBody(random: Random): Buffer {
  const kind = random.below(5);
  if (kind === 0) return Buffer.from(Array.from({ length: random.below(200) }, () => pair(random)).join("&"));
  if (kind === 1)
    return Buffer.from(
      JSON.stringify(
        Object.fromEntries(Array.from({ length: random.below(8) }, () => [random.pick(names), jsonValue(random, 3)])),
      ),
    );
  if (kind === 2) return Buffer.from(Array.from({ length: random.below(400) }, () => random.below(256)));
  if (kind === 3)
    return Buffer.from(
      random.pick([
        "{",
        "[",
        '{"a":',
        "{}{}",
        '{"name":"a",}',
        "[".repeat(50_000),
        '"',
        "nul",
        '{"a":1e999}',
        '{"group_ids:[]":"1","group_ids:[]":',
        '\ufeff{"a":1}',
      ]),
    );
  const part = `--XX\r\nContent-Disposition: form-data; name="${random.pick(names)}"${random.chance(0.3) ? '; filename="x.wav"' : ""}\r\n\r\n${random.pick(texts)}\r\n`;
  return Buffer.from(part.repeat(random.below(5)) + random.pick(["--XX--", "--XX", ""]));
}

function jsonValue(random: Random, depth: number): unknown {
  const kind = random.below(depth > 0 ? 8 : 6);
  if (kind < 3) return random.pick(texts);
  if (kind === 3) return random.pick([0, -1, 1.5, 1e21, 2 ** 53, -(2 ** 63), 1000, 200]);
  if (kind === 4) return random.chance(0.5);
  if (kind === 5) return null;
  if (kind === 6) return Array.from({ length: random.below(4) }, () => jsonValue(random, depth - 1));
  return { [random.pick(names)]: jsonValue(random, depth - 1) };
}

function pair(random: Random): string {
  return `${encodeURIComponent(random.pick(names))}=${encoded(random)}`;
}

function encoded(random: Random): string {
  const text = random.pick(texts).slice(0, random.chance(0.9) ? 500 : 70_000);
  if (random.chance(0.1)) return random.pick(["%", "%zz", "%00", "%ff%fe", "%c0%ae", "%ed%a0%80", "+++", "%u0041"]);
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, ""));
}
