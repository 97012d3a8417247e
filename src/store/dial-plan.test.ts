import { beforeAll, expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { secrets } from "../../test/ground/secrets.ts";
import type { Database } from "./db.ts";
import { emergencyNumbersInside, whyNotForHelp } from "./dial-plan.ts";
import { createExchange, updateExchange } from "./exchanges.ts";
import { createExtension } from "./extensions.ts";
import { createMenu } from "./menus.ts";
import { createQueue } from "./queues.ts";
import { createRingGroup } from "./ring-groups.ts";
import { sql } from "./sql.ts";

let db: Database;
let exchangeId: number;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  const made = await createExchange(db, secrets, { name: "Test", sipDomain: "test.example" });
  if ("refused" in made) throw new Error(made.refused);
  exchangeId = made.id;
});

test("nobody gets an emergency number, whatever the exchange has set", async () => {
  const refused = { refused: "emergency-number", number: "112" };
  await updateExchange(db, exchangeId, { emergency_numbers: ["155"] });
  expect(await createExtension(db, { exchangeId, number: "112", password: "secret" })).toEqual(refused);
  expect(await createQueue(db, { exchangeId, number: "112", name: "q" })).toEqual(refused);
  expect(await createRingGroup(db, { exchangeId, number: "112", name: "g" })).toEqual(refused);
  expect(await createMenu(db, { exchangeId, number: "112", name: "m" })).toEqual(refused);
  expect(await createExtension(db, { exchangeId, number: "155", password: "secret" })).toMatchObject({
    refused: "emergency-number",
  });
  expect(await createExtension(db, { exchangeId, number: "110", password: "secret" })).toMatchObject({ number: "110" });
});

test("a number that somebody has does not become an emergency number; one that was both before is told", async () => {
  expect(await whyNotForHelp(db, exchangeId, ["155", "110"])).toEqual({
    refused: "number-taken",
    number: "110",
    by: "extension",
  });
  expect(await whyNotForHelp(db, exchangeId, ["155", "911"])).toBeUndefined();
  expect(await emergencyNumbersInside(db)).toEqual([]);
  await db.query(sql`update extensions set number = '112' where exchange_id = $1 and number = '110'`, [exchangeId]);
  expect(await emergencyNumbersInside(db)).toEqual([{ exchangeId, number: "112", noun: "extension" }]);
  expect(await whyNotForHelp(db, exchangeId, ["112"])).toBeUndefined();
});
