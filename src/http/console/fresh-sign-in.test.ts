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
  const fresh = Object.entries(consoleApi).filter(([, operation]) => "fresh" in operation && operation.fresh);
  expect(fresh.map(([name]) => name).sort()).toEqual([
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
