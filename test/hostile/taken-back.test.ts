// A neighbour on the same server, whose trunk names where others are, takes back calls in their names.

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { hash } from "../../src/exchange/signalling/registrar/hashing.ts";
import { openSwitchboard, type Switchboard } from "../../src/exchange/signalling/switchboard.ts";
import { silentLog } from "../../src/log.ts";
import { answerChallenge, bestChallenge } from "../../src/sip/digest-answer.ts";
import { challengesOf } from "../../src/sip/headers/auth.ts";
import { isMalformed } from "../../src/sip/message/malformed.ts";
import { parseMessage } from "../../src/sip/reading/parse.ts";
import { createExchange } from "../../src/store/exchanges.ts";
import { createExtension } from "../../src/store/extensions.ts";
import { createExternalNumber } from "../../src/store/external-numbers.ts";
import { approveTrunk } from "../../src/store/trunk-approvals.ts";
import { createTrunk } from "../../src/store/trunks.ts";
import { freshDatabase } from "../ground/database.ts";
import { secrets } from "../ground/secrets.ts";
import { testClock } from "../ground/test-clock.ts";
import { unexpected } from "../ground/unexpected.ts";
import { memoryNetwork } from "../sip/memory-network.ts";

const US = "198.51.100.1";
const HOME = "192.0.2.10";
const CARRIER = ["198.51.100.50", "198.51.100.51"];
const MALLORY = "203.0.113.9";
const DOMAIN = "pbx.example.com";
const NUMBER = "908505320000";

const clock = testClock();
const network = memoryNetwork(clock);
let board: Switchboard;
let cancelled: string[] = [];

beforeAll(async () => {
  const { db } = await freshDatabase();
  const add = async (sipDomain: string) =>
    ((await createExchange(db, secrets, { name: sipDomain, sipDomain })) as { id: number }).id;
  const [victim, attacker] = [await add(DOMAIN), await add("attacker.example")];
  await createExtension(db, { exchangeId: victim, number: "1000", password: "pw-1000" });
  await createExternalNumber(db, { exchangeId: victim, number: NUMBER, target: "hangup/busy" });
  const trunk = async (exchangeId: number, name: string, networks: string[]) => {
    const changes = { source_addresses: networks, health_check: false };
    await createTrunk(db, secrets, { exchangeId, name, host: "192.0.2.200", changes });
    await approveTrunk(db, { exchangeId, name, by: "operator" });
  };
  await trunk(victim, "carrier", CARRIER);
  await trunk(attacker, "both", [`${HOME}/32`, `${CARRIER[0]}/32`, `${MALLORY}/32`]);
  await trunk(attacker, "world", ["0.0.0.0/0"]);
  board = await openSwitchboard({
    ...{ db, secrets, clock, log: silentLog, unexpected },
    transports: [network.attach({ address: US })],
  });
  board.receive("INVITE", (incoming) => {
    if (board.isPhone(incoming) && !("extension" in board.authenticate(incoming))) return;
    incoming.reply(180);
    incoming.onCancel(() => {
      cancelled.push(incoming.source.address);
      incoming.reply(487);
    });
  });
});

afterAll(() => board.close());

beforeEach(() => {
  cancelled = [];
});

function says(from: string, method: string, { user, branch, proof = "" }: Caller & { proof?: string }): void {
  const number = proof === "" ? 1 : 2;
  const lines = [
    `${method} sip:${NUMBER}@${US} SIP/2.0`,
    `Via: SIP/2.0/UDP ${HOME}:5060;rport;branch=z9hG4bK${branch}${number}`,
    "Max-Forwards: 70",
    `From: <sip:${user}>;tag=${branch}`,
    `To: <sip:${NUMBER}@${DOMAIN}>`,
    `Call-ID: ${branch}`,
    `CSeq: ${number} ${method}`,
    `Contact: <sip:x@${from}:5060>`,
    ...(proof === "" ? [] : [`Authorization: ${proof}`]),
    "Content-Length: 0",
  ];
  network.forge(`${lines.join("\r\n")}\r\n\r\n`, from, US);
  clock.pass(100);
}

type Caller = { user: string; branch: string };

/** As a phone proves itself. */
function proofHeard(): string {
  const heard = network.carried().findLast(({ octets }) => octets.startsWith("SIP/2.0 401"));
  const parsed = parseMessage(heard?.octets ?? "");
  if (isMalformed(parsed)) throw new Error("nobody asked for a password");
  return answerChallenge(hash, {
    challenge: bestChallenge(challengesOf(parsed.message))!,
    account: { user: "1000", password: "pw-1000" },
    request: { method: "INVITE", uri: `sip:${NUMBER}@${US}` },
    fresh: { nc: 1, cnonce: "c" },
  })!;
}

test("a phone's call is its own, whatever networks a neighbour's trunk has around both", () => {
  const caller = { user: `1000@${DOMAIN}`, branch: "phone" };
  says(HOME, "INVITE", caller);
  const proved = { ...caller, proof: proofHeard() };
  says(HOME, "INVITE", proved);
  says(MALLORY, "CANCEL", proved);
  expect(cancelled).toEqual([]);
  says(HOME, "CANCEL", proved);
  expect(cancelled).toEqual([HOME]);
});

test("a call of one exchange's trunk is taken back from that trunk's addresses, and from no neighbour's", () => {
  const [from = "", other = ""] = CARRIER;
  const caller = { user: "05321234567@carrier.example", branch: "carrier" };
  says(from, "INVITE", caller);
  says(MALLORY, "CANCEL", caller);
  expect(cancelled).toEqual([]);
  says(other, "CANCEL", caller);
  expect(cancelled).toEqual([from]);
});
