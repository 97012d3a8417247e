// Values that nobody in good faith would send, and parameters that are spoiled with them: from a seed, the same every time.

import { type Candidates, type Parameters, parametersFor } from "./from-schema.ts";
import type { Random } from "./hostile.ts";

/** Stands for letters of JSON that no value prints as. */
const asWritten = (json: string) => `@@${json}@@`;

const LONG = 64 * 1024;

const texts: readonly string[] = [
  ...["", " ", "0", "-1", "1e309", "NaN", "null", "true", "[]", "{}", "0x10", "٣", "Infinity", "-0"],
  ...["99999999999999999999", "-9223372036854775809", "2147483648", "9223372036854775807", "00000000000000000001"],
  ...["\u0000", "a\u0000b", "\ud800", "a\udfffb", "\udc00\ud800", "\ufffe", "\uffff", "\u{10ffff}", "\ufeff", "\u0085"],
  ...["\u202eabc\u202c", "شركة", "\u2067x\u2069", "e\u0301", "ﷺ".repeat(20), "İIıi", "💥".repeat(200), "\u200b", "ß"],
  ...["a\r\nX-Injected: 1", "a\nb", "\u001b[31m", "\u2028\u2029", "\t", "\u007f"],
  ...["' or 1=1 --", "$1", "\\'; select 1; --", "%", "_", "%' or '%'='", "\\", "\\\\", '"', "`", "{{7*7}}"],
  ...["<script>alert(1)</script>", "../../../../etc/passwd", "..\\..\\x", "file:///etc/passwd", "/dev/zero", "C:\\x"],
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "prototype", "valueOf", "__defineGetter__", "length"],
  ...["2025-02-30", "31.02.2020", "9999-12-31", "0000-00-00", "2025-01-01T25:61:61Z", "+275760-09-13T00:00:00Z"],
  ...["1000-00-00T00:00:00Z", "2999-12-31T23:59:59.999Z", "24:00", "7 23:59-00:00", "1 09:00-08:00", "-2025-01-01"],
  ...[
    "+905321234567",
    "0532 123 45 67",
    "00",
    "*",
    "#",
    "*43#",
    "112",
    "1000",
    "1000,1001,,",
    "+",
    "++90",
    "9".repeat(40),
  ],
  ...[
    "user/1000",
    "user/",
    "queue/200",
    "queue/x",
    "ivr/10",
    "hangup/busy",
    "announcement/0",
    "form/1",
    "/",
    "a/b/c",
    "user/*",
  ],
  ...[
    "http://127.0.0.1:1/",
    "http://[::1]",
    "https://exa mple",
    "javascript:alert(1)",
    "http://user:pw@host",
    "http://0/",
  ],
  ...[
    "https://\u0000",
    "http://a.b.c.d.e:99999",
    "https://xn--\u202e",
    "data:;base64,",
    "data:audio/wav;name:x.wav;base64,AAAA",
  ],
  ...[
    "0.0.0.0/0",
    "::/0",
    "192.0.2.1/33",
    "1.2.3.4/8",
    "::ffff:1.2.3.4",
    "fe80::1%eth0",
    "256.1.1.1",
    "1.2.3",
    "2001:db8::/999",
  ],
  ...["a@b", "@", "a@b@c", `${"a".repeat(64)}@${"b".repeat(190)}`, "a@[127.0.0.1]", "Europe/Nowhere", "UTC+25", "GMT"],
  ...["UEsDBAAAAAA=", "AAAA", "====", "A-_/+A==", "JVBERi0xLjQ=", "a".repeat(255), "a".repeat(256), "ş".repeat(255)],
  ...[
    "00000000-0000-0000-0000-000000000000",
    "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
    "358c20bc-fd86-11e5-87a2-157d41a07454",
  ],
];

const numbers: readonly unknown[] = [
  ...[0, 1, -1, 2, 1.5, -0.5, 1e-7, 1e21, 1e308, Number.MIN_VALUE, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53],
  ...[
    -(2 ** 31),
    -(2 ** 53),
    2 ** 63,
    32_767,
    32_768,
    65_536,
    100_000,
    asWritten("1e999"),
    asWritten("-1e999"),
    asWritten("-0"),
  ],
];

const deep = (open: string, close: string) => (random: Random) => {
  const depth = random.pick([10, 500, 5_000]);
  return asWritten(open.repeat(depth) + close.repeat(depth));
};

