// The torture messages of RFC 4475 and RFC 5118, each handled as its RFC says, with a table of the verdicts.

import { createHash, createHmac } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openDigest } from "../../src/sip/digest.ts";
import { parseAuth } from "../../src/sip/headers/auth.ts";
import { goesFurther } from "../../src/sip/headers/via.ts";
import { isMalformed } from "../../src/sip/message/malformed.ts";
import {
  type Header,
  headerOf,
  headersOf,
  type Message,
  type Request,
  type Response,
} from "../../src/sip/message/message.ts";
import { printMessage } from "../../src/sip/message/print.ts";
import { parseMessage } from "../../src/sip/reading/parse.ts";
import { openFraming } from "../../src/sip/reading/stream.ts";
import { refusalOf, type Supported } from "../../src/sip/reading/validate.ts";
import { responseTo } from "../../src/sip/respond.ts";
import { rfc4475 } from "./sip-torture-4475.ts";
import { rfc5118 } from "./sip-torture-5118.ts";

const supported: Supported = {
  methods: ["INVITE", "ACK", "BYE", "CANCEL", "OPTIONS", "REGISTER", "MESSAGE", "SUBSCRIBE", "NOTIFY", "REFER", "INFO"],
  options: ["100rel", "timer", "replaces"],
  contentTypes: ["application/sdp", "multipart/mixed", "text/plain", "application/octet-stream"],
};

const guard = openDigest({
  hash: (algorithm, octets) => createHash(algorithm.replace("-", "")).update(octets, "latin1").digest("hex"),
  hmac: (octets) => createHmac("sha256", "key").update(octets).digest("hex"),
  now: () => 0,
});

/** What a server that does everything the message asks, and nothing more, would do. */
function verdictOn(octets: string): Verdict {
  const parsed = parseMessage(octets);
  if ("malformed" in parsed) return parsed.request ? answer(parsed.request, parsed) : { verdict: "dropped" };
  const { message } = parsed;
  if (message.is === "response") return { verdict: goesFurther(message) ? "dropped" : "understood" };
  const refusal = refusalOf(message, supported);
  if (refusal) return answer(message, refusal);
  return hasWrongCredentials(message) ? answer(message, { status: 401 }) : { verdict: "understood" };
}

type Verdict = { verdict: string; answer?: Response };

/** The status, once the refusal itself was printed and could be read by the other side. */
function answer(request: Request, { status, headers = [] }: { status: number; headers?: Header[] }): Verdict {
  const response = responseTo(request, status, { toTag: "torture", headers });
  const printed = printMessage(response);
  expect(printed.startsWith(`SIP/2.0 ${status} `)).toBe(true);
  expect(printed).toContain("\r\nVia: ");
  return { verdict: String(status), answer: response };
}

function hasWrongCredentials(message: Message): boolean {
  return headersOf(message, "Authorization")
    .map(parseAuth)
    .some((credentials) => {
      if (isMalformed(credentials)) return true;
      const attempt = { source: "192.0.2.1", realm: "example.com", method: "REGISTER", credentials, ha1: undefined };
      return guard.verify(attempt).verdict !== "right";
    });
}

const octetsOf = (suite: string, name: string) => readFileSync(`test/fixtures/${suite}/${name}.dat`, "latin1");

for (const [suite, cases] of [["rfc4475", rfc4475] as const, ["rfc5118", rfc5118] as const]) {
  test(`every message of ${suite} gets the verdict its RFC names`, () => {
    const files = readdirSync(`test/fixtures/${suite}`).map((file) => file.replace(".dat", ""));
    expect(Object.keys(cases).sort()).toEqual(files.sort());
    const rows = Object.entries(cases).map(([name, { verdict, why }]) => {
      const got = verdictOn(octetsOf(suite, name)).verdict;
      return { name, verdict, got, why };
    });
    const lines = rows.map(
      ({ name, verdict, got, why }) =>
        `${name.padEnd(30)} ${verdict.padEnd(10)} ${got.padEnd(10)} ${verdict === got ? why : "WRONG"}`,
    );
    const head = `${suite.padEnd(30)} ${"expected".padEnd(10)} got`;
    process.stdout.write(`\n${[head, ...lines].join("\n")}\n`);
    expect(rows.filter(({ verdict, got }) => verdict !== got)).toEqual([]);
  });

  for (const [name, { answered }] of Object.entries(cases)) {
    if (!answered) continue;
    test(`the refusal of ${name} of ${suite} says what would do`, () => {
      const answer = verdictOn(octetsOf(suite, name)).answer!;
      for (const [header, value] of Object.entries(answered)) expect(headerOf(answer, header)).toBe(value);
    });
  }

  for (const [name, { understood }] of Object.entries(cases)) {
    if (!understood) continue;
    test(`${name} of ${suite} is understood field by field`, () => {
      const parsed = parseMessage(octetsOf(suite, name));
      if ("malformed" in parsed) throw new Error(parsed.malformed);
      understood(parsed.message);
    });
  }
}

test("a length that is none ends a stream with an answer, and one that is too long is waited for", () => {
  for (const name of ["ncl", "mcl01"]) {
    const framed = openFraming().push(octetsOf("rfc4475", name));
    expect(framed).toMatchObject([{ status: 400 }, { broken: expect.anything() }]);
  }
  expect(openFraming().push(octetsOf("rfc4475", "clerr"))).toEqual([]);
});
