// Codes beside the password: those of a second factor, and those for whoever has lost it. Apart from the other tests of the
// console, since an address may show so many passwords a minute.

import { expect, test } from "vitest";
import { consoleTown, PASSWORD } from "../../../test/town/console-town.ts";
import { sql } from "../../store/sql.ts";
import { totpCode } from "../../store/totp.ts";
import { auditInWords } from "../../words/audit/words.ts";

const { db, visitor, member } = await consoleTown();

const HALF_MINUTE = 30_000;

test("a second factor is asked for, and each of its codes opens once", async () => {
  const boss = await member("administrator");
  const { secret, uri } = await boss.ask("totp.begin", {});
  expect(uri).toContain(`secret=${secret}`);
  const now = () => Math.floor(Date.now() / HALF_MINUTE);
  const wrong = { secret, code: "000000", password: PASSWORD };
  expect(await boss.refused("totp.confirm", wrong)).toMatchObject({ refused: "wrong-code" });
  await boss.ask("totp.confirm", { secret, code: totpCode(secret, now()), password: PASSWORD });
  const guest = visitor();
  const enter = async (code?: string) =>
    (await guest.signIn({ email: boss.email, password: PASSWORD, ...(code ? { code } : {}) })).json();
  expect(await enter()).toEqual({ refused: "code-needed" });
  const code = totpCode(secret, now() + 1);
  expect(await enter(code)).toEqual({});
  expect(await enter(code)).toEqual({ refused: "wrong-code" });
  const basic = `Basic ${Buffer.from(`${boss.email}:${PASSWORD}`).toString("base64")}`;
  expect((await guest.get("/console/panel", { authorization: basic })).status).not.toBe(200);
});

test("a recovery code opens once, new ones make the old ones void, and a reset takes them away", async () => {
  const [boss, other] = [await member("administrator"), await member("administrator")];
  expect(await boss.refused("recoveryCodes.renew", { password: PASSWORD })).toMatchObject({
    refused: "no-second-factor",
  });
  const { secret } = await boss.ask("totp.begin", {});
  const code = totpCode(secret, Math.floor(Date.now() / HALF_MINUTE));
  const { codes } = await boss.ask("totp.confirm", { secret, code, password: PASSWORD });
  expect(new Set(codes).size).toBe(10);
  const [row] = await db.query<{ found: number }>(
    sql`select count(*) as found from staff_recovery_codes where position($1 in encode(code_hash, 'escape')) > 0`,
    [codes[0]?.replaceAll("-", "")],
  );
  expect(row?.found).toBe(0);
  const enter = async (code = "") => (await visitor().signIn({ email: boss.email, password: PASSWORD, code })).json();
  expect(await enter(codes[0]?.replaceAll("-", " ").toUpperCase())).toEqual({});
  expect(await enter(codes[0])).toEqual({ refused: "wrong-code" });
  expect(await boss.ask("session.show", {})).toMatchObject({ codesLeft: 9 });
  const renewed = await boss.ask("recoveryCodes.renew", { password: PASSWORD });
  expect(await enter(codes[1])).toEqual({ refused: "wrong-code" });
  expect(await enter(renewed.codes[1])).toEqual({});
  const lines = await boss.ask("signIns.list", {});
  const address = "127.0.0.1";
  expect(lines.map(({ did, details }) => [did, details])).toEqual([
    ["signed-in", { door: "recovery-code", address }],
    ["sign-in-failed", { door: "password", why: "wrong-code", address }],
    ["sign-in-failed", { door: "password", why: "wrong-code", address }],
    ["signed-in", { door: "recovery-code", address }],
  ]);
  expect(auditInWords(lines[0]!, "tr")).toBe("parola ve kurtarma koduyla giriş yaptı, adres 127.0.0.1");
  await other.ask("staff.resetTotp", { id: boss.id });
  expect(await boss.ask("session.show", {})).toMatchObject({ codesLeft: 0, hasTotp: false });
});
