import { expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { secrets } from "../../test/ground/secrets.ts";
import { realClock } from "../clock.ts";
import { openContactDesk } from "./contact-desk.ts";
import { listContacts } from "./contacts.ts";
import type { Database } from "./db.ts";
import { createExchange } from "./exchanges.ts";
import { gathering, writeTogether } from "./gathering.ts";
import { eachWithin, GivenUp } from "./limit.ts";
import { isRefusal } from "./refusal.ts";
import { sql } from "./sql.ts";

const { db } = await freshDatabase();
const limit = eachWithin(20);
const desk = openContactDesk(db, realClock);
const person = (name: string) => ({ name, surname: "Ak", phone: "05320001122" });

async function newExchange(name: string): Promise<number> {
  const made = await createExchange(db, secrets, { name, sipDomain: `${name}.example.com` });
  if (isRefusal(made)) throw new Error(made.refused);
  return made.id;
}

const namesIn = async (exchangeId: number) =>
  (await listContacts(db, exchangeId, { page: 1, limit: 100 })).rows.map(({ name }) => name);

test("what comes in one turn, or while the last is under way, is done together, and no key waits for another", async () => {
  const done: string[] = [];
  const open = new Map<string, () => void>();
  const add = gathering(async (key: string, items: readonly number[]) => {
    done.push(`${key} ${items}`);
    await new Promise<void>((resolve) => open.set(key, resolve));
    return items.map((is) => (is === 4 ? { failed: new Error("four") } : { is }));
  });
  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  const first = [add("a", 1), add("a", 2)];
  await turn();
  const next = [add("a", 3), add("b", 9), add("a", 4), add("a", 5)];
  await turn();
  expect(done).toEqual(["a 1,2", "b 9"]);
  open.get("a")?.();
  expect(await Promise.all(first)).toEqual([1, 2]);
  await turn();
  expect(done.at(-1)).toBe("a 3,4,5");
  for (const finish of open.values()) finish();
  expect(await Promise.allSettled(next)).toMatchObject([
    { value: 3 },
    { value: 9 },
    { reason: new Error("four") },
    { value: 5 },
  ]);
});

test("of rows that come together the one that cannot be written fails alone, and each gets its own id", async () => {
  const exchangeId = await newExchange("alone");
  const names = ["Ada", "Bora", "Can\u0000", "Deniz", "Efe"];
  const made = await Promise.allSettled(names.map((name) => desk.create(exchangeId, person(name), limit)));
  expect(made.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled", "fulfilled"]);
  const rows = await db.query<{ id: number; name: string }>(sql`select id, name from contacts where exchange_id = $1`, [
    exchangeId,
  ]);
  const given = made.flatMap((it, place) => (it.status === "fulfilled" ? [{ id: it.value, name: names[place] }] : []));
  expect(rows.toSorted((a, b) => a.id - b.id)).toEqual(given);
});

test("columns that only some of them have, and two exchanges at once, are not mixed up", async () => {
  const [one, other, elsewhere] = [await newExchange("one"), await newExchange("other"), await newExchange("away")];
  await db.query(sql`update exchanges set external_contacts = true where id = $1`, [elsewhere]);
  const made = await Promise.all([
    desk.create(one, { ...person("Ada"), email: "ada@example.com" }, limit),
    desk.create(other, person("Bora"), limit),
    desk.create(one, person("Can"), limit),
    desk.create(elsewhere, person("Deniz"), limit),
    desk.create(one, { ...person("Efe"), birthday: "1980-03-21", birthday_sms: true }, limit),
  ]);
  expect(made[3]).toEqual({ refused: "external-contacts" });
  expect((await namesIn(one)).toSorted()).toEqual(["Ada", "Can", "Efe"]);
  expect(await namesIn(other)).toEqual(["Bora"]);
  const { rows } = await listContacts(db, one, { page: 1, limit: 100 });
  expect(rows.find(({ id }) => id === made[0])).toMatchObject({
    name: "Ada",
    email: "ada@example.com",
    birthday: null,
  });
  expect(rows.find(({ id }) => id === made[4])).toMatchObject({ name: "Efe", birthday: "1980-03-21" });
});

test("who has gone before it begins gets nothing written, and the others do", async () => {
  const exchangeId = await newExchange("gone");
  const gone = { leftMs: () => 0, strict: true };
  const made = await Promise.allSettled([
    desk.create(exchangeId, person("Ada"), limit),
    desk.create(exchangeId, person("Bora"), gone),
    desk.create(exchangeId, person("Can"), { leftMs: () => 20_000, strict: true }),
  ]);
  expect(made[1]).toMatchObject({ reason: expect.any(GivenUp) });
  expect((await namesIn(exchangeId)).toSorted()).toEqual(["Ada", "Can"]);
});

test("a commit whose answer was lost is not tried again", async () => {
  let tries = 0;
  const lost: Pick<Database, "forExchange"> = {
    forExchange: () =>
      ({
        transaction: async () => {
          tries += 1;
          throw Object.assign(new Error("Connection terminated unexpectedly"), { code: "ECONNRESET" });
        },
      }) as unknown as Database, // all that is asked of it
  };
  const waiting = [1, 2, 3].map((row) => ({ row, limit }));
  const outcomes = await writeTogether(
    { db: lost as Database, clock: realClock, exchangeId: 1 },
    waiting,
    async () => [],
  );
  expect([tries, outcomes.length, outcomes.every((it) => "failed" in it)]).toEqual([1, 3, true]);
});

test("when everybody has left, the database is not asked", async () => {
  const nobody = { leftMs: () => 0, strict: true };
  const asked = { db: undefined as unknown as Database, clock: realClock, exchangeId: 1 }; // it is not
  const outcomes = await writeTogether(asked, [{ limit: nobody }, { limit: nobody }], async () => []);
  expect(outcomes).toEqual([{ failed: expect.any(GivenUp) }, { failed: expect.any(GivenUp) }]);
});
