// Who guesses at a door learns nothing of whom there is: a name that nobody has, one that somebody has, and an account that
// is locked are answered alike, after the same work.

import { performance } from "node:perf_hooks";
import { expect, test } from "vitest";
import { createApiKey, revokeApiKey } from "../../src/store/api-keys.ts";
import { createSmsAccount } from "../../src/store/sms-accounts.ts";
import { sql } from "../../src/store/sql.ts";
import { hashPassword } from "../../src/store/staff-password.ts";
import { signIn } from "../../src/store/staff-sign-in.ts";
import { secrets } from "../ground/secrets.ts";
import { consoleTown, PASSWORD } from "../town/console-town.ts";

const town = await consoleTown();
const { db, ours, member, visitor, ask } = town;

async function lockedMember() {
  const { email, id } = await member("standard");
  await db.query(sql`update staff set locked_until = now() + interval '10 minutes' where id = $1`, [id]);
  return email;
}

const shapeOf = async (response: Response) => {
  const headers = [...response.headers].filter(([name]) => name !== "date");
  return { status: response.status, headers, body: await response.text() };
};

test("the console answers an unknown name, a wrong password and a locked account with one sentence", async () => {
  const known = (await member("standard")).email;
  const locked = await lockedMember();
  const guess = async (email: string, password: string) => shapeOf(await visitor().signIn({ email, password }));
  const unknown = await guess("nobody@example.com", "wrong");
  expect(unknown).toMatchObject({ status: 401, body: JSON.stringify({ refused: "wrong-password" }) });
  for (const email of [known, locked]) expect(await guess(email, "wrong")).toEqual(unknown);
  // Not even who knows the password learns before its time that he does.
  expect(await guess(locked, PASSWORD)).toEqual(unknown);
});

test("five wrong guesses at a name tell as little as the first", async () => {
  const { email } = await member("standard");
  for (const name of [email, "somebody@example.com"])
    for (let guesses = 0; guesses < 7; guesses++)
      expect(await signIn(db, secrets, { email: name, password: "wrong" }, Date.now())).toEqual({
        refused: "wrong-password",
      });
  const lines = await db.query<{ why: string }>(
    sql`select details->>'why' as why from audit_lines where exchange_id = $1 and who = $2 order by id`,
    [ours.id, email],
  );
  expect(lines.map(({ why }) => why)).toEqual([...Array(4).fill("wrong-password"), ...Array(3).fill("locked")]);
});

/** Each is looked for by name in the same order; half of all tries are on one side of it. */
const middleOf = (times: number[]) => times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;

test("an unknown name costs as much time as a known one, and a locked one no less", async () => {
  const known = (await member("standard")).email;
  const locked = await lockedMember();
  await db.query(sql`update staff set password_hash = $2 where email = any($1)`, [
    [known, locked],
    await hashPassword("another"),
  ]);
  const took = async (email: string) => {
    const begun = performance.now();
    await signIn(db, secrets, { email, password: PASSWORD }, Date.now());
    return performance.now() - begun;
  };
  await took("nobody@example.com");
  const times = { unknown: [] as number[], known: [] as number[], locked: [] as number[] };
  for (let turn = 0; turn < 5; turn++) {
    times.unknown.push(await took("nobody@example.com"));
    times.known.push(await took(known));
    times.locked.push(await took(locked));
  }
  for (const other of [times.unknown, times.locked]) {
    expect(middleOf(other) / middleOf(times.known)).toBeGreaterThan(0.5);
    expect(middleOf(other) / middleOf(times.known)).toBeLessThan(2);
  }
});

/** Statements that a sign-in takes: their number is what a clock would measure. */
async function statementsOf(email: string, password: string): Promise<string[]> {
  const asked: string[] = [];
  const counting = new Proxy(db, {
    get: (target, name) =>
      name === "query"
        ? (statement: { text: string }, values: unknown[]) => {
            asked.push(/^\s*\w+\s+(?:into\s+)?\w*/.exec(statement.text)?.[0]?.trim() ?? "");
            return target.query(statement as never, values as never);
          }
        : Reflect.get(target, name),
  });
  await signIn(counting, secrets, { email, password }, Date.now());
  return asked;
}

test("the database is asked as often for a name that nobody has as for a locked or a wrong one", async () => {
  const known = (await member("standard")).email;
  const locked = await lockedMember();
  const unknown = await statementsOf("nobody@example.com", "wrong");
  expect(unknown.length).toBeGreaterThan(1);
  expect(await statementsOf(known, "wrong")).toHaveLength(unknown.length);
  expect(await statementsOf(locked, "wrong")).toHaveLength(unknown.length);
  expect(await statementsOf(locked, PASSWORD)).toHaveLength(unknown.length);
});

test("the SMS interface answers a wrong password and an unknown account alike", async () => {
  const made = await createSmsAccount(db, ours.id, { username: "acme" });
  expect(made).not.toHaveProperty("refused");
  const guess = async (username: string) => {
    const { status, text } = await ask(`GET /v2/balance?username=${username}&password=wrong`, { key: null });
    return { status, text };
  };
  const unknown = await guess("nobody");
  expect(unknown.status).toBe(401);
  expect(await guess("acme")).toEqual(unknown);
});

test("a key that was taken back is answered as one that never was", async () => {
  const { key } = await createApiKey(db, ours.id);
  const [found] = await db.query<{ id: number }>(sql`select max(id) as id from api_keys where exchange_id = $1`, [
    ours.id,
  ]);
  await revokeApiKey(db, ours.id, found!.id);
  const never = `K${"0".repeat(key.length - 1)}`;
  const told = async (shown: string) => {
    const { status, text } = await ask(`GET /caller_ids?key=${shown}`, { key: null });
    return { status, text: text.replace(shown, "") };
  };
  expect(await told(never)).toMatchObject({ status: 401 });
  await expect.poll(() => told(key)).toEqual(await told(never));
});
