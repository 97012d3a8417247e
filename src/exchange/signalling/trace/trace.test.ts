import { mkdtemp, rm, stat } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { freshDatabase } from "../../../../test/ground/database.ts";
import { testClock } from "../../../../test/ground/test-clock.ts";
import { realClock } from "../../../clock.ts";
import { silentLog } from "../../../log.ts";
import type { Sighting } from "../../../sip/stack-options.ts";
import type { Database } from "../../../store/db.ts";
import { forgetTraces, type TracedMessage, tracesOf } from "../../../store/sip-traces.ts";
import { sql } from "../../../store/sql.ts";
import { openControl, type Told } from "./control.ts";
import { drawLadder } from "./ladder.ts";
import { maskSecrets } from "./mask.ts";
import { openTrace } from "./trace.ts";

let db: Database;
beforeAll(async () => {
  ({ db } = await freshDatabase());
});

const up = { over: new Promise<void>(() => undefined) };
const CALL = "6c1f8a52-90ab-4c5f-8a3f-0d5a3c9c8f10";

function seen(
  direction: "in" | "out",
  firstLine: string,
  options: { callId?: string; port?: number; atMs?: number } = {},
): Sighting {
  const { callId = "abc@desk", port = 5062, atMs = Date.UTC(2026, 0, 5, 9) } = options;
  const method = firstLine.startsWith("SIP/") ? "INVITE" : firstLine.split(" ")[0];
  const text = `${firstLine}\r\nFrom: <sip:1000@a.example>;tag=1\r\nTo: <sip:1001@a.example>\r\nCall-ID: ${callId}\r\nCSeq: 1 ${method}\r\n\r\n`;
  const peer = { transport: "udp", address: "192.0.2.10", port, listener: "udp" } as const;
  return { direction, peer, atMs, text: () => text };
}

describe("secrets", () => {
  test("of logins, keys and passwords are masked, and the rest stays readable", () => {
    const masked = maskSecrets(
      [
        "INVITE sip:1001:geheim@a.example SIP/2.0",
        'Authorization: Digest username="1000", realm="a.example", nonce="abc.def", uri="sip:a", response="0123456789abcdef", cnonce="c", nc=00000001',
        'WWW-Authenticate: Digest realm="a.example", nonce="xyz", qop="auth"',
        "",
        "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz|2^20|1:4",
        "a=ice-pwd:YH75Fviy6338Vbrhrlp8Yh",
        "a=rtpmap:8 PCMA/8000",
      ].join("\r\n"),
    );
    for (const secret of ["geheim", "abc.def", "0123456789abcdef", "xyz", "WVNfX19z", "YH75Fviy"])
      expect(masked).not.toContain(secret);
    for (const kept of ['username="1000"', 'realm="a.example"', "nc=00000001", "AES_CM_128", "PCMA/8000", "|2^20"])
      expect(masked).toContain(kept);
  });

  test("and keys that were pressed, however INFO carries them", () => {
    const info = (body: string) => maskSecrets(`INFO sip:a@b.example SIP/2.0\r\nCSeq: 5 INFO\r\n\r\n${body}`);
    expect(info("Signal=5\r\nDuration=160\r\n")).toMatch(/Signal=\*\r\nDuration=160\r\n$/);
    expect(info("Signal= 5\r\n")).toMatch(/Signal= \*\r\n$/);
    expect(info("7")).toMatch(/\r\n\*$/);
    expect(info("7")).toContain("CSeq: 5 INFO");
  });

  test("are masked in linear time whatever the message looks like", () => {
    for (const hostile of [
      "sip:".repeat(16_000),
      `Authorization: ${'response="'.repeat(6_000)}`,
      "a=crypto:inline:".repeat(4_000),
    ]) {
      expect(fastestOf(5, () => maskSecrets(hostile))).toBeLessThan(500); // it takes one, and many seconds if it is not
    }
  });
});

/** In milliseconds: the machine may do something else in the meantime, but hardly every time. */
function fastestOf(times: number, act: () => void): number {
  const took = Array.from({ length: times }, () => {
    const began = performance.now();
    act();
    return performance.now() - began;
  });
  return Math.min(...took);
}

