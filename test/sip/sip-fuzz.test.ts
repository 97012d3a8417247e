// Hundreds of thousands of spoilt messages: nothing throws, nothing takes long, nothing is kept.
//
// SANTRAL_FUZZ=1000000 npx vitest run test/sip/sip-fuzz.test.ts runs longer, SANTRAL_FUZZ_SEED=7 makes other trouble.

import { deepStrictEqual } from "node:assert";
import { createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { openDigest } from "../../src/sip/digest.ts";
import { answerChallenge, type Hash, ha1Of } from "../../src/sip/digest-answer.ts";
import * as addresses from "../../src/sip/headers/addresses.ts";
import * as auth from "../../src/sip/headers/auth.ts";
import * as content from "../../src/sip/headers/content.ts";
import { cseqOf } from "../../src/sip/headers/cseq.ts";
import * as event from "../../src/sip/headers/event.ts";
import { maxForwardsOf } from "../../src/sip/headers/max-forwards.ts";
import { hidesIdentity } from "../../src/sip/headers/privacy.ts";
import { productOf } from "../../src/sip/headers/product.ts";
import { rackOf, rseqOf } from "../../src/sip/headers/reliable.ts";
import { replacesOf } from "../../src/sip/headers/replaces.ts";
import { retryAfterOf } from "../../src/sip/headers/retry-after.ts";
import { expiresOf, minExpiresOf } from "../../src/sip/headers/seconds.ts";
import { minSeOf, sessionExpiresOf } from "../../src/sip/headers/session-timer.ts";
import * as lists from "../../src/sip/headers/token-lists.ts";
import { parseVia, stampTopVia, topViaOf } from "../../src/sip/headers/via.ts";
import { isMalformed } from "../../src/sip/message/malformed.ts";
import { headersOf, type Message } from "../../src/sip/message/message.ts";
import { splitList } from "../../src/sip/message/parameters.ts";
import { printMessage } from "../../src/sip/message/print.ts";
import { parseUri, printUri } from "../../src/sip/message/uri.ts";
import { sameUriText } from "../../src/sip/message/uri-equality.ts";
import { partsOf } from "../../src/sip/reading/multipart.ts";
import { parseMessage } from "../../src/sip/reading/parse.ts";
import { openFraming } from "../../src/sip/reading/stream.ts";
import { refusalOf } from "../../src/sip/reading/validate.ts";
import { responseTo } from "../../src/sip/respond.ts";
import { heapUsed } from "../ground/heap.ts";
import { below, corpus, openMutator, pick, type Random, seeded } from "./sip-mutator.ts";
import { randomMessage, spell } from "./sip-random-message.ts";

const MESSAGES = Number(process.env.SANTRAL_FUZZ ?? 200_000);
const SEED = Number(process.env.SANTRAL_FUZZ_SEED ?? 1);
const SLOWEST_MS = 5;
const MOST_GROWTH = 16 * 1024 * 1024;
const PATIENCE_MS = 120_000 + MESSAGES;

const hash: Hash = (algorithm, octets) =>
  createHash(algorithm === "MD5" ? "md5" : "sha256")
    .update(octets, "latin1")
    .digest("hex");

const guard = openDigest({
  hash,
  hmac: (octets) => createHmac("sha256", "key").update(octets, "latin1").digest("hex"),
  now: () => 1_000_000,
});

const supported = { methods: ["INVITE", "REGISTER", "OPTIONS"], options: ["timer"], contentTypes: ["application/sdp"] };

const getters: ((message: Message) => unknown)[] = [
  topViaOf,
  (message) => headersOf(message, "Via").flatMap(splitList).map(parseVia),
  cseqOf,
  addresses.fromOf,
  addresses.toOf,
  addresses.callIdOf,
  addresses.contactsOf,
  addresses.recordRoutesOf,
  addresses.pathOf,
  addresses.referToOf,
  addresses.referredByOf,
  addresses.assertedIdentitiesOf,
  answersIn,
  auth.challengesOf,
  content.acceptOf,
  content.contentTypeOf,
  content.contentDispositionOf,
  event.eventOf,
  maxForwardsOf,
  hidesIdentity,
  productOf,
  rackOf,
  rseqOf,
  replacesOf,
  retryAfterOf,
  expiresOf,
  minExpiresOf,
  minSeOf,
  sessionExpiresOf,
  lists.allowOf,
  (message) => lists.knowsOption(message, "timer"),
  lists.requireOf,
  partsOf,
];

const heard = { understood: 0, answered: 0, dropped: 0, framed: 0, broken: 0 };

/** Everything the floor can do with a message that came by datagram. */
function treat(octets: string): number {
  const parsed = parseMessage(octets);
  if ("message" in parsed) {
    heard.understood++;
    serve(parsed.message);
  } else if (parsed.request) {
    heard.answered++;
    topViaOf(parsed.request);
    printMessage(responseTo(parsed.request, parsed.status, { toTag: "t" }));
  } else heard.dropped++;
  return 1;
}

function serve(message: Message): void {
  for (const getter of getters) getter(message);
  const stamped = stampTopVia(message, { address: "192.0.2.9", port: 9 });
  topViaOf(stamped);
  for (const { uri } of [addresses.fromOf(message), addresses.toOf(message)]) readUri(uri);
  printMessage(stamped);
  if (message.is === "response") return;
  readUri(message.uri);
  const refusal = refusalOf(message, supported);
  printMessage(responseTo(message, refusal?.status ?? 200, { toTag: "t", headers: refusal?.headers ?? [] }));
  for (const credentials of answersIn(message)) {
    if (isMalformed(credentials)) continue;
    const known = { MD5: "5d41402abc4b2a76b9719d911017c592", "SHA-256": "00" };
    guard.verify({ source: "192.0.2.9", realm: "santral.example", method: message.method, credentials, ha1: known });
  }
}

function answersIn(message: Message) {
  return ["Authorization", "Proxy-Authorization"].flatMap((name) => headersOf(message, name).map(auth.parseAuth));
}

function readUri(text: string): void {
  const uri = parseUri(text);
  if (isMalformed(uri)) return;
  const printed = printUri(uri);
  if (!sameUriText(text, printed)) throw new Error(`${JSON.stringify(text)} was printed as ${JSON.stringify(printed)}`);
}

/** The same octets by stream, in pieces; the answer is how many messages it held. */
function treatAsStream(octets: string, random: Random): number {
  const framing = openFraming();
  let held = 0;
  for (let at = 0; at < octets.length; ) {
    const end = at + 1 + below(random, octets.length);
    for (const framed of framing.push(octets.slice(at, end))) {
      if ("message" in framed) serve(framed.message);
      if ("broken" in framed) heard.broken++;
      else heard.framed++;
      held++;
    }
    if (framing.held() > 65_535) throw new Error("the framing holds more than a message");
    at = end;
  }
  return held;
}

/** For one message of the octets. */
function milliseconds(act: () => number): number {
  const start = performance.now();
  const messages = act();
  return (performance.now() - start) / Math.max(1, messages);
}

/** A pause of the machine is no fault of the message, and passes: what stays slow nine times more is slow. */
function timed(octets: string, act: () => number): number {
  const first = attempt(octets, () => milliseconds(act));
  if (first <= SLOWEST_MS) return first;
  const counted = { ...heard };
  const again = Array.from({ length: 9 }, () => milliseconds(act));
  Object.assign(heard, counted);
  return Math.min(first, ...again);
}

function attempt<Value>(octets: string, act: () => Value): Value {
  try {
    return act();
  } catch (thrown) {
    throw new Error(`thrown on ${JSON.stringify(octets.slice(0, 4000))}`, { cause: thrown });
  }
}

test(`${MESSAGES} spoilt messages are served, refused or dropped, and none of them is slow`, {
  timeout: PATIENCE_MS,
}, () => {
  const random = seeded(SEED);
  const messages = corpus();
  const mutate = openMutator(random, messages);
  const slow: string[] = [];
  let slowestMs = 0;
  let heapBefore = 0;
  for (let count = 0; count < MESSAGES; count++) {
    if (count === Math.floor(MESSAGES / 5)) heapBefore = heapUsed();
    const octets = mutate(pick(random, messages));
    const seed = below(random, 0x7fffffff);
    const byStream = count % 4 === 0;
    const ms = timed(octets, () => (byStream ? treatAsStream(octets, seeded(seed)) : treat(octets)));
    slowestMs = Math.max(slowestMs, ms);
    if (ms > SLOWEST_MS && count > 1000)
      slow.push(`${ms.toFixed(1)} ms: ${octets.length} octets: ${JSON.stringify(octets.slice(0, 300))}`);
  }
  const growth = heapUsed() - heapBefore;
  const told = `slowest ${slowestMs.toFixed(2)} ms, heap ${(growth / 1024).toFixed(0)} KiB more`;
  process.stdout.write(`\nfuzz seed ${SEED}: ${MESSAGES} messages, ${JSON.stringify(heard)}, ${told}\n`);
  expect(slow).toEqual([]);
  expect(growth).toBeLessThan(MOST_GROWTH);
  expect(heard.understood).toBeGreaterThan(MESSAGES / 50);
  expect(heard.answered).toBeGreaterThan(MESSAGES / 50);
  expect(guard.remembered()).toBeLessThan(200_000);
});

test("no spoilt answer opens the door, and none throws", { timeout: PATIENCE_MS }, () => {
  const random = seeded(SEED + 2);
  const account = { user: "1001", realm: "santral.example", password: "secret" };
  const ha1 = ha1Of(hash, account);
  const source = "192.0.2.9";
  let right = 0;
  for (let count = 0; count < MESSAGES / 20; count++) {
    const challenge = auth.parseAuth(pick(random, guard.challenges({ source, realm: account.realm })));
    if (isMalformed(challenge)) throw new Error(challenge.malformed);
    const request = { method: "REGISTER", uri: "sip:santral.example" };
    const fresh = { nc: 1 + below(random, 3), cnonce: "c0ffee" };
    const answer = answerChallenge(hash, { challenge, account, request, fresh })!;
    const spoilt = openMutator(random, [answer])(answer);
    const read = auth.parseAuth(spoilt);
    if (isMalformed(read)) continue;
    const attempt = { source, realm: account.realm, method: "REGISTER", credentials: read, ha1 };
    if (guard.verify(attempt).verdict !== "right") continue;
    right++;
    expect(essence(spoilt), spoilt).toEqual(essence(answer));
  }
  // Some trouble touches nothing that matters, and must not lock a phone out.
  expect(right).toBeGreaterThan(0);
});

/** What the secret vouches for; hex may change its case. */
function essence(answer: string): unknown {
  const read = auth.parseAuth(answer);
  if (isMalformed(read)) return undefined;
  const { parameters } = read;
  const vouched = ["realm", "nonce", "uri", "nc", "cnonce"].map((name) => parameters.get(name));
  return [...vouched, parameters.get("response")?.toLowerCase()];
}

test("what was meant is what is read, however it is spelled, and what is printed reads the same", {
  timeout: PATIENCE_MS,
}, () => {
  const random = seeded(SEED + 1);
  for (let count = 0; count < MESSAGES / 20; count++) {
    const meant = randomMessage(random);
    const spelled = spell(meant, random);
    const read = withoutLength(spelled);
    deepStrictEqual(read, meant, JSON.stringify(spelled));
    deepStrictEqual(withoutLength(printMessage(read)), meant);
    serve(read);
  }
});

function withoutLength(octets: string): Message {
  const parsed = parseMessage(octets);
  if ("malformed" in parsed) throw new Error(`${parsed.malformed}: ${JSON.stringify(octets)}`);
  const headers = parsed.message.headers.filter(({ name }) => name !== "Content-Length");
  return { ...parsed.message, headers };
}
