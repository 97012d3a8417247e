// A name server on loopback that knows what a test tells it: addresses of both families, SRV and NAPTR.

import { createSocket } from "node:dgram";
import { isIPv6 } from "node:net";
import { whenOver } from "../ground/when-over.ts";

export type Zone = {
  addresses?: Record<string, readonly string[]>;
  services?: Record<string, readonly { priority: number; weight: number; port: number; name: string }[]>;
  naming?: Record<
    string,
    readonly { order: number; preference: number; flags: string; service: string; replacement: string }[]
  >;
};

export type NameServer = {
  /** host:port. */
  at: string;
  /** Questions as `SRV _sip._udp.carrier.test`. */
  asked: string[];
};

const TYPES: Record<number, string> = { 1: "A", 28: "AAAA", 33: "SRV", 35: "NAPTR" };
const HEADER_OCTETS = 12;
const NO_SUCH_NAME = 3;

/** The zone may be changed while it runs. */
export async function startNameServer(zone: Zone): Promise<NameServer> {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (question, from) => {
    const { name, type, end } = questionIn(question);
    asked.push(`${TYPES[type] ?? type} ${name}`);
    const records = recordsOf(zone, name, type);
    socket.send(answerTo(question.subarray(0, end), type, records), from.port, from.address);
  });
  await new Promise<void>((listening) => socket.bind(0, "127.0.0.1", listening));
  whenOver(() => void socket.close());
  return { at: `127.0.0.1:${socket.address().port}`, asked };
}

function questionIn(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_OCTETS;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function recordsOf({ addresses = {}, services = {}, naming = {} }: Zone, name: string, type: number): Buffer[] {
  const known = addresses[name] ?? [];
  if (type === 1) return known.filter((it) => !isIPv6(it)).map((it) => Buffer.from(it.split(".").map(Number)));
  if (type === 28) return known.filter(isIPv6).map(six);
  if (type === 33)
    return (services[name] ?? []).map((it) =>
      Buffer.concat([numbers(it.priority, it.weight, it.port), dotted(it.name)]),
    );
  return (naming[name] ?? []).map((it) =>
    Buffer.concat([numbers(it.order, it.preference), ...[it.flags, it.service, ""].map(said), dotted(it.replacement)]),
  );
}

function answerTo(question: Buffer, type: number, records: readonly Buffer[]): Buffer {
  const head = Buffer.from(question.subarray(0, HEADER_OCTETS));
  head.writeUInt16BE(0x8580 | (records.length === 0 ? NO_SUCH_NAME : 0), 2);
  numbers(1, records.length, 0, 0).copy(head, 4);
  const answers = records.map((data) =>
    // The name is that of the question, one class, a second to live.
    Buffer.concat([numbers(0xc00c, type, 1, 0, 1, data.length), data]),
  );
  return Buffer.concat([head, question.subarray(HEADER_OCTETS), ...answers]);
}

function numbers(...values: number[]): Buffer {
  const octets = Buffer.alloc(values.length * 2);
  for (const [place, value] of values.entries()) octets.writeUInt16BE(value, place * 2);
  return octets;
}

const said = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, "latin1")]);
const dotted = (name: string) => Buffer.concat([...name.split(".").map(said), Buffer.from([0])]);

function six(address: string): Buffer {
  const [before = "", after] = address.split("::");
  const groups = (text: string | undefined) => (text ? text.split(":").map((it) => Number.parseInt(it, 16)) : []);
  const [head, tail] = [groups(before), groups(after)];
  return numbers(...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail);
}