describe("a ladder", () => {
  test("is stored for a call that somebody vouched for, and for nobody else", async () => {
    const trace = openTrace({ db, clock: testClock(), log: silentLog });
    trace.observe(seen("in", "INVITE sip:1001@a.example SIP/2.0"));
    trace.observe(seen("out", "SIP/2.0 100 Trying"));
    trace.observe(seen("in", "INVITE sip:9@a.example SIP/2.0", { callId: "stranger" }));
    trace.observe(seen("in", "REGISTER sip:a.example SIP/2.0", { callId: "registration" }));
    trace.keep("abc@desk");
    await trace.flush();
    trace.join(CALL, "abc@desk", up);
    trace.observe(seen("out", "INVITE sip:1001@192.0.2.11 SIP/2.0", { callId: "leg-b", port: 5070 }));
    trace.join(CALL, "leg-b", up);
    trace.observe(seen("out", "SIP/2.0 200 OK"));
    await trace.close();
    expect((await tracesOf(db, CALL)).map(({ text }) => text.split("\r\n")[0])).toEqual([
      "INVITE sip:1001@a.example SIP/2.0",
      "SIP/2.0 100 Trying",
      "SIP/2.0 200 OK",
      "INVITE sip:1001@192.0.2.11 SIP/2.0",
    ]);
    expect(await tracesOf(db, "leg-b")).toHaveLength(4);
    expect(await tracesOf(db, "stranger")).toEqual([]);
    expect(await tracesOf(db, "registration")).toEqual([]);
  });

  test("is bounded: so many messages a call, so many calls a second", async () => {
    const clock = testClock();
    const trace = openTrace({ db, clock, log: silentLog });
    for (let call = 0; call < 1_000; call++)
      for (let message = 0; message < 3; message++)
        trace.observe(seen("out", "INVITE sip:1@a.example SIP/2.0", { callId: `flood-${call}` }));
    expect(trace.counts()).toMatchObject({ gathered: 200, passedOver: 2_400 });
    for (let message = 0; message < 500; message++)
      trace.observe(seen("in", "INFO sip:1@a SIP/2.0", { callId: "flood-0" }));
    await trace.flush();
    expect(await tracesOf(db, "flood-0")).toHaveLength(200);
    clock.pass(120_000);
    await trace.close();
    expect(trace.counts().gathered).toBe(0);
  });

  test("is whole to the last goodbye, however long nobody says a word, and is let go after it", async () => {
    const clock = testClock();
    const trace = openTrace({ db, clock, log: silentLog });
    const call = "0b8a3f0e-52c1-4d7e-9c39-5f2d1a7c4b11";
    let hangUp = (): void => undefined;
    trace.observe(seen("out", "INVITE sip:1001@a.example SIP/2.0", { callId: "long" }));
    trace.join(call, "long", { over: new Promise<void>((resolve) => (hangUp = resolve)) });
    for (let message = 0; message < 500; message++)
      trace.observe(seen("in", "INFO sip:1@a SIP/2.0", { callId: "long" }));
    clock.pass(7_200_000);
    await trace.flush();
    trace.observe(seen("in", "BYE sip:1@a SIP/2.0", { callId: "long", atMs: Date.UTC(2026, 0, 5, 11) }));
    hangUp();
    await trace.flush();
    const kept = await tracesOf(db, call);
    expect(kept).toHaveLength(201);
    expect(kept.at(-1)?.text).toMatch(/^BYE /);
    expect(trace.counts().gathered).toBe(1);
    clock.pass(61_000);
    await trace.close();
    expect(trace.counts().gathered).toBe(0);
  });

  test("goes on in the next process, also for who says goodbye before the call is back", async () => {
    const trace = openTrace({ db, clock: testClock(), log: silentLog });
    const calls = Array.from({ length: 10_000 }, (_, at) => `0b8a3f0e-52c1-4d7e-9c39-${String(at).padStart(12, "0")}`);
    trace.observe(seen("in", "BYE sip:1@a SIP/2.0", { callId: "kept-0" }));
    trace.observe(seen("in", "BYE sip:1@a SIP/2.0", { callId: "nobody" }));
    calls.forEach((call, at) => {
      trace.join(call, `kept-${at}`, { ...up, resumed: true });
    });
    trace.observe(seen("in", "BYE sip:1@a SIP/2.0", { callId: "kept-9999" }));
    expect(trace.counts()).toMatchObject({ gathered: 10_001, passedOver: 0 });
    await trace.close();
    expect(await tracesOf(db, calls[0]!)).toHaveLength(1);
    expect(await tracesOf(db, calls[9_999]!)).toHaveLength(1);
    expect(await tracesOf(db, "nobody")).toEqual([]);
  });

  test("is of the call that has the leg: whoever is put through is heard in the other one from then on", async () => {
    const trace = openTrace({ db, clock: testClock(), log: silentLog });
    const [first, second] = ["7d0a3f0e-52c1-4d7e-9c39-5f2d1a7c4b11", "7d0a3f0e-52c1-4d7e-9c39-5f2d1a7c4b12"];
    trace.observe(seen("out", "INVITE sip:1001@a.example SIP/2.0", { callId: "third" }));
    trace.join(first, "third", up);
    trace.join(second, "third", up);
    trace.observe(seen("in", "BYE sip:1@a SIP/2.0", { callId: "third" }));
    await trace.close();
    expect((await tracesOf(db, first)).map(({ text }) => text.slice(0, 3))).toEqual(["INV"]);
    expect((await tracesOf(db, second)).map(({ text }) => text.slice(0, 3))).toEqual(["BYE"]);
  });

  test("is forgotten a day after its call, beginning and all", async () => {
    const { db } = await freshDatabase();
    const written = (call: string, hours: number) =>
      db.query(
        sql`insert into sip_traces (sip_call_id, call_uuid, messages, octets, written_at)
         values ($1::text, $1::text::uuid, '[]', 0, now() - make_interval(hours => $2))`,
        [call, hours],
      );
    const [long, past] = ["7d0a3f0e-52c1-4d7e-9c39-5f2d1a7c4b11", "7d0a3f0e-52c1-4d7e-9c39-5f2d1a7c4b12"];
    for (const [call, hours] of [
      [long, 30],
      [long, 2],
      [past, 30],
    ] as const)
      await written(call, hours);
    await forgetTraces(db, { olderThanHours: 24, mostRows: 1_000 });
    expect(await db.query(sql`select call_uuid as call from sip_traces`)).toEqual([{ call: long }, { call: long }]);
  });

  test("costs nothing when it is switched off", () => {
    const trace = openTrace({ db, clock: testClock(), log: silentLog, keepLadders: false });
    let read = 0;
    trace.observe({ ...seen("in", "INVITE sip:1@a SIP/2.0"), text: () => `${read++}` });
    expect(read).toBe(0);
  });

  test("reads from left to right and from top to bottom", () => {
    const at = (seconds: number, direction: "in" | "out", port: number, text: string): TracedMessage => ({
      atMs: Date.UTC(2026, 0, 5, 9, 0, seconds),
      direction,
      peer: `udp 192.0.2.10:${port}`,
      text: `${text}\r\nCSeq: 1 INVITE\r\n\r\n${text.startsWith("INVITE") ? "v=0\r\n" : ""}`,
    });
    const messages = [
      at(0, "in", 1, "INVITE sip:1001@a.example SIP/2.0"),
      at(1, "out", 2, "INVITE sip:1001@192.0.2.10 SIP/2.0"),
      at(2, "in", 2, "SIP/2.0 180 Ringing"),
      at(3, "out", 1, "SIP/2.0 486 Busy Here"),
    ];
    expect(drawLadder(messages)).toMatchInlineSnapshot(`
      "2026-01-05 (UTC)
                          udp 192.0.2.10:1                  santral                   udp 192.0.2.10:2
      09:00:00.000                |---------INVITE sdp--------->|                             |
      09:00:01.000                |                             |---------INVITE sdp--------->|
      09:00:02.000                |                             |<----180 Ringing (INVITE)----|
      09:00:03.000                |<---486 Busy Here (INVITE)---|                             |"
    `);
    const there = drawLadder(messages, "Europe/Istanbul").split("\n");
    expect(there[0]).toBe("2026-01-05 (Europe/Istanbul)");
    expect(there.at(-1)).toMatch(/^12:00:03\.000 /);
    expect(drawLadder([])).toBe("");
  });
});

