import { expect, test } from "vitest";
import { secrets } from "../../../test/ground/secrets.ts";
import { whenOver } from "../../../test/ground/when-over.ts";
import { openPushService, vouchedBy } from "../../../test/phones/push-service.ts";
import { consoleTown } from "../../../test/town/console-town.ts";
import { realClock } from "../../clock.ts";
import { silentLog } from "../../log.ts";
import type { CallNote } from "../../push/note.ts";
import { openPushing } from "../../push/pushing.ts";
import { listAuditLines } from "../../store/audit.ts";
import { sql } from "../../store/sql.ts";
import { openRequester } from "../../webhooks/requester.ts";

const { db, ours, theirs, member } = await consoleTown();
const service = await openPushService();

function pushingWith({ privateAllowed = true } = {}) {
  const requester = openRequester({ clock: realClock, privateAllowed, certificateAuthority: service.certificate });
  const contact = "https://santral.example.com";
  const pushing = openPushing({ db, secrets, clock: realClock, log: silentLog, requester, contact });
  whenOver(async () => {
    await pushing.close();
    requester.close();
  });
  return pushing;
}

const pushing = pushingWith();

/** Somebody of that extension, signed in. */
async function agentOf(extension: string, exchangeId = ours.id) {
  const someone = await member("agent", exchangeId);
  await db.query(
    sql`update staff set extension_id = (select id from extensions where exchange_id = $1 and number = $2) where id = $3`,
    [exchangeId, extension, someone.id],
  );
  return someone;
}

const CALL = "0b7c1d6e-0000-4000-8000-000000000001";
const note: CallNote = { is: "ringing", call: CALL, number: "05321234567", name: "Ayşe Yılmaz" };
const tell = (extension: string, told = note, exchangeId = ours.id) => pushing.tell({ exchangeId, extension }, told);

test("a browser that was offered is told of a call, readable to nobody on the way, and by whom", async () => {
  const ann = await agentOf("1000");
  const browser = service.browser();
  const { key, told } = await ann.ask("push.show", {});
  expect(told).toBeNull();
  await ann.ask("push.subscribe", { ...browser.address, language: "tr" });
  expect((await ann.ask("push.show", {})).told).toMatchObject({ language: "tr" });
  expect(await tell("1000")).toBe(1);
  expect(await tell("1000", { ...note, is: "missed" })).toBe(1);
  expect(await tell("1001")).toBe(0);
  expect(await tell("1000", note, theirs.id)).toBe(0);
  expect(browser.pushed.map(({ text }) => JSON.parse(text) as unknown)).toEqual([
    { ...note, language: "tr" },
    { ...note, is: "missed", language: "tr" },
  ]);
  const [{ headers, message }] = browser.pushed as [(typeof browser.pushed)[0]];
  expect(headers).toMatchObject({ ttl: "30", urgency: "high", topic: CALL.replaceAll("-", "") });
  expect(message.toString("latin1")).not.toContain("0532");
  const { origin } = new URL(browser.address.endpoint);
  expect(vouchedBy(String(headers.authorization))).toMatchObject({ key, isTrue: true, claims: { aud: origin } });
  const lines = JSON.stringify(await listAuditLines(db, ours.id));
  expect(lines).toContain("push.subscribe");
  for (const secret of Object.values(browser.address)) expect(lines).not.toContain(secret);
});

test("it ends with its session, with the account, by its owner's wish, and when the service knows it no more", async () => {
  const enders = {
    "signs out": (it: Awaited<ReturnType<typeof agentOf>>) => it.signOut(),
    "takes it back": (it) => it.ask("push.forget", {}),
    "has left": (it) => db.query(sql`update staff set active = false where id = $1`, [it.id]),
    "is deleted": (it) => db.query(sql`delete from staff where id = $1`, [it.id]),
    "is idle": (it) =>
      db.query(sql`update staff_sessions set last_seen_at = now() - interval '13 hours' where staff_id = $1`, [it.id]),
  } satisfies Record<string, (it: Awaited<ReturnType<typeof agentOf>>) => Promise<unknown>>;
  for (const [how, end] of Object.entries(enders)) {
    const bob = await agentOf("1001");
    const browser = service.browser();
    await bob.ask("push.subscribe", { ...browser.address, language: "en" });
    expect(await tell("1001"), how).toBe(1);
    await end(bob);
    expect(await tell("1001"), how).toBe(0);
  }
  const bob = await agentOf("1001");
  const browser = service.browser();
  await bob.ask("push.subscribe", { ...browser.address, language: "en" });
  browser.answers(503);
  expect(await tell("1001")).toBe(0);
  expect((await bob.ask("push.show", {})).told).not.toBeNull();
  browser.answers(410);
  expect(await tell("1001")).toBe(0);
  expect((await bob.ask("push.show", {})).told).toBeNull();
});

test("one browser is one: whoever signs in there next has it, and each session has its newest alone", async () => {
  const browser = service.browser();
  const [former, next] = [await agentOf("1000"), await agentOf("1001")];
  await former.ask("push.subscribe", { ...browser.address, language: "tr" });
  await next.ask("push.subscribe", { ...browser.address, language: "tr" });
  expect((await former.ask("push.show", {})).told).toBeNull();
  const newer = service.browser();
  await next.ask("push.subscribe", { ...newer.address, language: "tr" });
  await tell("1001");
  expect([browser.pushed.length, newer.pushed.length]).toEqual([0, 1]);
  await next.ask("push.forget", {});
});

test("what is no browser's address is refused, and a private one is never called", async () => {
  const ann = await agentOf("1001");
  const { address, pushed } = service.browser();
  const subscribe = (changed: object) =>
    ann.refused("push.subscribe", { ...address, language: "tr", ...changed } as typeof address & { language: "tr" });
  for (const changed of [
    ...[
      "http://push.example/x",
      "ftp://push.example",
      "//push.example",
      "",
      "https://",
      `https://x/${"a".repeat(1_000)}`,
    ].map((endpoint) => ({ endpoint })),
    ...["", "x".repeat(87), address.auth, "A".repeat(87), "!!".repeat(40)].map((p256dh) => ({ p256dh })),
    ...["", address.p256dh.slice(0, 40), "abc"].map((auth) => ({ auth })),
    ...[{ language: "xx" }, { sessionId: 1 }, { endpoint: ["https://push.example"] }],
  ])
    expect(await subscribe(changed), JSON.stringify(changed)).toMatchObject({ status: 400 });
  await ann.ask("push.subscribe", { ...address, language: "tr" });
  const strict = pushingWith({ privateAllowed: false });
  expect(await strict.tell({ exchangeId: ours.id, extension: "1001" }, note)).toBe(0);
  expect(pushed).toEqual([]);
  // A crowd of calls at once is told as far as there is room; nothing breaks.
  const told = await Promise.all(Array.from({ length: 200 }, () => tell("1001")));
  expect(told.filter((it) => it === 1)).toHaveLength(50);
});
