// Texts and publications of phones, at a whole switchboard on a memory network.

import { beforeAll, expect, test } from "vitest";
import { freshDatabase } from "../../../../test/ground/database.ts";
import { secrets } from "../../../../test/ground/secrets.ts";
import { testClock } from "../../../../test/ground/test-clock.ts";
import { unexpected } from "../../../../test/ground/unexpected.ts";
import { memoryNetwork } from "../../../../test/sip/memory-network.ts";
import { pause, realClock } from "../../../clock.ts";
import { silentLog } from "../../../log.ts";
import { answerChallenge, bestChallenge } from "../../../sip/digest-answer.ts";
import { challengesOf } from "../../../sip/headers/auth.ts";
import { type Header, headerOf, type Request, type Response } from "../../../sip/message/message.ts";
import { openStack } from "../../../sip/stack.ts";
import { openRandom } from "../../../sip/transport/random.ts";
import type { Database } from "../../../store/db.ts";
import { createExchange } from "../../../store/exchanges.ts";
import { createExtension } from "../../../store/extensions.ts";
import { isRefusal } from "../../../store/refusal.ts";
import { sql } from "../../../store/sql.ts";
import { hash } from "../registrar/hashing.ts";
import { openSwitchboard } from "../switchboard.ts";

let db: Database;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  const exchange = await createExchange(db, secrets, { name: "a", sipDomain: "a.example" });
  if (isRefusal(exchange)) throw new Error(exchange.refused);
  for (const number of ["1000", "1001"])
    await createExtension(db, { exchangeId: exchange.id, number, password: `pw-${number}` });
});

const waiting = () => db.query(sql`select * from phone_texts`);

const named = (headers: Record<string, string>): Header[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

async function town() {
  await db.query(sql`delete from registrations`);
  await db.query(sql`delete from phone_texts`);
  const clock = testClock(Date.now());
  const network = memoryNetwork(clock);
  const open = () => {
    const transports = [network.attach({ address: "192.0.2.1" })];
    return openSwitchboard({ db, secrets, clock, log: silentLog, unexpected, transports });
  };
  let board = await open();
  return {
    pass,
    phone,
    until,
    async restarts() {
      const closing = board.close();
      await pass(200);
      await closing;
      board = await open();
    },
    async close() {
      const closing = board.close();
      await pass(200);
      await closing;
    },
  };

  /** The database answers in its own time. */
  async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    for (let tries = 0; !(await isSo()); tries++) {
      if (tries > 5_000) throw new Error("never");
      await moment();
    }
  }

  /** Little of the town's time, so that nothing runs out, and some of the machine's. */
  async function moment(): Promise<void> {
    await pause(realClock, 2);
    await pass(2);
  }

  async function pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 100) {
      clock.pass(Math.min(left, 100));
      for (let turn = 0; turn < 20; turn++) await new Promise((done) => setImmediate(done));
    }
  }

  function phone(number: string, place: number) {
    const address = `192.0.2.${place}`;
    const stack = openStack({ clock, unexpected, random: openRandom(), transports: [network.attach({ address })] });
    const texts: string[] = [];
    let says = 200;
    let cseq = 0;
    stack.onRequest((incoming) => {
      if (incoming.request.method === "MESSAGE") texts.push(`${says} ${incoming.request.body}`);
      incoming.reply(incoming.request.method === "MESSAGE" ? says : 200);
    });
    const asks = async (
      method: string,
      to: string,
      more: Record<string, string> = {},
      body = "",
    ): Promise<Response> => {
      const uri = `sip:${to}@a.example`;
      const build = (extra: Header[]): Request => ({
        is: "request",
        method,
        uri: method === "REGISTER" ? "sip:a.example" : uri,
        body,
        headers: [
          { name: "From", value: `<sip:${number}@a.example>;tag=${place}` },
          { name: "To", value: `<${uri}>` },
          { name: "Call-ID", value: `${method}-${number}-${place}` },
          { name: "CSeq", value: `${++cseq} ${method}` },
          ...named(more),
          ...extra,
        ],
      });
      const first = await send(build([]));
      if (first.status !== 401) return first;
      const challenge = bestChallenge(challengesOf(first))!;
      const account = { user: number, password: `pw-${number}` };
      const request = { method, uri: method === "REGISTER" ? "sip:a.example" : uri };
      const value = answerChallenge(hash, { challenge, account, request, fresh: { nc: 1, cnonce: "c" } })!;
      return send(build([{ name: "Authorization", value }]));
    };
    const send = async (request: Request): Promise<Response> => {
      let response: Response | undefined;
      stack.send(request, { transport: "udp", address: "192.0.2.1", port: 5060 }, (outcome) => {
        if ("response" in outcome) response = outcome.response;
      });
      await until(() => response !== undefined);
      return response!; // just waited for
    };
    return {
      texts,
      asks,
      registers: () => asks("REGISTER", number, { Contact: `<sip:${number}@${address}>` }),
      writes: (to: string, body: string, type = "text/plain") => asks("MESSAGE", to, { "Content-Type": type }, body),
      answersTexts(status: number) {
        says = status;
      },
    };
  }
}

