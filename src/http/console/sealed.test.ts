import { expect, test } from "vitest";
import { tablesWith } from "../../../test/ground/readable.ts";
import { consoleTown, PASSWORD } from "../../../test/town/console-town.ts";
import { sql } from "../../store/sql.ts";
import { totpCode } from "../../store/totp.ts";

const { db, ours, theirs, visitor, member } = await consoleTown();

const HALF_MINUTE = 30_000;

test("whatever secret is set in the console, no column of the database holds it, the audit trail included", async () => {
  const boss = await member("administrator");
  await boss.ask("trunks.create", { name: "t", host: "h.example", changes: { username: "u", password: "created-71" } });
  await boss.ask("trunks.update", { name: "t", changes: { password: "updated-72" } });
  await boss.ask("mailboxes.update", { number: "1000", changes: { pin: "603917248" } });
  const { secret } = await boss.ask("totp.begin", {});
  const period = Math.floor(Date.now() / HALF_MINUTE);
  await boss.ask("totp.confirm", { secret, code: totpCode(secret, period), password: PASSWORD });
  const signing = await boss.ask("crm.secret", {});
  expect(signing.secret).toMatch(/^[0-9a-f]{64}$/);
  for (const plain of ["created-71", "updated-72", "603917248", secret, signing.secret])
    expect(await tablesWith(db, plain), plain).toEqual([]);
  const shown = JSON.stringify([
    await boss.ask("trunks.list", {}),
    await boss.ask("extensions.list", {}),
    await boss.ask("staff.list", {}),
  ]);
  expect(shown).toContain('"has_password":true');
  expect(shown).not.toContain("sealed:");
});

test("a PIN is still 4 to 12 digits, though the database cannot look at it any more", async () => {
  const boss = await member("administrator");
  for (const pin of ["123", "1234567890123", "12a4", ""])
    expect(await boss.refused("mailboxes.update", { number: "1000", changes: { pin } })).toMatchObject({
      refused: "invalid",
    });
});

test("a secret that does not open is said in words, and nothing else stands still", async () => {
  const boss = await member("administrator");
  const { secret } = await boss.ask("totp.begin", {});
  const period = Math.floor(Date.now() / HALF_MINUTE);
  await boss.ask("totp.confirm", { secret, code: totpCode(secret, period), password: PASSWORD });
  await db.query(
    sql`update exchanges set crm_secret = (select crm_secret from exchanges where id = $2) where id = $1`,
    [ours.id, theirs.id],
  );
  await db.query(sql`update staff set totp_secret = overlay(totp_secret placing 'AAAA' from 30) where id = $1`, [
    boss.id,
  ]);
  expect(await boss.refused("crm.secret", {})).toEqual({ status: 503, refused: "secret-unreadable" });
  const trySignIn = { email: boss.email, password: PASSWORD, code: totpCode(secret, period + 1) };
  expect(await (await visitor().signIn(trySignIn)).json()).toEqual({ refused: "secret-unreadable" });
  expect(await boss.ask("extensions.list", {})).toHaveLength(3);
  // An administrator takes the second factor away, and in they come.
  const other = await member("administrator");
  await other.ask("staff.resetTotp", { id: boss.id });
  expect(await (await visitor().signIn({ email: boss.email, password: PASSWORD })).json()).toEqual({});
});
