import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { pause, realClock, since } from "../../src/clock.ts";
import { enqueuePush } from "../../src/sms/push.ts";
import { openDatabase } from "../../src/store/db.ts";
import { connectionTo } from "../../src/store/embedded.ts";
import { sql } from "../../src/store/sql.ts";
import { databasePidIn } from "../ground/embedded-database.ts";
import { putMadeFolder } from "../ground/made-folder.ts";
import { type SantralProcess, startProcess, temporaryFolder } from "../ground/santral-process.ts";

vi.setConfig({ testTimeout: 600_000 }); // the program is started again and again

// SANTRAL_TEST_KILLS=20 plays the whole drill.
const ROUNDS = Number(process.env.SANTRAL_TEST_KILLS ?? 8);
const WRITERS = 4;
/** Acknowledged in each round before the blow. */
const LEAST_WRITES = 10;

// The interface allows few requests a second from one address, so each comes from an address of its own.
const env = { SANTRAL_TRUSTED_PROXIES: "127.0.0.1", SANTRAL_LOG: "warn", SANTRAL_PRIVATE_WEBHOOKS: "true" };

const folder = join(temporaryFolder(), "data");
const database = openDatabase(connectionTo(join(folder, "pg"), "postgres"), realClock, { connections: 1 });
afterAll(() => database.close());

test(`no acknowledged write is lost when the program is killed in the middle of writing, ${ROUNDS} times`, async () => {
  const acknowledged = new Set<number>();
  const startedInMs: number[] = [];
  await putMadeFolder(folder);
  let server = await startProcess(folder, { env });
  for (let round = 0; round < ROUNDS; round++) {
    const enough = acknowledged.size + LEAST_WRITES + round;
    const writing = writeUntilGone(server, acknowledged);
    await vi.waitFor(() => expect(acknowledged.size).toBeGreaterThan(enough), { timeout: 60_000, interval: 2 });
    await pause(realClock, (round * 7) % 20); // so that it is hit at another point each time
    // In every other round the database is killed with us and has to recover from its log.
    if (round % 2 === 1) process.kill(databasePidIn(folder), "SIGKILL");
    await server.end("SIGKILL");
    await writing;
    const began = realClock.ticks();
    server = await startProcess(folder, { env });
    startedInMs.push(since(realClock, began));
    const found = await contactIds();
    expect(
      [...acknowledged].filter((id) => !found.has(id)),
      `lost in round ${round}`,
    ).toEqual([]);
  }
  await server.end("SIGTERM");
  expect(acknowledged.size).toBeGreaterThan(ROUNDS * LEAST_WRITES);
  startedInMs.sort((a, b) => a - b);
  console.log(
    `${acknowledged.size} acknowledged writes, ${ROUNDS} kills, none lost; restart takes ${startedInMs[Math.floor(ROUNDS / 2)]} ms`,
  );
});

test("a database that dies alone is started again, and nothing acknowledged is lost", async () => {
  const server = await startProcess(folder, { env });
  const acknowledged = new Set<number>();
  await write(server, acknowledged);
  process.kill(databasePidIn(folder), "SIGKILL");
  // Its children outlive it for a moment, and what they still take is kept as well.
  await expect.poll(() => server.output()).toContain("starting it again");
  await expect.poll(async () => (await server.get("/readyz")).text()).toBe("ready");
  const before = acknowledged.size;
  await vi.waitFor(
    async () => {
      await write(server, acknowledged);
      expect(acknowledged.size).toBeGreaterThan(before);
    },
    { timeout: 60_000, interval: 100 },
  );
  const found = await contactIds();
  expect([...acknowledged].filter((id) => !found.has(id))).toEqual([]);

  // A job that a kill cuts off in the middle runs again as soon as the program does, not when its lease is over.
  const asked: number[] = [];
  const receiver = createServer((_, answer) => {
    asked.push(performance.now());
    if (asked.length > 1) answer.end("OK"); // the first is never answered
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  await enqueuePush(
    database,
    `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    {},
    { exchangeId: 1, accountId: 1 },
  );
  await expect.poll(() => asked.length).toBe(1);
  await server.end("SIGKILL");
  const again = await startProcess(folder, { env });
  const readyMs = performance.now();
  await expect.poll(() => asked.length).toBe(2);
  expect(asked[1]! - readyMs, "ms after the start").toBeLessThan(20_000);
  expect(await again.end("SIGTERM")).toBe(0);
  receiver.closeAllConnections();
  receiver.close();
});

async function writeUntilGone(server: SantralProcess, acknowledged: Set<number>): Promise<void> {
  let gone = false;
  server.child.once("exit", () => {
    gone = true;
  });
  const writer = async () => {
    while (!gone) await write(server, acknowledged).catch(() => undefined); // killed while it was answering
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

let written = 0;

async function write(server: SantralProcess, acknowledged: Set<number>): Promise<void> {
  const number = written++;
  const answer = await fetch(`http://${server.run.http}/contacts`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-forwarded-for": `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`,
    },
    body: JSON.stringify({ key: keyOfFirstRun(), name: "Deniz", surname: `Nr ${number}`, phone: "05321234567" }),
  });
  const id = Number(await answer.text());
  if (answer.status === 200) acknowledged.add(id);
}

async function contactIds(): Promise<Set<number>> {
  const rows = await database.query<{ id: number }>(sql`select id from contacts`);
  return new Set(rows.map(({ id }) => id));
}

function keyOfFirstRun(): string {
  return (JSON.parse(readFileSync(join(folder, "first-run.json"), "utf8")) as { exchange: { key: string } }).exchange
    .key;
}
