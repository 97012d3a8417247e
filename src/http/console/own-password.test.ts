import { expect, test } from "vitest";
import { testClock } from "../../../test/ground/test-clock.ts";
import { consoleTown, PASSWORD, type Visitor } from "../../../test/town/console-town.ts";
import { sql } from "../../store/sql.ts";
import { auditInWords } from "../../words/audit/words.ts";

const SECRET = "A".repeat(32);

type Guess = (who: Visitor, password: string) => Promise<{ refused: string }>;

/** Whatever asks somebody who is signed in for his password again. */
const doors: Record<string, Guess> = {
  "session.changePassword": (who, oldPassword) =>
    who.refused("session.changePassword", { oldPassword, newPassword: "short" }),
  "totp.confirm": (who, password) => who.refused("totp.confirm", { secret: SECRET, code: "000000", password }),
  "totp.drop": (who, password) => who.refused("totp.drop", { password }),
  "recoveryCodes.renew": (who, password) => who.refused("recoveryCodes.renew", { password }),
};

test("wrong passwords of one who is signed in lock his account as at the door, and the trail has each", async () => {
  const { visitor, member } = await consoleTown();
  const worker = await member("standard");
  const [first] = Object.values(doors);
  for (const guess of [first!, ...Object.values(doors)])
    expect(await guess(worker, "a guess")).toMatchObject({ status: 401, refused: "wrong-password" });
  for (const guess of Object.values(doors))
    expect(await guess(worker, PASSWORD)).toMatchObject({ status: 401, refused: "wrong-password" });
  expect((await visitor().signIn({ email: worker.email, password: PASSWORD })).status).toBe(401);
  const lines = (await worker.ask("signIns.list", {})).filter(({ did }) => did === "sign-in-failed");
  const whys = [...Array(6).fill("locked"), ...Array(4).fill("wrong-password")];
  expect(lines.map(({ details }) => details?.why)).toEqual(whys);
  expect(auditInWords(lines.at(-1)!, "en")).toContain("127.0.0.1");
});

test("guesses of those who are signed in are counted for their address, whichever operation hears them", async () => {
  const clock = testClock(Date.now());
  const { member } = await consoleTown({ clock });
  const worker = await member("standard");
  const said: string[] = [];
  for (let round = 0; round < 6; round++)
    for (const guess of Object.values(doors)) said.push((await guess(worker, "a guess")).refused);
  expect(said).toEqual([...Array(20).fill("wrong-password"), ...Array(4).fill("too-many")]);
});

test("however many passwords one person shows at once, few are looked at and no transaction waits for them", async () => {
  const { owner, member } = await consoleTown();
  const worker = await member("standard");
  const said = Promise.all(Array.from({ length: 16 }, (_, at) => Object.values(doors)[at % 4]!(worker, "a guess")));
  let held = 0;
  for (let looks = 0; looks < 20; looks++) {
    const [row] = await owner.query<{ count: number }>(
      sql`select count(*)::int as count from pg_stat_activity
       where datname = current_database() and state = 'idle in transaction'`,
    );
    held = Math.max(held, row!.count);
  }
  expect(held).toBe(0);
  const refused = (await said).map((answer) => answer.refused);
  expect(refused.filter((it) => it === "wrong-password").length).toBeLessThan(5);
  expect(refused.filter((it) => it === "too-many").length).toBeGreaterThan(11);
});
