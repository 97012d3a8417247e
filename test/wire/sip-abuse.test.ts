import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { asWall, type Clock, later, realClock } from "../../src/clock.ts";
import { hash } from "../../src/exchange/signalling/registrar/hashing.ts";
import { openSwitchboard, type Switchboard } from "../../src/exchange/signalling/switchboard.ts";
import { silentLog } from "../../src/log.ts";
import { answerChallenge, bestChallenge } from "../../src/sip/digest-answer.ts";
import { challengesOf } from "../../src/sip/headers/auth.ts";
import type { Incoming } from "../../src/sip/incoming.ts";
import type { Request, Response } from "../../src/sip/message/message.ts";
import { parseMessage } from "../../src/sip/reading/parse.ts";
import { responseTo } from "../../src/sip/respond.ts";
import { openTcp } from "../../src/sip/transport/tcp.ts";
import { openUdp } from "../../src/sip/transport/udp.ts";
import { createExchange } from "../../src/store/exchanges.ts";
import { createExtension } from "../../src/store/extensions.ts";
import { freshDatabase } from "../ground/database.ts";
import { secrets } from "../ground/secrets.ts";
import { unexpected } from "../ground/unexpected.ts";
import { portOf } from "../sip/sip-doors.ts";
import { register } from "../sip/worded-register.ts";

let board: Switchboard;
let port: number;
let host = 10;
let aheadMs = 0;
const clock: Clock = {
  ticks: () => later(realClock.ticks(), aheadMs),
  wall: () => asWall(realClock.wall() + aheadMs),
  after: realClock.after,
};
const sockets: Socket[] = [];

beforeAll(async () => {
  const { db } = await freshDatabase();
  const exchange = (await createExchange(db, secrets, { name: "a", sipDomain: "a.example" })) as { id: number };
  await createExtension(db, { exchangeId: exchange.id, number: "1000", password: "a-long-password" });
  const udp = await openUdp({ address: "127.0.0.1", port: 0 });
  port = portOf(udp);
  board = await openSwitchboard({
    db,
    secrets,
    clock,
    log: silentLog,
    unexpected,
    transports: [udp, await openTcp({ clock: realClock, address: "127.0.0.1", port })],
    trustLoopback: false,
  });
});

afterAll(async () => {
  for (const socket of sockets) socket.close();
  await board.close();
});

beforeEach(() => {
  host++;
});

/** The same by a connection. */
async function connected() {
  const socket = connect({ host: "127.0.0.1", port, localAddress: `127.0.0.${host}` });
  socket.on("error", () => undefined);
  let heard = "";
  socket.on("data", (octets) => {
    heard += octets.toString();
  });
  await once(socket, "connect");
  const says = (text: string) => new Promise<void>((sent) => socket.write(text, () => sent()));
  return { says, heard: () => heard, hangUp: () => socket.destroy() };
}

/** Somebody at an address of their own. */
async function somebody() {
  const socket = createSocket("udp4");
  sockets.push(socket);
  const answers: string[] = [];
  socket.on("message", (text) => answers.push(text.toString()));
  await new Promise<void>((resolve) => socket.bind(0, `127.0.0.${host}`, resolve));
  const post = (text: string) => new Promise<void>((resolve) => socket.send(text, port, "127.0.0.1", () => resolve()));
  return { says, posts: post, triesPassword };

  /** The answer, or undefined when there is silence: the message was looked at and let fall. */
  async function says(text: string): Promise<string | undefined> {
    answers.length = 0;
    const { dropped } = board.abuse.counts();
    await post(text);
    const isOver = () => answers.length > 0 || board.abuse.counts().dropped > dropped;
    await vi.waitUntil(isOver, { timeout: 60_000, interval: 2 });
    return answers[0];
  }

  async function triesPassword(user: string, password: string): Promise<number | undefined> {
    const challenged = await says(register(user));
    if (challenged === undefined) return undefined;
    const answer = await says(register(user, authorization(challenged, user, password)));
    return answer === undefined ? undefined : Number(answer.slice(8, 11));
  }
}

function authorization(challenged: string, user: string, password: string): string {
  const parsed = parseMessage(challenged);
  if (!("message" in parsed)) throw new Error(parsed.malformed);
  const challenge = bestChallenge(challengesOf(parsed.message))!;
  const request = { method: "REGISTER", uri: "sip:a.example" };
  const fresh = { nc: 1, cnonce: "c" };
  return `Authorization: ${answerChallenge(hash, { challenge, account: { user, password }, request, fresh })}\r\n`;
}

