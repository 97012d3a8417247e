// Logins in somebody's name that answer nothing we have asked him: they change nothing of how he is asked or heard.

import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { hash } from "../../src/exchange/signalling/registrar/hashing.ts";
import { openSwitchboard, type Switchboard } from "../../src/exchange/signalling/switchboard.ts";
import { silentLog } from "../../src/log.ts";
import { answerChallenge, bestChallenge } from "../../src/sip/digest-answer.ts";
import { challengesOf } from "../../src/sip/headers/auth.ts";
import { headersOf, type Response } from "../../src/sip/message/message.ts";
import { parseMessage } from "../../src/sip/reading/parse.ts";
import type { Database } from "../../src/store/db.ts";
import { createExchange } from "../../src/store/exchanges.ts";
import { createExtension, updateExtension } from "../../src/store/extensions.ts";
import { freshDatabase } from "../ground/database.ts";
import { secrets } from "../ground/secrets.ts";
import { type TestClock, testClock } from "../ground/test-clock.ts";
import { unexpected } from "../ground/unexpected.ts";
import { type MemoryNetwork, memoryNetwork } from "../sip/memory-network.ts";

const US = "198.51.100.1";
const VICTIM = "203.0.113.4";
const INVENTED = "mabc123.1.f2bca6b56e6854486ae5f5dcb464930a";
const BOTH = ["SHA-256", "MD5"];

let db: Database;
let clock: TestClock;
let network: MemoryNetwork;
let board: Switchboard;
let warnings: string[];
let requests = 0;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  const exchange = (await createExchange(db, secrets, { name: "a", sipDomain: "a.example" })) as { id: number };
  for (const number of ["1000", "1001"])
    await createExtension(db, { exchangeId: exchange.id, number, password: "a-long-password" });
  const changes = { networks: ["192.0.2.0/24"] };
  await updateExtension(db, { exchangeId: exchange.id, number: "1001", changes });
});

beforeEach(async () => {
  clock = testClock(Date.UTC(2026, 0, 5, 10));
  network = memoryNetwork(clock);
  warnings = [];
  const log = { ...silentLog, warn: (_: object, text: string) => void warnings.push(text) };
  const transports = [network.attach({ address: US })];
  board = await openSwitchboard({ db, secrets, clock, log, unexpected, transports });
});

afterEach(() => board.close());

/** A REGISTER as it comes from the victim's address; the answer that goes back there. */
function registers(user: string, authorization = ""): Response {
  const id = `x${++requests}`;
  const lines = [
    "REGISTER sip:a.example SIP/2.0",
    `Via: SIP/2.0/UDP ${VICTIM}:5060;branch=z9hG4bK${id};rport`,
    `From: <sip:${user}@a.example>;tag=${id}`,
    `To: <sip:${user}@a.example>`,
    `Call-ID: ${id}`,
    "CSeq: 1 REGISTER",
    `Contact: <sip:${user}@${VICTIM}:5060>`,
    "User-Agent: Desk/1.0",
    // Room for every challenge there may be.
    `Subject: ${"x".repeat(400)}`,
    ...(authorization ? [`Authorization: ${authorization}`] : []),
    "Content-Length: 0",
  ];
  network.forge(`${lines.join("\r\n")}\r\n\r\n`, VICTIM, US);
  clock.pass(100);
  const parsed = parseMessage(network.carried().at(-1)!.octets);
  if (!("message" in parsed) || parsed.message.is !== "response") throw new Error("no answer");
  return parsed.message;
}

const askedFor = (response: Response) =>
  headersOf(response, "WWW-Authenticate").map((value) => /algorithm=([\w-]+)/.exec(value)?.[1]);

/** Thirty-two digits by the name of SHA-256: what a phone says that knows MD5 alone. */
function inDisguise(nonce: string | undefined, user = "1000"): string {
  const about = `Digest username="${user}", realm="a.example", uri="sip:a.example", algorithm=SHA-256`;
  return `${about}, response="${"0".repeat(32)}"${nonce === undefined ? "" : `, nonce="${nonce}"`}`;
}

function rightAnswer(challenged: Response, user: string): string {
  const challenge = bestChallenge(challengesOf(challenged))!;
  const account = { user, password: "a-long-password" };
  const request = { method: "REGISTER", uri: "sip:a.example" };
  return answerChallenge(hash, { challenge, account, request, fresh: { nc: 1, cnonce: "c" } })!; // all that it needs
}

test.each([undefined, "", INVENTED])(
  "a digest by another's name, for nonce %j, has nobody asked for MD5 alone",
  (nonce) => {
    registers("1000", inDisguise(nonce));
    expect(askedFor(registers("1000"))).toEqual(BOTH);
  },
);

test("a phone that answers our challenge so is asked for MD5 alone", () => {
  const nonce = bestChallenge(challengesOf(registers("1000")))!.parameters.get("nonce");
  registers("1000", inDisguise(nonce));
  expect(askedFor(registers("1000"))).toEqual(["MD5"]);
});

test.each([undefined, INVENTED])(
  "an answer to nonce %j does not keep an old phone from being asked otherwise",
  (nonce) => {
    expect(askedFor(registers("1000"))).toEqual(BOTH);
    registers("1000", inDisguise(nonce).replace("SHA-256", "MD5"));
    expect(askedFor(registers("1000"))).toEqual(["MD5", "SHA-256"]);
  },
);

test("the name of an extension that is bound to networks has nobody elsewhere ignored, or told to have its password", () => {
  for (let guess = 0; guess < 100; guess++)
    expect(registers("1001", inDisguise(INVENTED, "1001").replace("SHA-256", "MD5")).status).toBe(401);
  expect(board.abuse.boxed()).toEqual([]);
  expect(warnings.join("\n")).not.toContain("outside its networks");
  const refused = registers("1001", rightAnswer(registers("1001"), "1001"));
  expect(refused.status).toBe(403);
  expect(warnings.join("\n")).toContain("outside its networks");
});
