import { expect, test } from "vitest";
import { consoleTown, PASSWORD } from "../../../test/town/console-town.ts";
import { sql } from "../../store/sql.ts";
import { setStaffPassword } from "../../store/staff.ts";
import { hashPassword } from "../../store/staff-password.ts";
import { auditInWords } from "../../words/audit/words.ts";
import { consoleApi } from "./api.ts";

const { db, ours, theirs, visitor, member } = await consoleTown();

test("who has no session is told so, and so is a page of another site", async () => {
  const stranger = visitor();
  expect(await stranger.refused("extensions.list", {})).toMatchObject({ status: 401, refused: "signed-out" });
  const boss = await member("administrator");
  expect(await boss.ask("extensions.list", {})).toHaveLength(3);
  const withoutHeader = await boss.post("/console/api/extensions.list", {}, { "x-santral-console": "0" });
  const elsewhere = await boss.post("/console/api/extensions.list", {}, { origin: "https://evil.example" });
  expect([withoutHeader.status, elsewhere.status]).toEqual([401, 401]);
});

test("a long answer is packed for whoever takes it so, and a short one is not", async () => {
  const boss = await member("administrator");
  const packing = async (name: string, accepted: string) =>
    (await boss.post(`/console/api/${name}`, {}, { "accept-encoding": accepted })).headers.get("content-encoding");
  expect(await packing("session.show", "gzip, deflate")).toBe("gzip");
  expect(await packing("session.show", "identity")).toBe(null);
  expect(await packing("rules.list", "gzip")).toBe(null);
});

test("the session's cookie is out of reach for scripts and other sites", async () => {
  const boss = await member("administrator");
  const response = await boss.signIn({ email: boss.email, password: PASSWORD });
  const cookie = response.headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/^santral_session=[\w-]{43}; Path=\/console; HttpOnly; SameSite=Strict; Expires=/);
  const [row] = await db.query<{ found: boolean }>(
    sql`select exists (select from staff_sessions where encode(token_hash, 'escape') like '%' || $1 || '%') as found`,
    [cookie.slice(16, 59)],
  );
  expect(row?.found).toBe(false);
});

test("signing out and ending a session elsewhere both work at once", async () => {
  const boss = await member("administrator");
  const other = visitor();
  await other.signIn({ email: boss.email, password: PASSWORD });
  const sessions = await boss.ask("session.list", {});
  expect(sessions).toHaveLength(2);
  await boss.ask("session.end", { id: sessions.find(({ isThis }) => !isThis)!.id });
  expect(await other.refused("session.show", {})).toMatchObject({ refused: "signed-out" });
  await boss.signOut();
  expect(await boss.refused("session.show", {})).toMatchObject({ refused: "signed-out" });
});

test("five wrong passwords lock an account, for the right one too, until somebody opens it", async () => {
  const boss = await member("administrator");
  const guesser = visitor();
  const guess = async (password: string) => (await guesser.signIn({ email: boss.email, password })).json();
  for (let guesses = 1; guesses < 5; guesses++) expect(await guess("wrong")).toEqual({ refused: "wrong-password" });
  expect(await guess("wrong")).toEqual({ refused: "wrong-password" });
  expect(await guess(PASSWORD)).toEqual({ refused: "wrong-password" });
  await setStaffPassword(db, { exchangeId: ours.id, email: boss.email, password: await hashPassword(PASSWORD) });
  expect(await guess(PASSWORD)).toEqual({});
});

test("a password that must be changed opens nothing but its own change", async () => {
  const boss = await member("administrator");
  const made = await boss.ask("staff.create", {
    name: "Yeni",
    email: "yeni@example.com",
    role: "standard",
    extension: null,
  });
  const newcomer = visitor();
  await newcomer.signIn(made);
  expect(await newcomer.ask("session.show", {})).toMatchObject({ mustChangePassword: true });
  expect(await newcomer.refused("extensions.list", {})).toMatchObject({ status: 403, refused: "password-must-change" });
  const change = (newPassword: string) => ({ oldPassword: made.password, newPassword });
  expect(await newcomer.refused("session.changePassword", change("short"))).toMatchObject({ refused: "weak-password" });
  expect(await newcomer.refused("session.changePassword", change(made.password))).toMatchObject({
    refused: "same-password",
  });
  expect(await newcomer.refused("session.changePassword", change("Galatasaray1905!"))).toMatchObject({
    refused: "common-password",
    why: "common",
  });
  expect(await newcomer.refused("session.changePassword", change("yeni@example"))).toMatchObject({ why: "personal" });
  await newcomer.ask("session.changePassword", change("a better password"));
  await newcomer.signIn({ email: made.email, password: "a better password" });
  expect(await newcomer.ask("extensions.list", {})).toHaveLength(3);
});