/** What has another type than asked for. */
const strangers: readonly ((random: Random) => unknown)[] = [
  () => null,
  (random) => random.chance(0.5),
  (random) => random.pick(numbers),
  (random) => random.pick(texts),
  () => [],
  () => ({}),
  (random) => [random.pick(texts), random.pick(numbers), null],
  (random) => ({ [random.pick(texts)]: random.pick(texts) }),
  (random) => asWritten(`{"__proto__":{"${random.pick(["role", "id", "exchangeId", "isAdmin"])}":"administrator"}}`),
  () => asWritten('{"constructor":{"prototype":{"polluted":1}}}'),
  () => asWritten('{"toString":1,"valueOf":2,"toJSON":3,"then":4,"length":1e9}'),
  deep("[", "]"),
  deep('{"a":', "}".replace("}", "1}")),
  (random) => Array.from({ length: random.pick([100, 1_000, 5_000]) }, () => random.pick(texts)),
  (random) => longText(random),
];

/** As long as a field of text can be sent, in letters of one, two and four bytes. */
function longText(random: Random): string {
  const letter = random.pick(["a", "ş", "💥", " ", "\u202e", "%", "\\", "1", "/", "("]);
  return letter.repeat(Math.floor(random.pick([1_000, 10_000, LONG]) / letter.length));
}

export function oddText(random: Random): string {
  if (random.chance(0.05)) return longText(random);
  const text = random.pick(texts);
  return random.chance(0.15) ? text + random.pick(texts) : text;
}

const extraKeys = [
  "id",
  "exchangeId",
  "exchange_id",
  "role",
  "staffId",
  "__proto__",
  "constructor",
  "toString",
  "",
  "a\u0000b",
];

type Place = { holder: unknown; key: string | number; value: unknown };

/** Every field of a value and of whatever lies in it. */
function placesIn(value: unknown): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  return [...keys].flatMap((key) => {
    const inside = (value as Record<string | number, unknown>)[key];
    return [{ holder: value, key, value: inside }, ...placesIn(inside)];
  });
}

// A plain assignment of __proto__ would set what it names; over the wire it is a key like any other.
function put(holder: unknown, key: string | number, value: unknown): void {
  Object.defineProperty(holder as object, key, { value, enumerable: true, configurable: true, writable: true });
}

function oddFor(value: unknown, random: Random): unknown {
  if (random.chance(0.35)) return random.pick(strangers)(random);
  if (typeof value === "number") return random.pick(numbers);
  if (typeof value === "boolean") return random.pick([null, "true", 1, "", []]);
  return oddText(random);
}

type Known = { own: Candidates; foreign: Candidates };

/** Valid parameters, spoiled in one to three places; some are left as they are. */
export function oddParameters(schema: object, random: Random, { own, foreign }: Known): Parameters {
  const candidates = random.chance(0.8) ? own : foreign;
  const made = parametersFor(schema, { candidates, turn: random.below(12), optional: random.chance(0.5) });
  const parameters = structuredClone(made);
  const spoiled = random.chance(0.08) ? 0 : 1 + random.below(3);
  for (let count = 0; count < spoiled; count++) spoil(parameters, random, foreign);
  return parameters;
}

function spoil(parameters: Parameters, random: Random, foreign: Candidates): void {
  const places = placesIn(parameters);
  if (places.length === 0 || random.chance(0.08)) return put(parameters, random.pick(extraKeys), oddText(random));
  const { holder, key, value } = random.pick(places);
  const kind = random.below(20);
  if (kind === 0) delete (holder as Parameters)[key];
  else if (kind < 4) put(holder, key, random.pick(random.pick(Object.values(foreign)) ?? [""]));
  else if (kind < 6 && typeof value === "object" && value !== null && !Array.isArray(value))
    put(value, random.pick(extraKeys), oddFor("", random));
  else if (kind < 8 && Array.isArray(value))
    for (let count = random.pick([1, 50, 2_000]); count > 0; count--) value.push(value[0]);
  else put(holder, key, oddFor(value, random));
}

const wholes = [
  "",
  "null",
  "1",
  '"a"',
  "[]",
  "[{}]",
  "{",
  '{"a":',
  "nul",
  "\ufeff{}",
  "{}{}",
  "\u0000",
  "[".repeat(200_000),
];

/** The body of a request, which now and then is no JSON at all. */
export function bodyFrom(parameters: Parameters, random: Random): string {
  if (random.chance(0.01)) return random.pick(wholes);
  const body = JSON.stringify(parameters).replace(/"@@((?:[^"\\@]|\\.)*)@@"/g, (_, inside: string) =>
    JSON.parse(`"${inside}"`),
  );
  return random.chance(0.01) ? body.slice(0, random.below(body.length)) : body;
}