test("a text reaches every phone of the extension, and is kept no longer", async () => {
  const { phone, until, close } = await town();
  const [ann, bob, more] = [phone("1000", 10), phone("1001", 11), phone("1001", 12)];
  for (const it of [ann, bob, more]) expect((await it.registers()).status).toBe(200);
  expect((await ann.writes("1001", "Merhaba \xc3\xa7ay?")).status).toBe(202);
  await until(async () => (await waiting()).length === 0 && more.texts.length > 0);
  expect([bob.texts, more.texts]).toEqual([["200 Merhaba \xc3\xa7ay?"], ["200 Merhaba \xc3\xa7ay?"]]);
  await close();
});

test("a text to whom nobody is there waits, over a restart too, and comes in order with the next registration", async () => {
  const { phone, until, restarts, close } = await town();
  const [ann, bob] = [phone("1000", 10), phone("1001", 11)];
  for (const text of ["one", "two"]) expect((await ann.writes("1001", text)).status).toBe(202);
  await restarts();
  bob.answersTexts(480);
  await bob.registers();
  await until(() => bob.texts.length > 0);
  expect(bob.texts).toEqual(["480 one"]);
  bob.answersTexts(200);
  await bob.registers();
  await until(async () => (await waiting()).length === 0);
  expect(bob.texts).toEqual(["480 one", "200 one", "200 two"]);
  await close();
});

test("what cannot be a text between extensions is refused, each with its own word", async () => {
  const { phone, close } = await town();
  const ann = phone("1000", 10);
  const tried = [
    await ann.writes("1001", "<x/>", "text/html"),
    await ann.writes("1001", "x".repeat(5_000)),
    await ann.writes("1001", " "),
    await ann.writes("1999", "hello"),
    await ann.writes("05321234567", "hello"),
  ];
  expect(tried.map(({ status }) => status)).toEqual([415, 413, 400, 404, 403]);
  expect(headerOf(tried[0]!, "Accept")).toBe("text/plain");
  await close();
});

test("no more than a hundred texts wait for one extension", async () => {
  const { phone, close } = await town();
  const ann = phone("1000", 10);
  await ann.writes("1001", "the first");
  await db.query(
    sql`insert into phone_texts (exchange_id, extension_id, from_number, from_name, body, sent_at)
     select exchange_id, extension_id, '1000', '', 'more', now() from phone_texts, generate_series(2, 100)`,
  );
  expect((await ann.writes("1001", "one too many")).status).toBe(480);
  await close();
});

const pidf = (basic: string, note: string) =>
  `<?xml version="1.0"?><presence xmlns="urn:ietf:params:xml:ns:pidf" entity="sip:1000@a.example"><tuple id="a">
<status><basic>${basic}</basic></status><note>${note}</note></tuple></presence>`;

test("a phone publishes what its owner does: made, renewed, changed, taken back, and forgotten in time", async () => {
  const { phone, pass, close } = await town();
  const ann = phone("1000", 10);
  const publish = (more: Record<string, string>, body = "") =>
    ann.asks("PUBLISH", "1000", { Event: "presence", "Content-Type": "application/pidf+xml", ...more }, body);
  const made = await publish({ Expires: "600" }, pidf("open", "Lunch"));
  const tag = headerOf(made, "SIP-ETag")!;
  expect([made.status, headerOf(made, "Expires")]).toEqual([200, "600"]);
  const renewed = await publish({ Expires: "600", "SIP-If-Match": tag });
  expect(renewed.status).toBe(200);
  expect((await publish({ "SIP-If-Match": tag })).status).toBe(412);
  const second = headerOf(renewed, "SIP-ETag")!;
  const changed = await publish({ Expires: "60", "SIP-If-Match": second }, pidf("closed", "Away"));
  expect(changed.status).toBe(200);
  await pass(66_000);
  expect((await publish({ "SIP-If-Match": headerOf(changed, "SIP-ETag")! })).status).toBe(412);
  expect((await publish({ Expires: "10" }, pidf("open", ""))).status).toBe(423);
  expect((await publish({ Event: "dialog" }, pidf("open", ""))).status).toBe(489);
  expect((await publish({}, "no document")).status).toBe(400);
  expect((await publish({ "Content-Type": "text/plain" }, "open")).status).toBe(415);
  expect((await ann.asks("PUBLISH", "1001", { Event: "presence" })).status).toBe(403);
  await close();
});

test("what was published is known after a restart, until it runs out", async () => {
  const { phone, pass, restarts, close } = await town();
  const ann = phone("1000", 10);
  const publish = (more: Record<string, string>, body = "") =>
    ann.asks("PUBLISH", "1000", { Event: "presence", "Content-Type": "application/pidf+xml", ...more }, body);
  const made = await publish({ Expires: "600" }, pidf("closed", "Tatilde"));
  await restarts();
  const renewed = await publish({ Expires: "60", "SIP-If-Match": headerOf(made, "SIP-ETag")! });
  expect(renewed.status).toBe(200);
  await restarts();
  await pass(66_000);
  await restarts();
  expect((await publish({ "SIP-If-Match": headerOf(renewed, "SIP-ETag")! })).status).toBe(412);
  await close();
});
