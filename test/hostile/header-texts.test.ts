// Texts of people that may become headers: of SIP, of letters, of answers. A line break in one would begin a header of
// the attacker's own, so none comes in by the console, and what came in by another door is harmless on the wire.

import { expect, test } from "vitest";
import type { WebLogins } from "../../src/exchange/signalling/registrar/web-logins.ts";
import { consoleApi } from "../../src/http/console/api.ts";
import { everyOperation } from "../../src/http/every-operation.ts";
import { openMailer } from "../../src/mail/mailer.ts";
import { openMailServer } from "../customer/mail-server.ts";
import { whenOver } from "../ground/when-over.ts";
import { httpTown } from "../town/http-town.ts";
import { ownCandidates } from "./candidates.ts";
import { call, consoleNeighbours, secrets } from "./console-neighbours.ts";
import { everyWayOfAsking, type Parameters } from "./from-schema.ts";
import { databaseWithoutWalls, neighboursIn } from "./neighbours.ts";
import { notingExchange } from "./noting-exchange.ts";

const breaks = ["\r\n", "\n", "\r", "\0", "\u2028", "\u2029", "\u0085", "\u000b", "\u001b", "\u007f", "\t"];
const hostile = breaks.map((it) => `Ayşe${it}X-Evil: 1`);
/** Of each sort one: every field of every operation is asked with them. */
const few = ["\r\n", "\0", "\u2028", "\u001b"].map((it) => `Ayşe${it}X-Evil: 1`);

/** Fields that people write in several lines, and files. None of them becomes a header. */
const ofSeveralLines =
  /^(?:text|note\d?|help|content|numbers|description|address|f1|phrase|greeting_text|monthly_sms_message|attestation_certificates)$/;

/** Names of the fields in which something hostile stands. */
function* hostileFields(value: unknown, name = ""): Generator<string> {
  if (typeof value === "string" && hostile.includes(value)) yield name;
  if (typeof value !== "object" || value === null) return;
  for (const [below, inside] of Object.entries(value))
    yield* hostileFields(inside, Array.isArray(value) ? name : below);
}

const { administrator, fingerprintOf } = await consoleNeighbours();
const staff = await administrator();

test.each(Object.entries(consoleApi))("%s takes no control characters in one line", async (name, operation) => {
  const { us, visitor } = staff;
  const own = ownCandidates(us, name);
  const before = await fingerprintOf(us.exchangeId);
  const taken: unknown[] = [];
  for (const parameters of everyWayOfAsking(operation.parameters, { "*": few }, () => ({ ...own(), ...secrets }))) {
    const fields = [...hostileFields(parameters)];
    if (fields.every((field) => ofSeveralLines.test(field))) continue;
    const { status, text } = await call(visitor, name, parameters);
    if (status !== 400 || !text.includes('"refused":"invalid"')) taken.push([fields, status, text.slice(0, 200)]);
  }
  expect(taken).toEqual([]);
  expect(await fingerprintOf(us.exchangeId)).toEqual(before);
});

const { exchange, faxes } = notingExchange();
const webLogins = { issue: () => ({ user: "web", password: "secret", seconds: 60 }) } as unknown as WebLogins;
const db = await databaseWithoutWalls();
const { server } = await httpTown({ exchange, faxes, webLogins, db });
const { ours } = await neighboursIn(db);

test.each(everyOperation.map((it) => ({ ...it, name: `${it.methods[0]} ${it.paths[0]}` })))(
  "$name answers without a header of the caller's",
  async ({ methods: [method = "GET"], paths: [path = ""], parameters: schema }) => {
    const us = await ours();
    const own = ownCandidates(us, method === "POST" ? "thing.create" : "thing.change");
    for (const parameters of everyWayOfAsking(schema, { "*": few }, own)) {
      if ([...hostileFields(parameters)].length === 0) continue;
      const response = await ask(method, path, parameters, { key: us.apiKey, token: us.webphoneToken });
      expect(response.headers.has("x-evil"), JSON.stringify(parameters)).toBe(false);
      expect(response.status, JSON.stringify(parameters)).not.toBe(500);
      await response.arrayBuffer();
    }
  },
);

test.each(hostile)("somebody called %j is not let in, and nothing breaks", async (email) => {
  const signIn = await staff.visitor.signIn({ email, password: email, code: email });
  expect([signIn.status, await signIn.json()]).toEqual([401, { refused: "wrong-password" }]);
});

async function ask(method: string, path: string, parameters: Parameters, query: Record<string, string>) {
  const rest = { ...parameters };
  const filled = path.replace(/:(\w+)|\*/g, (_, name: string | undefined) => {
    const value = String(name === undefined ? hostile[0] : rest[name]);
    if (name !== undefined) delete rest[name];
    return encodeURIComponent(value);
  });
  const hasBody = !["GET", "HEAD", "DELETE"].includes(method);
  const search = new URLSearchParams(query);
  for (const [name, value] of Object.entries(hasBody ? {} : rest))
    search.append(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  return fetch(`http://${server.address}${filled}?${search}`, {
    method,
    redirect: "manual",
    headers: { "content-type": "application/json" },
    ...(hasBody ? { body: JSON.stringify(rest) } : {}),
  });
}

test.each(hostile)(
  "a letter with %j in every place has no header of the attacker's, and no other reader",
  async (text) => {
    const mailServer = await openMailServer();
    whenOver(() => mailServer.close());
    const mailer = openMailer({ url: `smtp://127.0.0.1:${mailServer.port}`, from: "Santral <santral@example.com>" });
    const attachments = [{ name: `${text}.wav`, type: "audio/wav", content: Buffer.from("RIFF") }];
    const letter = { whose: 1, subject: text, text: "Merhaba", attachments, mark: "1" };
    expect(await mailer.send({ ...letter, to: "ayse@example.com" })).toBeUndefined();
    const to = text.replace("Ayşe", "ayse@example.com").replace("X-Evil: 1", "Bcc: <eve@example.com>");
    await mailer.send({ ...letter, to });
    expect(mailServer.letters.length).toBeGreaterThan(0);
    for (const taken of mailServer.letters) {
      const [head = ""] = taken.text.split("\r\n\r\n");
      expect(head).not.toMatch(/^x-evil/im);
      expect(head).not.toMatch(/^bcc/im);
      expect(taken.text).not.toMatch(/^x-evil/im);
    }
    expect(mailServer.letters[0]!.to).toEqual(["ayse@example.com"]);
  },
);
