// Seeded spoiling of SIP messages: the same seed makes the same trouble, so a failure can be had again.

import { readdirSync, readFileSync } from "node:fs";
import { mix } from "../../bench/sip-mix.ts";

/** A number from 0 up to 1, as Math.random gives them. */
export type Random = () => number;

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  };
}

export const below = (random: Random, limit: number): number => Math.floor(random() * limit);
export const pick = <Item>(random: Random, items: readonly Item[]): Item => items[below(random, items.length)]!;

/** Messages of an ordinary day and those of the torture collections. */
export function corpus(): string[] {
  const torture = ["rfc4475", "rfc5118"].flatMap((suite) =>
    readdirSync(`test/fixtures/${suite}`).map((file) => readFileSync(`test/fixtures/${suite}/${file}`, "latin1")),
  );
  return [...mix, ...mix, ...mix, ...torture];
}

export type Mutator = (octets: string) => string;

/** Spoils a message in one to four ways; other messages of the corpus lend their parts. */
export function openMutator(random: Random, others: readonly string[]): Mutator {
  return (octets) => {
    let spoilt = octets;
    for (let times = 1 + below(random, 4); times > 0; times--) spoilt = pick(random, MUTATIONS)(spoilt, random, others);
    return random() < 0.004 ? pick(random, FLOODS)(spoilt, random) : spoilt;
  };
}

type Mutation = (octets: string, random: Random, others: readonly string[]) => string;

// The characters the grammar cares about, and those it never expects.
const AWKWARD = [...'\r\n\t \0;,:=<>"\\@[]{}()/?*%&+-.~\x7f\x80\xff', "\r\n", "\r\n ", "\n", "\r", "%00", "%", '"'];
const NUMBERS = [
  "0",
  "-1",
  "00",
  "4294967296",
  "2147483648",
  "99999999999999999999",
  "1e9",
  "0x10",
  "NaN",
  "",
  " ",
  "+1",
];
const INJECTIONS = [
  "\r\nContent-Length: 0\r\n\r\n",
  "\r\nl: 99999\r\n",
  "\r\nVia: SIP/2.0/UDP evil.example;branch=z9hG4bK\r\n",
  "\nRoute: <sip:evil.example;lr>\n",
  "\r\n\r\n",
  "%0d%0aRoute:%20<sip:evil>",
  "\r\n \r\n",
  "\r\nTo: ",
  "SIP/2.0 200 OK\r\n",
  "* ",
];

/** By the groups of PROTOS c07-sip: what stands in the place of a word, a number or an address. */
const ANOMALIES = [
  ...[16, 128, 256, 1_024, 4_096].flatMap((length) => ["a".repeat(length), "/".repeat(length), "\xff".repeat(length)]),
  ...["%s".repeat(20), "%n".repeat(20), "%x%d%p", "%.9999999d", "%99999999s"],
  ...["-2147483649", "4294967297", "18446744073709551616", "-0", "0x7fffffff", "1.5", "\xb2", "+".repeat(40)],
  // UTF-8 that is too long, cut off, or half of a letter; and letters that are no spaces but look so.
  ...[
    "\xc0\xaf",
    "\xe0\x80\x8a",
    "\xf0\x80\x80\x8d",
    "\xed\xa0\x80",
    "\xf4\x90\x80\x80",
    "\xc3",
    "\xe2\x80\xa8",
    "\xef\xbb\xbf",
  ],
  ...["%00", "%0", "%", "%%", "%0d%0a", "%u0041", "%c0%af", "%25".repeat(50), "\\".repeat(50), '\\"'],
  ...["\x1b[2J", "\x1b]0;x\x07", "\x08".repeat(20), "\x1b[99999999C", "\x9b1m"],
  ...[
    "256.256.256.256",
    "1.2.3",
    "1.2.3.4.5",
    "0x7f.1",
    "2130706433",
    "127.0.0.1.",
    "....",
    "-1.0.0.1",
    "1.2.3.4:65536",
  ],
  ...[
    "[",
    "[]",
    "[::",
    "[::1",
    "[:::1]",
    "[1:2:3:4:5:6:7:8:9]",
    "[::1%25eth0]",
    "[::ffff:1.2.3.4]",
    "[g::1]:5060",
    "::1",
  ],
  ...[
    ";tag=",
    ";tag",
    ";tag=;tag=a",
    ";tag=a;tag=b",
    ";branch=",
    ";branch=z9hG4bK",
    ";received=",
    ";maddr=",
    ";ttl=256",
    ";rport=x",
  ],
  ...[
    "SIP/2.0/",
    "SIP/2.0/UDP/TCP",
    "SIP/9.9",
    "SIP / 2.0 / UDP",
    "/2.0/UDP",
    "*",
    "sips:",
    "sip:@",
    "sip::@:",
    "tel:",
    "<>",
    "<sip:>",
  ],
  ...[
    "1 ",
    " INVITE",
    "1 1 INVITE",
    "-1 INVITE",
    "INVITE 1",
    "1INVITE",
    "application/",
    "/sdp",
    "a/b/c",
    "multipart/mixed;boundary=",
    "*/*",
  ],
];

