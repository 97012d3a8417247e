// How fast the message floor is, in CPU time of one core: node bench/run.mjs bench/sip-parse.ts [seconds a row]
//
// Each row reads what a server always reads (Via branch, tags, Call-ID, CSeq). The yardstick of the same run is
// JSON.parse of an object of the same size that holds the same headers, so figures of two machines can be compared.

import { callIdOf, fromOf, toOf } from "../src/sip/headers/addresses.ts";
import { cseqOf } from "../src/sip/headers/cseq.ts";
import { tagOf } from "../src/sip/headers/name-address.ts";
import { topViaOf } from "../src/sip/headers/via.ts";
import type { Message } from "../src/sip/message/message.ts";
import { printMessage } from "../src/sip/message/print.ts";
import { parseMessage } from "../src/sip/reading/parse.ts";
import { openFraming } from "../src/sip/reading/stream.ts";
import { responseTo } from "../src/sip/respond.ts";
import { figure } from "./figure.ts";
import { callsOf, mix } from "./sip-mix.ts";

const secondsPerRow = Number(process.argv[2] ?? 2);
// Many different calls: a parser that remembers the last value must not be paid for seeing the same one again.
const CALLS = 200;
const texts = callsOf(CALLS);
const wire = texts.map((text) => Buffer.from(text, "latin1"));
const invites = callsOf(CALLS * mix.length)
  .filter((_, at) => at % mix.length === 0)
  .map((text) => Buffer.from(text, "latin1"));
const json = texts.map((text) => JSON.stringify(parsed(text)));
const streams = Array.from({ length: CALLS }, (_, call) =>
  Buffer.concat(wire.slice(call * mix.length, (call + 1) * mix.length)),
);
let kept = 0;

function parsed(octets: string): Message {
  const result = parseMessage(octets);
  if ("malformed" in result) throw new Error(`the bench is malformed: ${result.malformed}`);
  return result.message;
}

function read(message: Message): void {
  const { branch } = topViaOf(message);
  const tags = (tagOf(fromOf(message)) ?? "").length + (tagOf(toOf(message)) ?? "").length;
  kept = (kept + branch.length + tags + callIdOf(message).length + cseqOf(message).number) | 0;
}

const YARDSTICK = "JSON.parse of the same";
const rows: [name: string, turn: () => void, kebab?: string][] = [
  [`${YARDSTICK} (yardstick)`, () => json.forEach(readJson)],
  ["split into lines and at colons", () => wire.forEach(splitLines)],
  ["parse", () => wire.forEach(parseOnly), "sip-parsed"],
  ["parse, only INVITEs", () => invites.forEach(parseOnly)],
  ["parse and print", () => wire.forEach(parseAndPrint)],
  ["parse and answer 200", () => wire.forEach(parseAndAnswer), "sip-parsed-and-answered"],
  ["frame out of a stream and parse", () => streams.forEach(frame)],
];

function readJson(text: string): void {
  kept = (kept + (JSON.parse(text) as Message).headers.length) | 0;
}

function splitLines(octets: Buffer): void {
  for (const line of octets.toString("latin1").split("\r\n")) kept = (kept + line.indexOf(":")) | 0;
}

function parseOnly(octets: Buffer): void {
  read(parsed(octets.toString("latin1")));
}

function parseAndPrint(octets: Buffer): void {
  const message = parsed(octets.toString("latin1"));
  read(message);
  kept = (kept + printMessage(message).length) | 0;
}

function parseAndAnswer(octets: Buffer): void {
  const message = parsed(octets.toString("latin1"));
  read(message);
  if (message.is === "request") kept = (kept + printMessage(responseTo(message, 200, { toTag: "a6c85cf" })).length) | 0;
}

function frame(stream: Buffer): void {
  for (const framed of openFraming().push(stream.toString("latin1"))) if ("message" in framed) read(framed.message);
}

function perSecond(turn: () => void): number {
  for (let warm = 0; warm < 50; warm++) turn();
  const start = process.cpuUsage();
  let turns = 0;
  let spent = 0;
  while (spent < secondsPerRow * 1e6) {
    for (let i = 0; i < 5; i++) turn();
    turns += 5;
    const { user, system } = process.cpuUsage(start);
    spent = user + system;
  }
  return (turns * texts.length * 1e6) / spent;
}

console.log(`mix: ${mix.map((text) => `${text.slice(0, text.indexOf(" "))} ${text.length}`).join(", ")} octets`);
let yardstick = 0;
for (const [name, turn, kebab] of rows) {
  const rate = perSecond(turn);
  yardstick ||= rate;
  const ratio = `${(rate / yardstick).toFixed(2)} x yardstick`;
  console.log(`${name.padEnd(36)} ${Math.round(rate).toLocaleString("en").padStart(9)} messages/s  ${ratio}`);
  const beside = { yardstick: YARDSTICK, ratio: rate / yardstick };
  if (kebab) figure({ name: kebab, value: rate, unit: "/s", better: "more", ...beside, with: "one core" });
}
console.log(`(${kept})`);