describe("silence", () => {
  test("for a scanner by its connection, from its very first message, and not for the phone next door", async () => {
    const scanner = await connected();
    const neighbour = await somebody();
    host++;
    const phone = await somebody();
    await scanner.says(register("100", "User-Agent: friendly-scanner\r\n"));
    await expect.poll(() => board.abuse.boxed()).toMatchObject([{ offence: "scanner" }]);
    expect(await neighbour.says(register("1000"))).toBeUndefined();
    expect(await phone.says(register("1000"))).toMatch(/^SIP\/2\.0 401/);
    aheadMs += 61_000;
    expect(await neighbour.says(register("1000"))).toMatch(/^SIP\/2\.0 401/);
    scanner.hangUp();
  });

  test("for whoever asks for users that do not exist, after a handful", async () => {
    const guesser = await somebody();
    const heard: (number | undefined)[] = [];
    for (let user = 2000; heard.at(-1) !== undefined || heard.length === 0; user++) {
      heard.push(await guesser.triesPassword(String(user), "guess"));
      if (heard.length > 40) break;
    }
    expect(heard.filter((status) => status === 403)).toHaveLength(16);
    expect(board.abuse.boxed()).toMatchObject([{ offence: "unknown-user" }]);
  }, 60_000);

  test("for nobody by what a datagram says, which anybody can write in his name", async () => {
    const forger = await somebody();
    const phone = await somebody(); // at the very address that the forger says is his
    const before = board.abuse.boxed().length;
    expect(await forger.says(register("100", "User-Agent: friendly-scanner\r\n"))).toBeUndefined();
    for (let message = 0; message < 40; message++) await forger.posts(`REGISTER nonsense ${message}\r\n\r\n`);
    const made = 'Digest username="1000", realm="a.example", nonce="x.1.f2bca6b56e6854486ae5f5dcb464930a", ';
    const guess = `${made}uri="sip:a.example", response="${"0".repeat(32)}"`;
    for (let attempt = 0; attempt < 40; attempt++)
      expect(await forger.says(register("1000", `Authorization: ${guess}\r\n`))).toContain("stale=true");
    for (let message = 0; message < 600; message++) await forger.posts(register("1000"));
    const began = aheadMs;
    const getsIn = async (laterMs: number) => {
      aheadMs += laterMs;
      return (await phone.triesPassword("1000", "a-long-password")) === 200;
    };
    await vi.waitUntil(() => getsIn(1_000), { timeout: 60_000 });
    expect(aheadMs - began).toBeLessThan(30_000);
    for (let message = 0; message < 10_000; message++) await forger.posts("REGISTER nonsense\r\n\r\n");
    await vi.waitUntil(() => getsIn(0), { timeout: 60_000 });
    expect(board.abuse.boxed()).toHaveLength(before);
  });

  test("not for whoever comes by connection, though a flood of datagrams says that it comes from him", async () => {
    const forger = await somebody();
    const { dropped } = board.abuse.counts();
    const before = board.abuse.boxed().length;
    for (let message = 0; message < 2_000; message++) await forger.posts(register("1000"));
    await vi.waitUntil(() => board.abuse.counts().dropped > dropped, { timeout: 60_000 });
    const phone = await connected();
    await phone.says(register("1000"));
    await expect.poll(phone.heard).toMatch(/^SIP\/2\.0 401/);
    expect(board.abuse.boxed()).toHaveLength(before);
    phone.hangUp();
  });

  test("not for a phone that has logged in and then forgets its password for a while", async () => {
    const phone = await somebody();
    expect(await phone.triesPassword("1000", "a-long-password")).toBe(200);
    for (let attempt = 0; attempt < 40; attempt++) expect(await phone.triesPassword("1000", "forgotten")).toBe(403);
  }, 60_000);
});

test("an unknown user takes as long to refuse as a wrong password", () => {
  const source = { transport: "udp", address: "127.0.0.250", port: 5060, listener: "udp" } as const;
  let response: Response | undefined;
  const ask = (text: string) => {
    const parsed = parseMessage(text);
    if (!("message" in parsed)) throw new Error(parsed.malformed);
    const request = parsed.message as Request;
    const respond = (sent: Response) => {
      response = sent;
      return true;
    };
    const reply: Incoming["reply"] = (status, options) => respond(responseTo(request, status, options));
    const nothing = () => undefined;
    const unkept = { acknowledgedBy: nothing, onLost: nothing, keep: nothing, repeat: nothing, follow: nothing };
    const incoming: Incoming = {
      request,
      source,
      localTag: "t",
      respond,
      reply,
      onCancel: nothing,
      onAck: nothing,
      ...unkept,
    };
    const began = process.hrtime.bigint();
    board.authenticate(incoming);
    return Number(process.hrtime.bigint() - began);
  };
  const timeOf = (user: string) => {
    ask(register(user));
    const challenge = bestChallenge(challengesOf(response!))!;
    const request = { method: "REGISTER", uri: "sip:a.example" };
    const answer = answerChallenge(hash, {
      challenge,
      account: { user, password: "x" },
      request,
      fresh: { nc: 1, cnonce: "c" },
    });
    return ask(register(user, `Authorization: ${answer}\r\n`));
  };
  const median = (list: number[]) => list.slice(500).sort((one, other) => one - other)[500]!;
  const ratio = () => {
    const times: Record<string, number[]> = { "1000": [], "9999": [] };
    for (let round = 0; round < 1_500; round++) for (const user of Object.keys(times)) times[user]!.push(timeOf(user));
    return median(times["9999"]!) / median(times["1000"]!);
  };
  // What is different is different every time; what a busy machine does between two looks at the clock is not.
  const ratios: number[] = [];
  const isEqual = () => ratios.some((one) => one > 0.8 && one < 1.25);
  while (!isEqual() && ratios.length < 5) ratios.push(ratio());
  expect(isEqual(), `${ratios}`).toBe(true);
});