const replace = (octets: string, from: number, to: number, text: string) =>
  octets.slice(0, from) + text + octets.slice(Math.max(from, to));

const lines = (octets: string, change: (all: string[]) => void): string => {
  const all = octets.split("\r\n");
  change(all);
  return all.join("\r\n");
};

const MUTATIONS: Mutation[] = [
  function flipBit(octets, random) {
    const at = below(random, octets.length);
    return replace(octets, at, at + 1, String.fromCharCode((octets.charCodeAt(at) || 0) ^ (1 << below(random, 8))));
  },
  function putOctet(octets, random) {
    const at = below(random, octets.length);
    return replace(octets, at, at + 1, String.fromCharCode(below(random, 256)));
  },
  function putAwkward(octets, random) {
    const at = below(random, octets.length);
    return replace(octets, at, at + below(random, 2), pick(random, AWKWARD));
  },
  function putAnomaly(octets, random) {
    const words = [...octets.matchAll(/[^\s;:,=@<>"/]+/g)];
    const found = words.length > 0 ? pick(random, words) : undefined;
    const anomaly = pick(random, ANOMALIES);
    return found ? replace(octets, found.index, found.index + found[0].length, anomaly) : anomaly;
  },
  function truncate(octets, random) {
    return octets.slice(0, below(random, octets.length + 1));
  },
  function cutOut(octets, random) {
    const at = below(random, octets.length);
    return replace(octets, at, at + below(random, 40), "");
  },
  function repeatPart(octets, random) {
    const at = below(random, octets.length);
    const part = octets.slice(at, at + below(random, 60));
    return replace(octets, at, at, part.repeat(1 + below(random, 5)));
  },
  function splice(octets, random, others) {
    const other = pick(random, others);
    return octets.slice(0, below(random, octets.length)) + other.slice(below(random, other.length));
  },
  function lendLine(octets, random, others) {
    const line = pick(random, pick(random, others).split("\r\n"));
    return lines(octets, (all) => all.splice(1 + below(random, all.length), 0, line));
  },
  function repeatLine(octets, random) {
    return lines(octets, (all) => {
      const line = pick(random, all);
      all.splice(1 + below(random, all.length), 0, ...Array<string>(1 + below(random, 8)).fill(line));
    });
  },
  function dropLine(octets, random) {
    return lines(octets, (all) => all.splice(below(random, all.length), 1));
  },
  function swapLines(octets, random) {
    return lines(octets, (all) =>
      all.splice(below(random, all.length), 0, ...all.splice(below(random, all.length), 1)),
    );
  },
  function spoilNumber(octets, random) {
    const numbers = [...octets.matchAll(/\d+/g)];
    const found = numbers.length > 0 ? pick(random, numbers) : undefined;
    return found ? replace(octets, found.index, found.index + found[0].length, pick(random, NUMBERS)) : octets;
  },
  function inject(octets, random) {
    const at = below(random, octets.length);
    return replace(octets, at, at, pick(random, INJECTIONS));
  },
  function fold(octets, random) {
    const at = octets.indexOf(" ", below(random, octets.length));
    return at < 0 ? octets : replace(octets, at, at + 1, "\r\n \t");
  },
];

type Flood = (octets: string, random: Random) => string;

// Up to the size of the largest datagram and past it: what takes time grows with these or not at all.
const size = (random: Random) => below(random, 70_000);

const FLOODS: Flood[] = [
  (octets, random) => octets.replace("\r\n", `\r\nX-Flood: ${pick(random, AWKWARD).repeat(size(random))}\r\n`),
  (octets, random) => octets.replace("Via: ", `Via: ${"SIP/2.0/UDP a;branch=z9hG4bK, ".repeat(size(random) / 30)}`),
  (octets, random) => octets.replace(";", `${";a=b".repeat(size(random) / 4)};`),
  (octets, random) => octets.replace("\r\n", "\r\nX: y".repeat(size(random) / 6)),
  (octets, random) => octets.replace("<", `${'"'.repeat(size(random))}<`),
  (octets, random) => octets.replace("<", "<".repeat(size(random))),
  (octets, random) => " \r\n".repeat(size(random) / 3) + octets,
  (octets, random) => "\r\n".repeat(size(random) / 2) + octets,
  (octets, random) => octets.replace(": ", `:${" ".repeat(size(random))}`),
  (octets, random) => octets + octets.repeat(size(random) / (octets.length + 1)),
  (octets, random) => octets.replace("sip:", `sip:${"%41".repeat(size(random) / 3)}`),
  (octets, random) => octets.replace(" ", `\r\n${" ".repeat(size(random))}`),
];