test("roles: everybody reads, the standard ones work, administrators set up", async () => {
  const [boss, worker, reader] = [await member("administrator"), await member("standard"), await member("read-only")];
  const wanted = { number: "1050", changes: { name: "Yeni" } };
  expect(await reader.refused("extensions.create", wanted)).toMatchObject({ status: 403, needs: "set-up" });
  expect(await worker.refused("extensions.create", wanted)).toMatchObject({ refused: "not-your-role" });
  const made = await boss.ask("extensions.create", wanted);
  expect(made.password).toHaveLength(24);
  expect(await reader.refused("blocked.add", { number: "05321234567", direction: "inbound" })).toMatchObject({
    refused: "not-your-role",
  });
  await worker.ask("blocked.add", { number: "05321234567", direction: "inbound" });
  expect((await reader.ask("blocked.list", { page: 1, limit: 10 })).rows).toMatchObject([{ number: "905321234567" }]);
});

test("every operation that changes something has words for the audit trail, and secrets stay out of it", async () => {
  const reading = /\.(list|show|overview|count|campaigns|campaign|inbox|blacklist|consentCampaigns|consentsOf|report)$/;
  const others = [
    "totp.begin",
    "agents.breaks",
    "alarms.now",
    "extensions.phoneDoors",
    "contacts.preview",
    "contactSources.faults",
    "contactSources.try",
    "search.everywhere",
    "calls.message",
    "imports.preview",
    "imports.faults",
    "desk.card",
    "desk.figures",
    "desk.missed",
    "faxes.colleagues",
    "faxes.outbox",
    "faxes.order",
    "reportPlans.mails",
    "spending.breakdown",
    "spending.legs",
  ];
  for (const name of Object.keys(consoleApi)) {
    const onlyReads = reading.test(name) || name.startsWith("reports.") || others.includes(name);
    const { reads = false } = consoleApi[name as keyof typeof consoleApi] as { reads?: true };
    const hasWords = auditInWords({ did: name, details: {} }, "en") !== name;
    expect([hasWords, reads], name).toEqual([!onlyReads, onlyReads]);
  }
  const boss = await member("administrator");
  await boss.ask("extensions.update", { number: "1001", changes: { name: "Değişti" } });
  await boss.ask("trunks.create", { name: "taşıyıcı", host: "sip.example.com", changes: { password: "hush" } });
  const { rows } = await boss.ask("audit.list", { page: 1, limit: 10, about: boss.email });
  expect(rows).toMatchObject([
    { who: boss.email, did: "trunks.create", details: { changes: { password: "(hidden)" } } },
    { who: boss.email, did: "extensions.update", details: { number: "1001", changes: { name: "Değişti" } } },
  ]);
});

test("what is not in the schema, points nowhere or is taken is refused with a word the browser knows", async () => {
  const boss = await member("administrator");
  const bad = { number: "1001", changes: { max_calls: 1_000 } };
  expect(await boss.refused("extensions.update", bad)).toMatchObject({
    refused: "invalid",
    field: "changes/max_calls",
  });
  const nowhere = { number: "1001", changes: { forward_busy: "queue/999" } };
  expect(await boss.refused("extensions.update", nowhere)).toMatchObject({
    refused: "bad-target",
    why: { problem: "not-there", noun: "queue", which: "999" },
  });
  expect(await boss.refused("extensions.create", { number: "1000", changes: {} })).toMatchObject({
    status: 409,
    refused: "number-taken",
  });
  expect(await boss.refused("queues.delete", { number: "999" })).toMatchObject({ status: 404, refused: "not-found" });
  const strayBits = { name: "x", host: "sip.example.com", changes: { source_addresses: ["192.0.2.10/24"] } };
  expect(await boss.refused("trunks.create", strayBits)).toMatchObject({ refused: "invalid" });
  const notJson = await boss.post("/console/api/extensions.list", undefined);
  expect(notJson.status).toBe(200); // nothing sent is an empty object
});

test("nobody sees or changes what belongs to another exchange", async () => {
  const stranger = await member("administrator", theirs.id);
  const boss = await member("administrator");
  const { key } = await boss.ask("keys.create", { label: "ours" });
  expect(key).toMatch(/^K/);
  expect((await stranger.ask("keys.list", {})).every(({ label }) => label !== "ours")).toBe(true);
  const ourKeys = await boss.ask("keys.list", {});
  expect(await stranger.refused("keys.revoke", { id: ourKeys.at(-1)!.id })).toMatchObject({ refused: "not-found" });
  expect(await stranger.refused("staff.resetPassword", { id: boss.id })).toMatchObject({ refused: "not-found" });
  expect(await stranger.refused("staff.delete", { id: boss.id })).toMatchObject({ refused: "not-found" });
});

test("the last administrator cannot be dismissed, and nobody dismisses himself", async () => {
  const first = await member("administrator", theirs.id);
  const others = (await first.ask("staff.list", {})).filter(({ id }) => id !== first.id);
  for (const { id } of others) await first.ask("staff.delete", { id });
  expect(await first.refused("staff.delete", { id: first.id })).toMatchObject({ refused: "yourself" });
  const second = await member("administrator", theirs.id);
  await first.ask("staff.update", { id: second.id, changes: { role: "read-only" } });
  expect(await second.refused("staff.list", {})).toMatchObject({ refused: "not-your-role" });
});
