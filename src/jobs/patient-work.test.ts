import { expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { eventually } from "../../test/ground/eventually.ts";
import { testClock } from "../../test/ground/test-clock.ts";
import { whenOver } from "../../test/ground/when-over.ts";
import { silentLog } from "../log.ts";
import { enqueue } from "./jobs.ts";
import { startWorkers } from "./workers.ts";

test("work that nobody is woken for gathers until the next look, and is then taken until none is left", async () => {
  const { db } = await freshDatabase();
  const clock = testClock();
  const done: number[] = [];
  const handlers = { code: { run: async ({ at }: { at: number }) => void done.push(at) } };
  const gathering = { pollMs: 2_000, isWoken: false, concurrency: 2, perShare: 2 };
  const workers = await startWorkers({ db, clock, log: silentLog, handlers, ...gathering });
  whenOver(() => workers.stop());
  await workers.idle();
  for (const at of [1, 2, 3, 4, 5]) await enqueue(db, { kind: "code", payload: { at }, isPatient: true });
  expect(done).toEqual([]);
  clock.pass(2_000);
  await eventually("all are done, two at a time", async () => done.length === 5);
});

test("however many others have work there, it is taken until none is left", async () => {
  const { db } = await freshDatabase();
  const clock = testClock();
  const others = Array.from({ length: 40 }, (_, at) => ({ kind: "other", payload: {}, share: `other ${at}` }));
  await enqueue(db, ...others);
  const mine = Array.from({ length: 30 }, (_, at) => ({
    kind: "code",
    payload: { at },
    share: "mine",
    isPatient: true,
  }));
  await enqueue(db, ...mine);
  let done = 0;
  const handlers = { code: { run: async () => void done++ } };
  const gathering = { pollMs: 2_000, isWoken: false, concurrency: 20, perShare: 20 };
  const workers = await startWorkers({ db, clock, log: silentLog, handlers, ...gathering });
  whenOver(() => workers.stop());
  await eventually("all are done without another look", async () => done === 30);
});
