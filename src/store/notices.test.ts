import { expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { pause, realClock } from "../clock.ts";
import { openDatabase } from "./db.ts";
import { sql } from "./sql.ts";

const { db, connection } = await freshDatabase();

const say = (channel: string, payload: string) => db.query(sql`select pg_notify($1, $2)`, [channel, payload]);

/** Of this database: others on the same server listen, too. */
const listeners = () =>
  db.query<{ pid: number }>(
    sql`select pid from pg_stat_activity where datname = current_database() and (query like 'listen%' or query = 'select 1')`,
  );

const PATIENCE = { timeout: 60_000 };

test("what was committed before has been heard, and what it set going is done", PATIENCE, async () => {
  const other = openDatabase(connection, realClock, { connections: 1 });
  for (let times = 0; times < 50; times++) {
    const heard: string[] = [];
    const stops = await Promise.all([
      other.listen("swift", (payload) => heard.push(`swift ${payload}`)),
      other.listen("slow", async (payload) => {
        await pause(realClock, 5);
        heard.push(`slow ${payload}`);
      }),
    ]);
    await say("swift", String(times));
    await say("slow", String(times));
    await other.heard();
    expect(heard).toEqual([`swift ${times}`, `slow ${times}`]);
    for (const stop of stops) await stop();
    await say("swift", "nobody listens");
    await other.heard();
    expect(heard).toHaveLength(2);
  }
  await other.close();
});

test("however many listen, it is one connection; when it breaks everybody is told that he may have missed something", {
  timeout: 4 * PATIENCE.timeout,
}, async () => {
  await expect.poll(listeners, PATIENCE).toEqual([]); // those of the test before take a moment to go
  const heard: string[] = [];
  const stops = await Promise.all(
    ["a", "b", "b"].map((channel, who) => db.listen(channel, (payload) => heard.push(`${who} ${channel} ${payload}`))),
  );
  await say("b", "hello");
  await db.heard();
  expect(heard).toEqual(["1 b hello", "2 b hello"]);
  const [line, another] = await listeners();
  expect(another).toBeUndefined();
  await db.query(sql`select pg_terminate_backend($1)`, [line!.pid]);
  await expect.poll(() => heard.slice(2).sort(), PATIENCE).toEqual(["0 a ", "1 b ", "2 b "]);
  await say("a", "again");
  await db.heard();
  expect(heard.at(-1)).toBe("0 a again");
  for (const stop of stops) await stop();
  await expect.poll(listeners, PATIENCE).toEqual([]);
});

test("a database that cannot be reached is said to whoever wants to listen", async () => {
  const nowhere = openDatabase("postgres://nobody@127.0.0.1:1/nothing", realClock);
  await expect(nowhere.listen("a", () => undefined)).rejects.toThrow();
  await nowhere.heard();
  await nowhere.close();
});
