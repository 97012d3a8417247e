import { expect, test } from "vitest";
import { consoleTown, PASSWORD } from "../../../test/town/console-town.ts";
import { sql } from "../../store/sql.ts";
import { totpCode } from "../../store/totp.ts";
import { auditInWords } from "../../words/audit/words.ts";
import { consoleApi } from "./api.ts";

const { db, visitor, member } = await consoleTown();

const pass = (who: { id: number }, minutes: number) =>
  db.query(sql`update staff_sessions set proved_at = proved_at - make_interval(mins => $2) where staff_id = $1`, [
    who.id,
    minutes,
  ]);

test("keys, passwords and other ways in are handed out only soon after somebody has shown who he is", () => {
  const fresh = Object.entries(consoleApi).flatMap(([name, operation]) =>
    "fresh" in operation && operation.fresh ? [{ name, always: operation.fresh === true }] : [],
  );
  const named = (always: boolean) => fresh.flatMap((it) => (it.always === always ? [it.name] : [])).sort();
  // These by what they change: see below.
  expect(named(false)).toEqual(["extensions.openWebphone", "settings.update", "staff.update", "trunks.update"]);
  expect(named(true)).toEqual([
    "archive.update",
    "backups.download",
    "crm.secret",
    "extensions.create",
    "extensions.invitePhone",
    "extensions.newPassword",
    "keys.create",
    "sms.renewPassword",
    "sso.update",
    "staff.create",
    "staff.resetPassword",
    "staff.resetTotp",
    "trunks.create",
    "walls.link",
  ]);
});

test("whoever finds a desk open gets no key there, until its owner has shown again who he is", async () => {
  const boss = await member("administrator");
  await pass(boss, 14);
  expect((await boss.ask("keys.create", { label: "in time" })).key).toMatch(/^K/);
  await pass(boss, 2);
  const wanted = { label: "later" };
  expect(await boss.refused("keys.create", wanted)).toMatchObject({ status: 403, refused: "prove-yourself" });
  expect(await boss.ask("extensions.list", {})).toHaveLength(3);
  const prove = async (sent: object) => (await boss.post("/console/api/session.prove", sent)).json();
  expect(await prove({ password: "a guess" })).toEqual({ refused: "wrong-password" });
  expect(await boss.refused("keys.create", wanted)).toMatchObject({ refused: "prove-yourself" });
  // Another's password proves nothing of him, whatever name is sent with it.
  const other = await member("administrator");
  await db.query(sql`update staff set password_hash = '' where id = $1`, [boss.id]);
  expect(await prove({ email: other.email, password: PASSWORD })).toEqual({ refused: "wrong-password" });
  await db.query(sql`update staff set password_hash = (select password_hash from staff where id = $2) where id = $1`, [
    boss.id,
    other.id,
  ]);
  expect(await prove({ password: PASSWORD })).toEqual({});
  expect((await boss.ask("keys.create", wanted)).key).toMatch(/^K/);
  const [line] = (await boss.ask("signIns.list", {})).filter(({ did }) => did === "signed-in-again");
  expect(auditInWords(line!, "en")).toBe("showed again who it is with a password, from 127.0.0.1");
});

test("who has a second factor shows it as well, and who has no session shows nothing", async () => {
  const boss = await member("administrator");
  const { secret } = await boss.ask("totp.begin", {});
  const code = (later: number) => totpCode(secret, Math.floor(Date.now() / 30_000) + later);
  await boss.ask("totp.confirm", { secret, code: code(0), password: PASSWORD });
  await pass(boss, 16);
  const prove = async (sent: object, who = boss.post) => (await who("/console/api/session.prove", sent)).json();
  expect(await prove({ password: PASSWORD })).toEqual({ refused: "code-needed" });
  expect(await boss.refused("crm.secret", {})).toMatchObject({ refused: "prove-yourself" });
  expect(await prove({ password: PASSWORD, code: code(1) })).toEqual({});
  expect(await boss.ask("crm.secret", {})).toHaveProperty("secret");
  const sent = { email: boss.email, password: PASSWORD };
  expect(await prove(sent, visitor().post)).toEqual({ refused: "signed-out" });
});

