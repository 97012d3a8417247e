import type { FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { freshDatabase } from "../../../test/ground/database.ts";
import { secrets } from "../../../test/ground/secrets.ts";
import { testClock } from "../../../test/ground/test-clock.ts";
import { createExchange } from "../../store/exchanges.ts";
import { createStaffAccount } from "../../store/staff.ts";
import { rateLimit } from "../door/rate-limit.ts";
import { openStaffDoor } from "./staff-door.ts";

const EMAIL = "admin@test.example";

test("who guesses passwords is told to wait, how long, and does not keep the machine from its work", async () => {
  const { db } = await freshDatabase();
  const made = await createExchange(db, secrets, { name: "Test", sipDomain: "test.example" });
  if ("refused" in made) throw new Error(made.refused);
  const account = { exchangeId: made.id, name: "A", email: EMAIL, role: "administrator", password: "the right one" };
  await createStaffAccount(db, { ...account, role: "administrator" });
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
