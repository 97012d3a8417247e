// A carrier that means harm, or whoever stands at its address without TLS: nothing that it sends ends the server, keeps its
// thread busy, fills its memory, or reaches the database in a form that it cannot keep.

import { createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { realClock } from "../../src/clock.ts";
import { readDelivery } from "../../src/sms/carriers/smpp/incoming.ts";
import { type Fields, openSession } from "../../src/sms/carriers/smpp/session.ts";
import { heapUsed } from "../ground/heap.ts";
import { below, pick, seeded } from "../sip/sip-mutator.ts";
import { openSpoiler } from "./octet-spoiler.ts";
import { PATIENCE_MS, SEED, SPOILT } from "./spoilt-packets.ts";

const MEBIBYTE = 1024 * 1024;
const HEAD = 16;
const BIND = 0x09;
const ENQUIRE_LINK = 0x15;
const ANSWER = 0x8000_0000;

let server: Server;
/** What it says to the next who connects, once he is bound. */
let next: (socket: Socket) => void = () => undefined;
let heard: { command: number; status: number }[] = [];

beforeAll(async () => {
  server = createServer((socket) => {
    let held = Buffer.alloc(0);
    socket.on("error", () => undefined);
    socket.on("data", (more) => {
      held = Buffer.concat([held, more]);
      for (; held.length >= HEAD && held.length >= held.readUInt32BE(0); held = held.subarray(held.readUInt32BE(0))) {
        const [command, status, number] = [4, 8, 12].map((at) => held.readUInt32BE(at)) as [number, number, number];
        heard.push({ command, status });
        if (command !== BIND) continue;
        socket.write(pdu(BIND + ANSWER, Buffer.from("carrier\0"), number));
        next(socket);
      }
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
});

afterAll(() => new Promise<void>((closed) => void server.close(() => closed())));

function pdu(command: number, body: Uint8Array = Buffer.alloc(0), number = 7): Buffer {
  const head = Buffer.alloc(HEAD);
  head.writeUInt32BE(HEAD + body.length, 0);
  head.writeUInt32BE(command >>> 0, 4);
  head.writeUInt32BE(number, 12);
  return Buffer.concat([head, body]);
}

type Heard = ReturnType<typeof readDelivery>;

/** A line to it, what was taken for a delivery, and why the line fell. */
async function line(said: (socket: Socket) => void) {
  const delivered: Heard[] = [];
  const closed: string[] = [];
  let end: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  heard = [];
  next = said;
  const opened = await openSession({
    connect: { host: "127.0.0.1", port: (server.address() as { port: number }).port },
    bind: { system_id: "acme", password: "secret" },
    clock: realClock,
    deliver: async (_command, fields: Fields) => void delivered.push(readDelivery(fields, 0, { unmarked: true })),
    closed(why) {
      closed.push(why);
      end();
    },
  });
  if ("refused" in opened) throw new Error(opened.refused);
  return { delivered, closed, over };
}

/** All of it is heard before this is answered. */
async function allHeard(socket: Socket): Promise<void> {
  socket.write(pdu(ENQUIRE_LINK));
  const isAnswered = () => heard.some(({ command }) => command === ENQUIRE_LINK + ANSWER);
  await expect.poll(isAnswered, { timeout: 30_000 }).toBe(true);
}

const text = (value: string) => Buffer.from(`${value}\0`, "latin1");
const tlv = (tag: number, value: Uint8Array) => {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(tag, 0);
  head.writeUInt16BE(value.length, 2);
  return Buffer.concat([head, value]);
};

type Delivery = { from?: string; esmClass?: number; coding?: number; message?: Uint8Array; more?: Uint8Array[] };

function deliverSm({ from = "905321112233", esmClass = 0, coding = 0, message, more = [] }: Delivery): Buffer {
  const octets = message ?? Buffer.from("EVET");
  const body = [
    ...[text(""), Buffer.from([1, 1]), text(from), Buffer.from([0, 1]), text("4607")],
    ...[Buffer.from([esmClass, 0, 0]), text(""), text(""), Buffer.from([0, 0, coding, 0, octets.length]), octets],
  ];
  return pdu(0x05, Buffer.concat([...body, ...more]));
}

const RECEIPT = Buffer.from(
  "id:42 sub:001 dlvrd:001 submit date:2601051200 done date:2601051201 stat:DELIVRD err:000 text:",
);
const sound = [
  deliverSm({}),
  deliverSm({ esmClass: 4, message: RECEIPT }),
  deliverSm({ esmClass: 4, message: RECEIPT, more: [tlv(0x1e, text("2a")), tlv(0x427, Buffer.from([2]))] }),
  deliverSm({ esmClass: 0x40, message: Buffer.from("0500034202014d65726861626121", "hex") }),
  deliverSm({ coding: 8, message: Buffer.from("00450056004500540131d83dde00", "hex") }),
  deliverSm({
    message: Buffer.alloc(0),
    more: [tlv(0x424, Buffer.alloc(300, 0x41)), tlv(0x423, Buffer.from([3, 0, 9]))],
  }),
  deliverSm({ more: [tlv(0x20c, Buffer.from([1, 2])), tlv(0x20e, Buffer.from([3])), tlv(0x20f, Buffer.from([1]))] }),
  pdu(
    0x103,
    Buffer.concat([text(""), Buffer.from([1, 1]), text("90532"), Buffer.from([0, 1]), text("4607"), Buffer.alloc(4)]),
  ),
  pdu(0x80000004, text("4b2c")),
  pdu(ENQUIRE_LINK),
  pdu(0x102, Buffer.concat([Buffer.from([1, 1]), text("905321112233"), Buffer.from([1, 1]), text("4607")])),
  pdu(0x0b, Buffer.concat([text("carrier"), text("secret")])),
  pdu(
    0x04,
    Buffer.concat([text(""), Buffer.from([1, 1]), text("1"), Buffer.from([1, 1]), text("2"), Buffer.alloc(12)]),
  ),
  pdu(
    0x21,
    Buffer.concat([
      text(""),
      Buffer.from([1, 1]),
      text("1"),
      Buffer.from([2, 1, 1, 1]),
      text("2"),
      Buffer.from([2]),
      text("x"),
    ]),
  ),
];

test.each([
  ["a handset is there again", 0x102, sound[10]!],
  ["call me back", 0x0b, sound[11]!],
  ["what no standard knows", 0x7777, pdu(0x7777)],
  ["a message of ours", 0x04, sound[12]!],
  ["an answer to nothing", 0x80000102, pdu(0x80000102)],
])("%s (%d) is no harm, and the line goes on", async (_what, _command, said) => {
  let socket!: Socket;
  const { closed } = await line((it) => {
    socket = it;
    it.write(said);
  });
  await allHeard(socket);
  expect(closed).toEqual([]);
  socket.destroy();
});

test.each([0, 1, 3, 4, 5, 15, 16_385, 0xffff_ffff])(
  "a PDU of %d octets ends the line at once",
  { timeout: 30_000 },
  async (length) => {
    const head = Buffer.alloc(HEAD);
    head.writeUInt32BE(length, 0);
    const { over } = await line((socket) => socket.write(Buffer.concat([head, Buffer.alloc(40)])));
    await over;
  },
);

test("who asks and asks without listening is not answered into our memory", { timeout: 120_000 }, async () => {
  const questions = Buffer.concat(Array.from({ length: 60_000 }, () => pdu(ENQUIRE_LINK)));
  let socket!: Socket;
  const { over } = await line((it) => {
    socket = it;
    it.pause();
  });
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  let sent = 0;
  while (!isOver && sent < 200 * MEBIBYTE) {
    sent += questions.length;
    if (!socket.write(questions)) await Promise.race([over, new Promise((resolve) => socket.once("drain", resolve))]);
  }
  expect(isOver).toBe(true);
  socket.destroy();
});

test("names hold nothing that no database keeps, and are no longer than names are", async () => {
  const nul = "9053\x8021\x80";
  const many = [
    deliverSm({ from: nul }),
    deliverSm({ from: "5".repeat(9_000) }),
    deliverSm({ esmClass: 4, message: RECEIPT, more: [tlv(0x1e, text(nul)), tlv(0x427, Buffer.from([2]))] }),
    deliverSm({
      esmClass: 4,
      message: RECEIPT,
      more: [tlv(0x1e, text("a".repeat(9_000))), tlv(0x427, Buffer.from([2]))],
    }),
  ];
  let socket!: Socket;
  const { delivered } = await line((it) => {
    socket = it;
    it.write(Buffer.concat(many));
  });
  await allHeard(socket);
  expect(delivered).toHaveLength(many.length);
  for (const one of delivered) expectKeepable(one);
  socket.destroy();
});

function expectKeepable(one: Heard): void {
  const texts = one.is === "message" ? [one.message.from, one.message.to] : [one.from, ...one.receipt.references];
  for (const it of texts) expect(it).not.toContain("\0");
  for (const it of one.is === "message" ? texts : [one.from]) expect(it.length).toBeLessThan(300);
  if (one.is === "message") expect(one.message.text).not.toContain("\0");
  else expect(one.receipt.textBegins ?? "").not.toContain("\0");
}

test(`${SPOILT} spoilt PDUs`, { timeout: PATIENCE_MS }, async () => {
  const random = seeded(SEED);
  const spoil = openSpoiler(random, sound, 16_000);
  const AT_ONCE = 50;
  let heapBefore = 0;
  let taken = 0;
  for (let done = 0; done < SPOILT; done += AT_ONCE) {
    if (done <= SPOILT / 5) heapBefore = heapUsed();
    const batch = Array.from({ length: AT_ONCE }, () => {
      const spoilt = spoil(pick(random, sound));
      // What says how long it is is right as a rule, or nothing behind it would be read.
      if (spoilt.length >= HEAD && below(random, 30) > 0) spoilt.writeUInt32BE(spoilt.length, 0);
      return spoilt;
    });
    const { delivered, over } = await line((socket) => socket.end(Buffer.concat(batch)));
    await over;
    for (const one of delivered) expectKeepable(one);
    taken += delivered.length;
  }
  process.stdout.write(`\nSMPP, seed ${SEED}: ${SPOILT} spoilt PDUs, ${taken} taken for deliveries\n`);
  expect(taken).toBeGreaterThan(SPOILT / 20);
  expect(heapUsed() - heapBefore).toBeLessThan(16 * MEBIBYTE);
});
