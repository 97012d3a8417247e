// Whoever has an account on this machine guesses SIP passwords from its own address, over the wire.

import { createSocket } from "node:dgram";
import { expect, test } from "vitest";
import { asWall, type Clock, later, realClock } from "../../src/clock.ts";
import { hash } from "../../src/exchange/signalling/registrar/hashing.ts";
import { openSwitchboard } from "../../src/exchange/signalling/switchboard.ts";
import { silentLog } from "../../src/log.ts";
import { answerChallenge, bestChallenge } from "../../src/sip/digest-answer.ts";
import { challengesOf } from "../../src/sip/headers/auth.ts";
import { parseMessage } from "../../src/sip/reading/parse.ts";
import { openUdp } from "../../src/sip/transport/udp.ts";
import { createExchange } from "../../src/store/exchanges.ts";
import { createExtension } from "../../src/store/extensions.ts";
import { sql } from "../../src/store/sql.ts";
import { freshDatabase } from "../ground/database.ts";
import { secrets } from "../ground/secrets.ts";
import { unexpected } from "../ground/unexpected.ts";
import { whenOver } from "../ground/when-over.ts";
import { portOf } from "../sip/sip-doors.ts";
import { register } from "../sip/worded-register.ts";

let aheadMs = 0;
const [startTicks, startWall] = [realClock.ticks(), realClock.wall()];
/** Stands while nobody winds it: what is put off comes back with time, however long a busy machine takes. */
const clock: Clock = {
  ticks: () => later(startTicks, aheadMs),
  wall: () => asWall(startWall + aheadMs),
  after: realClock.after,
};

const { db } = await freshDatabase();
const exchange = (await createExchange(db, secrets, { name: "a", sipDomain: "a.example" })) as { id: number };
for (const number of ["1000", "1001"])
  await createExtension(db, { exchangeId: exchange.id, number, password: `a long one of ${number}` });
await db.query(
  sql`insert into extensions (exchange_id, number, ha1_md5, ha1_sha256)
   select $1, (2000 + n)::text, 'x', 'y' from generate_series(0, 399) as n`,
  [exchange.id],
);
const udp = await openUdp({ address: "127.0.0.1", port: 0 });
const port = portOf(udp);
const board = await openSwitchboard({ db, secrets, clock, log: silentLog, unexpected, transports: [udp] });
const socket = createSocket("udp4");
await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
whenOver(async () => {
  socket.close();
  await board.close();
});

async function says(text: string): Promise<string> {
  const answered = new Promise<string>((resolve) => socket.once("message", (told) => resolve(told.toString())));
  socket.send(text, port, "127.0.0.1");
  return answered;
}

async function tries(user: string, password: string): Promise<number> {
  const parsed = parseMessage(await says(register(user)));
  if (!("message" in parsed)) throw new Error(parsed.malformed);
  const challenge = bestChallenge(challengesOf(parsed.message))!;
  const request = { method: "REGISTER", uri: "sip:a.example" };
  const shown = answerChallenge(hash, {
    challenge,
    account: { user, password },
    request,
    fresh: { nc: 1, cnonce: "c" },
  });
  return Number((await says(register(user, `Authorization: ${shown}\r\n`))).slice(8, 11));
}

/** One password of each, until no more is looked at: how many were. */
async function spray(first: number): Promise<number> {
  for (let at = 0; at < 400; at++) if ((await tries(String(first + at), "a guess")) === 503) return at;
  return Number.POSITIVE_INFINITY;
}

test("one password tried on everybody from this very machine is soon looked at no more, and who has logged in there goes on", async () => {
  expect(await spray(2000)).toBe(30);
  expect(await tries("1001", "a long one of 1001"), "nobody who has not").toBe(503);
  aheadMs += 30_000;
  expect(await tries("1001", "a long one of 1001")).toBe(200);
  // Others log in there by now, as behind any address of an office.
  expect(await spray(2031)).toBe(300);
  expect(await tries("1000", "a long one of 1000")).toBe(503);
  expect(await tries("1001", "a long one of 1001")).toBe(200);
  expect(await tries("2000", "a long one")).toBe(503);
  expect(board.abuse.boxed()).toEqual([]);
  aheadMs += 1_800_000;
});

test("a password is guessed from this very machine no oftener than from elsewhere, and nobody else waits", async () => {
  for (let guess = 0; guess < 10; guess++) expect(await tries("1000", "a guess")).not.toBe(200);
  expect(await tries("1000", "a guess")).toBe(503);
  // Not even the right one, so that nobody learns from the answer which it is.
  expect(await tries("1000", "a long one of 1000")).toBe(503);
  expect(await tries("1001", "a long one of 1001")).toBe(200);
  expect(board.abuse.boxed()).toEqual([]);
  aheadMs += 60_000;
  expect(await tries("1000", "a long one of 1000")).toBe(200);
});