test("at a desk that was left open nobody gets more rights, weaker doors or another's web phone", async () => {
  const boss = await member("administrator");
  const helper = await member("standard");
  await boss.ask("settings.update", { changes: { second_factor: "none", sip_digests: "sha-256" } });
  await boss.ask("trunks.create", { name: "carrier", host: "sip.example.com", changes: { username: "u" } });
  const { id: board } = await boss.ask("walls.create", { name: "Pano", changes: { tiles: ["waiting"] } });
  await pass(boss, 16);
  const more = [{ role: "administrator" as const }, { recordings: "yes" as const }, { queues: ["200"] }];
  for (const changes of [...more, { extension: "1001" }])
    expect(await boss.refused("staff.update", { id: helper.id, changes }), JSON.stringify(changes)).toMatchObject({
      refused: "prove-yourself",
    });
  const carrier = (changes: object) => boss.refused("trunks.update", { name: "carrier", changes });
  for (const changes of [{ password: "mine" }, { host: "192.0.2.66" }, { source_addresses: ["192.0.2.66"] }])
    expect(await carrier(changes), JSON.stringify(changes)).toMatchObject({ refused: "prove-yourself" });
  const others: Promise<{ refused: string }>[] = [
    boss.refused("trunks.create", { name: "mine", host: "192.0.2.66", changes: {} }),
    boss.refused("archive.update", { changes: {} }),
    boss.refused("walls.link", { id: board }),
    boss.refused("extensions.openWebphone", { number: "1001" }),
    boss.refused("settings.update", { changes: { sip_digests: "any" } }),
  ];
  for (const said of await Promise.all(others)) expect(said).toMatchObject({ refused: "prove-yourself" });
});

test("what takes no door away and opens none is done without a question, however long ago somebody came", async () => {
  const boss = await member("administrator");
  const helper = await member("standard");
  await db.query(
    sql`update staff set extension_id = (select id from extensions where exchange_id = staff.exchange_id
       and number = '1002') where id = $1`,
    [boss.id],
  );
  await boss.ask("trunks.create", { name: "other", host: "sip.example.org", changes: { username: "u" } });
  await pass(boss, 16);
  // A form sends all of its fields; those that stay as they are open nothing.
  const kept = {
    role: "standard" as const,
    queues: [],
    recordings: null,
    exports: null,
    extension: null,
    active: true,
  };
  await boss.ask("staff.update", { id: helper.id, changes: { ...kept, name: "Renamed" } });
  await boss.ask("staff.update", { id: helper.id, changes: { active: false } });
  expect(await boss.refused("staff.update", { id: helper.id, changes: { active: true } })).toMatchObject({
    refused: "prove-yourself",
  });
  const form = { host: "sip.example.org", source_addresses: [], password: "", priority: 3 };
  await boss.ask("trunks.update", { name: "other", changes: form });
  await boss.ask("extensions.openWebphone", { number: "1002" });
  await boss.ask("settings.update", { changes: { record_internal: true, sip_digests: "sha-256" } });
  const { second_factor } = await boss.ask("settings.show", {});
  await boss.ask("settings.update", { changes: { second_factor } });
});

test("a second factor that is required of fewer people is a weaker door", async () => {
  const boss = await member("administrator");
  await db.query(sql`update exchanges set second_factor = 'everybody'`);
  await db.query(sql`update staff set totp_secret = 'stands for one' where id = $1`, [boss.id]);
  await pass(boss, 16);
  const require = (second_factor: "none" | "administrators") =>
    boss.refused("settings.update", { changes: { second_factor } });
  expect(await require("administrators")).toMatchObject({ refused: "prove-yourself" });
  expect(await require("none")).toMatchObject({ refused: "prove-yourself" });
  await db.query(sql`update exchanges set second_factor = 'none'`);
  await boss.ask("settings.update", { changes: { second_factor: "everybody" } });
  await db.query(sql`update exchanges set second_factor = 'none'`);
});
