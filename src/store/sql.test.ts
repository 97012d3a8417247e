import { expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { secrets } from "../../test/ground/secrets.ts";
import { extension } from "../nouns/extension.ts";
import { createExchange, updateExchange } from "./exchanges.ts";
import { createExtension, updateExtension } from "./extensions.ts";
import { isRefusal } from "./refusal.ts";
import { joined, literal, place, quoted, type Sql, sql } from "./sql.ts";
import { assignments } from "./update.ts";

const { db } = await freshDatabase();

test("SQL is put together out of SQL and numbers", () => {
  const columns = sql`id, name`;
  expect(sql`select ${columns} from t where id = ${place(1)} limit ${5}`).toBe(
    "select id, name from t where id = $1 limit 5",
  );
  expect(joined([sql`a`, sql`b`], " and ")).toBe("a and b");
  // @ts-expect-error a string is not SQL, wherever it comes from
  const refused: Sql = "select 1";
  expect(refused).toBe("select 1");
});

test("names and texts are quoted so that they stay what they are", async () => {
  const name = 'a"; drop table staff; --';
  const text = "it's; \\' drop table staff; --";
  const [row] = await db.query(sql`select ${literal(text)} as ${quoted(name)}`);
  expect(row).toEqual({ [name]: text });
});

test("only columns of the list are set; what is undefined stays as it is", () => {
  expect(assignments(extension, { name: "x", active: undefined }, 3)).toMatchObject({
    list: '"name" = $3',
    values: ["x"],
  });
  for (const key of ["ha1_md5", "name = 'x', role", "__proto__", "constructor", "toString"])
    expect(() => assignments(extension, JSON.parse(JSON.stringify({ [key]: 1 })), 1), key).toThrow(
      "not a column that may be set",
    );
});

test("an update throws at a name from outside, and has changed nothing", async () => {
  const made = await createExchange(db, secrets, { name: "ours", sipDomain: "ours.example.com" });
  if (isRefusal(made)) throw new Error(made.refused);
  await createExtension(db, { exchangeId: made.id, number: "1000", password: "a long password" });
  const changes = JSON.parse(`{ "name = (select string_agg(key_hash, ',') from api_keys), email": "x" }`);
  await expect(updateExtension(db, { exchangeId: made.id, number: "1000", changes })).rejects.toThrow("not a column");
  await expect(updateExchange(db, made.id, JSON.parse(`{ "id": 7 }`))).rejects.toThrow("not a column");
  const [row] = await db.query(sql`select name, email from extensions where exchange_id = $1`, [made.id]);
  expect(row).toEqual({ name: "", email: null });
});
