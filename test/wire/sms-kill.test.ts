// The program is killed while it sends thousands of messages over SMPP: none may be lost, and none doubled without a record.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { pause, realClock, within } from "../../src/clock.ts";
import { openDatabase } from "../../src/store/db.ts";
import { connectionTo } from "../../src/store/embedded.ts";
import { addCredits } from "../../src/store/sms-accounts.ts";
import { createCarrier } from "../../src/store/sms-carriers.ts";
import { sql } from "../../src/store/sql.ts";
import { databasePidIn } from "../ground/embedded-database.ts";
import { putMadeFolder } from "../ground/made-folder.ts";
import { type SantralProcess, startProcess, temporaryFolder } from "../ground/santral-process.ts";
import { secretsIn } from "../ground/secrets.ts";
import { openSmsc } from "../smsc/open-smsc.ts";
import { sure } from "../town/sms-desk.ts";

vi.setConfig({ testTimeout: 1_800_000 });

// The whole of it takes minutes: SMS_KILLS=10 SMS_MESSAGES=10000.
const KILLS = Number(process.env.SMS_KILLS ?? 3);
const MESSAGES = Number(process.env.SMS_MESSAGES ?? 2_000);
/** Within the allowance of an account. */
const SINGLE = 60;

const env = { SANTRAL_LOG: "warn" };
const folder = join(temporaryFolder(), "data");
const database = openDatabase(connectionTo(join(folder, "pg"), "postgres"), realClock, { connections: 1 });
afterAll(() => database.close());

type Login = { username: string; password: string };

test("no message is lost to a kill in mid-sending, and every doubled one is recorded as uncertain", async () => {
  const smsc = await openSmsc();
  await smsc.manner({ keepBodies: false, answerMs: 15, receiptMs: 30 });
  await putMadeFolder(folder);
  let server = await startProcess(folder, { env });
  const { exchange, sms } = JSON.parse(readFileSync(join(folder, "first-run.json"), "utf8")) as {
    exchange: { id: number };
    sms: Login;
  };
  await connectCarrier(exchange.id, smsc.port);
  const sums = { doubled: 0, uncertain: 0, killedAfter: [] as number[] };
  for (let round = 0; round < KILLS; round++) {
    await smsc.forget();
    const campaign = await submit(server, sms, round);
    const singly = orderSingly(server, sms, round);
    await until(async () => (await smsc.counts()).taken > MESSAGES * (0.1 + (0.8 * round) / KILLS));
    if (round % 2 === 1) process.kill(databasePidIn(folder), "SIGKILL");
    await server.end("SIGKILL");
    const told = await singly;
    sums.killedAfter.push((await smsc.counts()).taken);
    server = await startProcess(folder, { env });
    await until(async () => (await unfinished(campaign)) === 0).catch(async (error) => {
      const states = await database.query(
        sql`select m.state, unanswered, parts_open, p.state as part, s.id is not null as stray, count(*), min(m.id)
         from sms_messages m left join sms_parts p on p.message_id = m.id
         left join sms_stray_receipts s on s.carrier_id = p.carrier_id and p.carrier_reference = any(s.carrier_references)
         where campaign_id = $1 group by 1, 2, 3, 4, 5`,
        [campaign],
      );
      throw new Error(
        `${error} in round ${round}: ${JSON.stringify([states, await smsc.counts()])} ${server.output()}`,
      );
    });
    expect(await withoutMessage(told), `of ${told.length} that were told in round ${round}`).toEqual([]);
    const { lost, secret, doubled, uncertain } = await compare(campaign, await smsc.tally());
    expect({ lost, secret }, `round ${round}`).toEqual({ lost: [], secret: [] });
    sums.doubled += doubled;
    sums.uncertain += uncertain;
  }
  await server.end("SIGTERM");
  await smsc.close();
  console.log(
    `${KILLS} kills while ${MESSAGES} messages were being sent (after ${sums.killedAfter.join(", ")}): none lost, ` +
      `${sums.uncertain} recorded as uncertain, ${sums.doubled} of them taken twice, none doubled without a record`,
  );
  expect(Math.max(...sums.killedAfter)).toBeLessThanOrEqual(MESSAGES);
});

async function connectCarrier(exchangeId: number, port: number): Promise<void> {
  const address = { host: "127.0.0.1", port, systemId: "acme", password: "secret", window: 100 };
  sure(await createCarrier(database, secretsIn(folder), exchangeId, { name: "smsc", kind: "smpp", ...address }));
  const [account] = await database.query<{ id: number }>(sql`select id from sms_accounts where exchange_id = $1`, [
    exchangeId,
  ]);
  await addCredits(database, {
    exchangeId,
    accountId: account!.id,
    credits: KILLS * (MESSAGES + 1_000),
    at: new Date(),
  });
}

async function submit(server: SantralProcess, login: Login, round: number): Promise<number> {
  const messages = Array.from({ length: MESSAGES }, (_, n) => ({
    dest: `90532${1_000_000 + n}`,
    msg: `Merhaba ${round}`,
  }));
  const answer = await fetch(`http://${server.run.http}/v2/send.json`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...login, messages }),
  });
  expect(answer.status).toBe(200);
  return Number(await answer.text());
}

/** Single messages for tomorrow, all at once; the campaigns of those that the server said it had taken. */
async function orderSingly(server: SantralProcess, login: Login, round: number): Promise<number[]> {
  const told: number[] = [];
  const send_at = new Date(Date.now() + 86_400_000).toISOString();
  const order = async (n: number) => {
    const messages = [{ dest: `90533${1_000_000 + n}`, msg: `Tek ${round}` }];
    const body = JSON.stringify({ ...login, send_at, messages });
    const answer = await fetch(`http://${server.run.http}/v2/send.json`, { method: "POST", body });
    const text = await answer.text();
    if (answer.status === 200) told.push(Number(text));
  };
  await Promise.allSettled(Array.from({ length: SINGLE }, (_, n) => order(n)));
  return told;
}

/** Of campaigns of one message those that have lost it. */
async function withoutMessage(campaigns: readonly number[]): Promise<unknown[]> {
  return database.query(
    sql`select told.id from unnest($1::bigint[]) as told (id)
       where (select count(*) from sms_messages where campaign_id = told.id and state = 'held') <> 1`,
    [campaigns],
  );
}

async function unfinished(campaign: number): Promise<number> {
  const rows = await database
    .query<{ n: number }>(sql`select count(*) as n from sms_messages where campaign_id = $1 and done_at is null`, [
      campaign,
    ])
    .catch(() => [{ n: -1 }]); // the database was killed, too, and is coming back
  return rows[0]!.n;
}

async function compare(campaign: number, tally: Record<string, number>) {
  const rows = await database.query<{ dest: string; text: string; state: string; unanswered: number }>(
    sql`select dest, text, state, unanswered from sms_messages where campaign_id = $1`,
    [campaign],
  );
  const times = ({ dest, text }: { dest: string; text: string }) => tally[`${dest} ${text}`] ?? 0;
  return {
    lost: rows.filter((row) => times(row) === 0 || row.state !== "DELIVERED"),
    secret: rows.filter((row) => times(row) > 1 && row.unanswered === 0),
    doubled: rows.filter((row) => times(row) > 1).length,
    uncertain: rows.filter(({ unanswered }) => unanswered > 0).length,
  };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = within(realClock, 300_000);
  while (!(await isSo())) {
    if (realClock.ticks() > deadline) throw new Error("it never came to pass");
    await pause(realClock, 10);
  }
}
