import { expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { temporaryFolder } from "../../test/ground/santral-process.ts";
import { secrets } from "../../test/ground/secrets.ts";
import { testClock } from "../../test/ground/test-clock.ts";
import { whenOver } from "../../test/ground/when-over.ts";
import type { Config } from "../config.ts";
import { openControl } from "../exchange/signalling/trace/control.ts";
import { rateLimit } from "../http/door/rate-limit.ts";
import { placesIn } from "../server/data-folder.ts";
import { countRefusals } from "../server/limit-metrics.ts";
import { openMetrics } from "../server/metrics.ts";
import { createExchange } from "../store/exchanges.ts";
import { isRefusal } from "../store/refusal.ts";
import { sql } from "../store/sql.ts";
import { createStaffAccount } from "../store/staff.ts";
import { nobodysPassword } from "../store/staff-password.ts";
import { limits } from "./limits.ts";

test("whom limits refuse, and which accounts are locked, is told by the metrics and by the doctor", async () => {
  const { db } = await freshDatabase();
  const clock = testClock();
  const registry = openMetrics(db);
  const { note, view } = countRefusals(registry, db);
  const dataFolder = temporaryFolder();
  const patient = { config: { dataFolder } as Config, clock }; // as much of it as the check looks at
  expect(await limits.run(patient)).toMatchObject({ is: "ok", says: expect.stringContaining("no server") });
  const trace = { watch: () => undefined };
  const { control: path } = placesIn(dataFolder);
  const control = await openControl({ path, clock, trace, answers: { limits: view } });
  whenOver(() => control.close());
  expect(await limits.run(patient)).toMatchObject([
    { is: "ok" },
    { is: "ok", says: expect.stringContaining("no account") },
  ]);

  const limit = rateLimit(clock, { refused: note });
  for (let request = 0; request < 13; request++) limit.take("default", "a client");
  expect(await limits.run(patient)).toMatchObject([{ is: "ok", says: expect.stringContaining("default 3") }, {}]);
  for (let guess = 0; guess < 120; guess++) limit.take("signIn", "192.0.2.66");
  const made = await createExchange(db, secrets, { name: "A", sipDomain: "a.example" });
  if (isRefusal(made)) throw new Error(made.refused);
  const person = { name: "P", email: "p@test.example", role: "administrator", password: nobodysPassword() } as const;
  await createStaffAccount(db, { exchangeId: made.id, ...person });
  await db.query(sql`update staff set locked_until = now() + interval '10 minutes'`);
  const [refused, locked] = [await limits.run(patient)].flat();
  expect(refused).toMatchObject({ is: "warn", says: expect.stringContaining("refused 100 tries to get in") });
  expect(locked).toMatchObject({ is: "warn", says: expect.stringContaining("1 accounts and 0 mailboxes") });
  const metrics = await registry.metrics();
  expect(metrics).toContain('santral_http_refused_total{limit="signIn"} 100');
  expect(metrics).toContain('santral_locked{state="staff"} 1');
  expect(metrics).toContain('santral_jobs{state="due"} 0');
});