describe("watching", () => {
  test("shows what passes, filtered by call and extension, through a socket that only its owner can open", async () => {
    const folder = await mkdtemp(join(tmpdir(), "santral-control-"));
    const path = join(folder, "control.sock");
    const trace = openTrace({ db, clock: realClock, log: silentLog });
    const control = await openControl({ path, clock: realClock, trace, answers: { abuse: () => ({ boxed: [] }) } });
    expect((await stat(path)).mode & 0o777).toBe(0o600);

    expect(await asked(path, { ask: "abuse" }, 1)).toEqual([{ answer: { boxed: [] } }]);
    expect(await asked(path, { ask: "toString" }, 1)).toEqual([{ refused: "no such question" }]);

    const watching = asked(path, { watch: { extension: "1000", call: "abc@desk" } }, 1);
    await expect.poll(() => trace.counts().watching).toBe(1);
    trace.observe(seen("in", "INVITE sip:1001@a.example SIP/2.0", { callId: "another" }));
    trace.observe(seen("in", "INVITE sip:1001@a.example SIP/2.0"));
    expect(await watching).toMatchObject([{ message: { direction: "in", peer: "udp 192.0.2.10:5062" } }]);
    await expect.poll(() => trace.counts().watching).toBe(0);

    await control.close();
    await trace.close();
    await rm(folder, { recursive: true });
  });
});

/** Knocks, asks, and hangs up after so many lines. */
function asked(path: string, question: object, lines: number): Promise<Told[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => socket.write(`${JSON.stringify(question)}\n`));
    let text = "";
    socket.once("error", reject);
    socket.on("data", (part) => {
      text += part.toString();
      const told = text.split("\n").slice(0, -1);
      if (told.length < lines) return;
      socket.destroy();
      resolve(told.map((line) => JSON.parse(line) as Told));
    });
  });
}
