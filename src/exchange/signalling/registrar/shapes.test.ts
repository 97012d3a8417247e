// What is looked at for every login has one hidden class. `{ ...known, added }` and what is left of a row make a new one
// each time, and whatever reads it gets slow.

import { expect, test } from "vitest";
import { freshDatabase } from "../../../../test/ground/database.ts";
import { shapesAmong } from "../../../../test/ground/heap.ts";
import { secrets } from "../../../../test/ground/secrets.ts";
import { testClock } from "../../../../test/ground/test-clock.ts";
import { silentLog } from "../../../log.ts";
import type { Attempt, DigestGuard } from "../../../sip/digest.ts";
import { parseMessage } from "../../../sip/reading/parse.ts";
import type { Source } from "../../../sip/transport/transport.ts";
import { createExchange } from "../../../store/exchanges.ts";
import { isRefusal } from "../../../store/refusal.ts";
import { sql } from "../../../store/sql.ts";
import { openChallengeOrders } from "./challenge-order.ts";
import { openDirectory } from "./directory.ts";
import { openLogin } from "./login.ts";
import { openStrays } from "./strays.ts";

/** More than the engine watches before it makes code of what it saw. */
const MANY = 300;
const FIRST = 1_000;
const desk: Source = { transport: "udp", address: "192.0.2.10", port: 5062, listener: "udp 192.0.2.1:5060" };

test("extensions, attempts to log in and what a challenge is made of", async () => {
  const { db } = await freshDatabase();
  const exchange = await createExchange(db, secrets, { name: "a", sipDomain: "a.example" });
  if (isRefusal(exchange)) throw new Error(exchange.refused);
  await db.query(
    sql`insert into extensions (exchange_id, number, ha1_md5, ha1_sha256)
     select $1, (${FIRST} + n)::text, 'x', 'y' from generate_series(0, $2::int - 1) as n`,
    [exchange.id, MANY],
  );
  const directory = await openDirectory(db, silentLog);
  const attempts: Attempt[] = [];
  const asked: object[] = [];
  const digest: DigestGuard = {
    challenges: (ask) => {
      asked.push(ask);
      return ["Digest"];
    },
    verify: (attempt) => {
      attempts.push(attempt);
      return { verdict: "right", isAnswer: true };
    },
    isOurs: () => true,
    remembered: () => 0,
  };
  const abuse = { fault: () => undefined, loggedIn: () => undefined, mayTry: () => true };
  const orders = await openChallengeOrders(db, silentLog);
  const strays = openStrays(testClock(), silentLog);
  const logins = openLogin({ directory, digest, abuse, orders, strays, phones: () => ({ contactsOf: () => [] }) });

  const known: object[] = [];
  for (let number = FIRST; number < FIRST + MANY; number++) {
    logins.screen(registerOf(number, ""), desk);
    const request = registerOf(
      number,
      `Authorization: Digest username="${number}", realm="a.example", nonce="n", uri="sip:a.example", response="r"\r\n`,
    );
    const login = logins.authenticate({ request, source: desk, reply: () => undefined } as never);
    if ("extension" in login) known.push(login.extension);
  }
  await directory.close();

  expect([known.length, attempts.length, asked.length]).toEqual([MANY, MANY, MANY]);
  expect(shapesAmong(known)).toBe(1);
  expect(shapesAmong(attempts)).toBe(1);
  expect(shapesAmong(asked)).toBe(1);
});

function registerOf(number: number, authorization: string) {
  const parsed = parseMessage(
    "REGISTER sip:a.example SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.10:5062;branch=z9hG4bKx\r\n" +
      `From: <sip:${number}@a.example>;tag=1\r\nTo: <sip:${number}@a.example>\r\nCall-ID: desk\r\n` +
      `CSeq: ${number} REGISTER\r\n${authorization}\r\n`,
  );
  if (!("message" in parsed) || parsed.message.is !== "request") throw new Error(JSON.stringify(parsed));
  return parsed.message;
}
