import { expect, test } from "vitest";
import { consoleTown } from "../../../test/town/console-town.ts";
import { literal, sql } from "../../store/sql.ts";

const { db, owner, member } = await consoleTown();
const boss = await member("administrator");

const linesAbout = async (about: string) => (await boss.ask("audit.list", { page: 1, limit: 50, about })).rows;
const nameOf = async (number: string) =>
  (await boss.ask("extensions.list", {})).find((extension) => extension.number === number)?.name;

/** While somebody does the work, the trail takes no line of his. */
async function withoutInk(who: string, work: () => Promise<void>): Promise<void> {
  await owner.query(sql`create function no_ink() returns trigger language plpgsql as
    $$ begin raise exception 'no ink'; end $$`);
  await owner.query(sql`create trigger no_ink before insert on audit_lines for each row
    when (new.who = ${literal(who)}) execute function no_ink()`);
  await work();
  await owner.query(sql`drop trigger no_ink on audit_lines`);
}

test("a change that cannot be written into the audit trail is not made", async () => {
  const before = await nameOf("1001");
  await withoutInk(boss.email, async () => {
    const changed = await boss.post("/console/api/extensions.update", { number: "1001", changes: { name: "Kimse" } });
    expect(changed.status).toBe(500);
    const made = await boss.post("/console/api/contactGroups.create", { name: "Yazılmayan" });
    expect(made.status).toBe(500);
  });
  expect(await nameOf("1001")).toBe(before);
  expect(await boss.ask("contactGroups.list", {})).toEqual([]);
  await boss.ask("extensions.update", { number: "1001", changes: { name: "Birisi" } });
  expect(await linesAbout("Birisi")).toMatchObject([{ did: "extensions.update" }]);
});

test("a refusal leaves neither a line nor what was written before it", async () => {
  const long = { number: "301", name: "Yarım", members: ["1000", "9999"], changes: {} };
  expect(await boss.refused("queues.create", long)).toMatchObject({ refused: "not-found" });
  expect((await boss.ask("queues.list", {})).map(({ number }) => number)).not.toContain("301");
  expect(await boss.refused("extensions.delete", { number: "9999" })).toMatchObject({ refused: "not-found" });
  expect(await linesAbout("9999")).toEqual([]);
  expect(await linesAbout("Yarım")).toEqual([]);
});

test("what several statements of one change are asked at once goes one after the other", async () => {
  const seen = await db.transaction(async (db) => {
    const rows = await Promise.all([1, 2, 3].map((n) => db.query<{ n: number }>(sql`select $1::int as n`, [n])));
    return rows.map(([row]) => row?.n);
  });
  expect(seen).toEqual([1, 2, 3]);
});
