import type { FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { freshDatabase } from "../../../test/ground/database.ts";
import { secrets } from "../../../test/ground/secrets.ts";
import { testClock } from "../../../test/ground/test-clock.ts";
import { createExchange, updateExchange } from "../../store/exchanges.ts";
import { sql } from "../../store/sql.ts";
import { createStaffAccount } from "../../store/staff.ts";
import { hashPassword } from "../../store/staff-password.ts";
import { rateLimit } from "../door/rate-limit.ts";
import { openStaffDoor } from "./staff-door.ts";

const EMAIL = "admin@test.example";

test("who guesses passwords is told to wait, how long, and does not keep the machine from its work", async () => {
  const { db } = await freshDatabase();
  const made = await createExchange(db, secrets, { name: "Test", sipDomain: "test.example" });
  if ("refused" in made) throw new Error(made.refused);
  const account = { exchangeId: made.id, name: "A", email: EMAIL, role: "administrator" } as const;
  await createStaffAccount(db, { ...account, password: await hashPassword("the right one") });
  const clock = testClock();
  const { take: countGuess } = rateLimit(clock);
  const door = openStaffDoor({ db, secrets, clock, countGuess, clientAddress: (address) => address ?? "" });
  const trySignIn = (password: string, from = "192.0.2.1") => {
    const authorization = `Basic ${Buffer.from(`${EMAIL}:${password}`).toString("base64")}`;
    // Only what the door looks at.
    return door({ headers: { authorization }, socket: { remoteAddress: from } } as unknown as FastifyRequest);
  };
  const answers = await Promise.all(Array.from({ length: 25 }, () => trySignIn("a guess")));
  const told = answers.map((it) => ("says" in it ? JSON.stringify(it.refusal) : "in"));
  // Two are looked at, the rest of the allowance comes too close together, and what is above it waits.
  expect(told.filter((it) => it === '{"refused":"http","status":401}')).toHaveLength(2);
  expect(told.filter((it) => it === '{"refused":"too-many","seconds":1}')).toHaveLength(18);
  expect(told.filter((it) => it === '{"refused":"too-many","seconds":6}')).toHaveLength(5);
  expect(await trySignIn("the right one")).toMatchObject({ refusal: { refused: "too-many" } });
  expect(await trySignIn("the right one", "192.0.2.2")).toMatchObject({ exchangeId: made.id });
  clock.pass(6_000);
  expect(await trySignIn("the right one")).toMatchObject({ exchangeId: made.id, role: "administrator" });
});

test("whoever shows passwords from many addresses of one network leaves a place to others", async () => {
  const { db } = await freshDatabase();
  const made = await createExchange(db, secrets, { name: "Test", sipDomain: "test.example" });
  if ("refused" in made) throw new Error(made.refused);
  const password = await hashPassword("the right one");
  await createStaffAccount(db, { exchangeId: made.id, name: "A", email: EMAIL, role: "administrator", password });
  const clock = testClock();
  const { take: countGuess } = rateLimit(clock);
  const door = openStaffDoor({ db, secrets, clock, countGuess, clientAddress: (address) => address ?? "" });
  const enter = (email: string, from: string) => {
    const authorization = `Basic ${Buffer.from(`${email}:the right one`).toString("base64")}`;
    // Only what the door looks at.
    return door({ headers: { authorization }, socket: { remoteAddress: from } } as unknown as FastifyRequest);
  };
  const guesses = Array.from({ length: 9 }, (_, at) => enter("nobody@test.example", `2001:db8::${at + 1}`));
  expect(await enter(EMAIL, "192.0.2.1")).toMatchObject({ exchangeId: made.id });
  await Promise.all(guesses);
});

test("a program is not let in where its account should have a second factor", async () => {
  const { db } = await freshDatabase();
  const made = await createExchange(db, secrets, { name: "Test", sipDomain: "test.example" });
  if ("refused" in made) throw new Error(made.refused);
  const [boss, worker] = [EMAIL, "worker@test.example"];
  const password = await hashPassword("the right one");
  for (const [email, role] of [[boss, "administrator"] as const, [worker, "standard"] as const])
    await createStaffAccount(db, { exchangeId: made.id, name: "A", email, role, password });
  const clock = testClock();
  const { take: countGuess } = rateLimit(clock);
  const door = openStaffDoor({ db, secrets, clock, countGuess, clientAddress: (address) => address ?? "" });
  const enter = async (email: string) => {
    const authorization = `Basic ${Buffer.from(`${email}:the right one`).toString("base64")}`;
    // Only what the door looks at.
    const staff = await door({ headers: { authorization }, socket: {} } as unknown as FastifyRequest);
    return "says" in staff ? staff.refusal : staff.role;
  };
  expect(await enter(boss)).toBe("administrator");
  await updateExchange(db, made.id, { second_factor: "administrators" });
  expect(await enter(boss)).toMatchObject({ refused: "http", status: 401 });
  expect(await enter(worker)).toBe("standard");
  await updateExchange(db, made.id, { second_factor: "everybody" });
  expect(await enter(worker)).toMatchObject({ refused: "http", status: 401 });
  const lines = await db.query<{ who: string; why: string }>(
    sql`select who, details->>'why' as why from audit_lines where did = 'sign-in-failed' order by id`,
  );
  expect(lines).toEqual([boss, worker].map((who) => ({ who, why: "second-factor-first" })));
});
