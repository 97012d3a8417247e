// The program is killed again and again while a campaign dials: nobody who answered is called twice, nobody is forgotten,
// and the report adds up.

import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { realClock } from "../../src/clock.ts";
import { openDatabase } from "../../src/store/db.ts";
import { connectionTo } from "../../src/store/embedded.ts";
import { sql } from "../../src/store/sql.ts";
import { type CampaignCarrier, campaignCarrier } from "../carriers/campaign-carrier.ts";
import { CARRIER_ADDRESS } from "../carriers/carrier.ts";
import { openReceiver, PRIVATE_WEBHOOKS } from "../customer/event-receiver.ts";
import { eventually } from "../ground/eventually.ts";
import { whenOver } from "../ground/when-over.ts";
import { expectTrueCounts } from "../town/campaign-town.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

// SANTRAL_TEST_KILLS=20 SANTRAL_TEST_NUMBERS=600 plays the whole drill.
const KILLS = Number(process.env.SANTRAL_TEST_KILLS ?? 2);
const NUMBERS = Number(process.env.SANTRAL_TEST_NUMBERS ?? 80);
const PATIENCE_SECONDS = 120 + NUMBERS;

let town: RealTown;
let carrier: CampaignCarrier;
const behaviourOf = (number: string) => (/[0-5]$/.test(number) ? "answers" : /[67]$/.test(number) ? "busy" : "rejects");

beforeAll(async () => {
  town = await realTown({ ...PRIVATE_WEBHOOKS, SANTRAL_LOG: "warn" });
  carrier = await campaignCarrier(behaviourOf);
  const reach = [`port=${carrier.port}`, `source-addresses=${CARRIER_ADDRESS}`, "health-check=no"];
  await town.command("trunk", "create", "carrier", CARRIER_ADDRESS, ...reach);
  await town.trunkIsUp("carrier");
  await town.command("exchange", "set", "campaign-channels=10", "campaign-retry-seconds=10");
}, 240_000);

type Row = { number: string; attempts: number; answered: boolean; cut: boolean; open: number };

test(`kill -9, ${KILLS} times`, async () => {
  const receiver = await openReceiver();
  const numbers = Array.from({ length: NUMBERS }, (_, n) => `90532${1_000_000 + n}`);
  const id = await create(numbers, receiver.url);
  const killedAfter: number[] = [];
  for (let kill = 1; kill <= KILLS; kill++) {
    const enough = Math.floor((NUMBERS * kill) / (KILLS + 1));
    await eventually(`${enough} calls`, async () => carrier.calls.length >= enough, PATIENCE_SECONDS);
    await town.restart();
    killedAfter.push(carrier.calls.length);
  }
  const db = openDatabase(connectionTo(join(town.data, "pg"), "postgres"), realClock, { connections: 1 });
  whenOver(() => db.close());
  await eventually("every number is finished", async () => (await progress(id)).finished === NUMBERS, PATIENCE_SECONDS);
  const rows = await db.query<Row>(
    sql`select n.number, n.attempts, bool_or(a.answered_at is not null) as answered, bool_or(a.cut_off) as cut,
         count(*) filter (where a.ended_at is null) as open
       from campaign_numbers n join campaign_attempts a on a.campaign_id = n.campaign_id and a.number_id = n.id
       where n.campaign_id = $1 group by n.id, n.number, n.attempts order by n.id`,
    [id],
  );
  await expectTrueCounts(db, id);
  expect(rows.map(({ number }) => number)).toEqual(numbers);
  expect(rows.filter(({ open }) => open > 0)).toEqual([]);
  const callsOf = (number: string) => carrier.calls.filter((call) => call.number === number);
  for (const { number, attempts, answered, cut } of rows) {
    const calls = callsOf(number);
    // Every call was claimed before it left.
    expect(calls.length, number).toBeLessThanOrEqual(attempts);
    if (calls.some((call) => call.answered)) expect(calls.length, `${number} answered once`).toBe(1);
    if (behaviourOf(number) === "rejects") expect(calls.length, number).toBeLessThanOrEqual(1);
    expect(calls.length > 0 || cut, `${number} was called, or its call was cut off`).toBe(true);
    if (answered) expect(calls.at(-1)?.answered, number).toBe(true);
  }
  await eventually(
    "every attempt is told of",
    async () => {
      const told = new Set(receiver.events.map(({ call_uuid: uuid }) => uuid));
      const attempts = await db.query<{ uuid: string }>(
        sql`select call_uuid as uuid from campaign_attempts where campaign_id = $1`,
        [id],
      );
      return attempts.every(({ uuid }) => told.has(uuid));
    },
    PATIENCE_SECONDS,
  );
  const contents = new Map(
    receiver.events.map((event) => [event.notification_id, `${event.call_uuid} ${event.digit}`]),
  );
  expect(new Set(contents.values()).size, "one id for each key and attempt").toBe(contents.size);
  await expectToldByCommands(id);
  const cut = rows.filter((row) => row.cut).length;
  console.log(
    `${KILLS} kills (after ${killedAfter.join(", ")} calls) while ${NUMBERS} numbers were dialled: ` +
      `${carrier.calls.length} calls, ${cut} cut off, nobody who answered called twice`,
  );
}, 1_800_000);

async function create(numbers: string[], webhookUrl: string): Promise<number> {
  const answer = await fetch(`http://${town.santral.run.http}/ivr_campaigns.json?key=${town.firstRun.exchange.key}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      call_type: "ivr",
      name: "Tatbikat",
      webhook_url: webhookUrl,
      call_retries: 1,
      digit_timeout: 1,
      timeout_target: "hangup/hangup",
      phone_list: numbers.map((phone) => ({ phone })),
    }),
  });
  const text = await answer.text();
  expect(text).toMatch(/^\d+$/);
  return Number(text);
}

async function progress(id: number): Promise<{ finished: number }> {
  const { text } = await town.tell(`/ivr_campaigns/${id}`);
  return (JSON.parse(text) as { progress: { finished: number } }).progress;
}

/** The operator sees the same. */
async function expectToldByCommands(id: number): Promise<void> {
  expect(await town.command("campaign", "watch", String(id))).toContain(`${NUMBERS} of ${NUMBERS} numbers finished`);
  expect(await town.command("campaign", "list")).toContain("Tatbikat");
  expect(await town.command("campaign", "show", String(id))).toMatch(/results .*Cevaplandı/);
  const csv = (await town.command("campaign", "report", String(id))).trimEnd().split("\n");
  expect(csv).toHaveLength(NUMBERS + 1);
  expect(csv[1]).toMatch(/^\d+,905321000000,finished,\d+,/);
  const lines = JSON.parse(await town.command("campaign", "report", String(id), "--json")) as { phone: string }[];
  expect(lines.map(({ phone }) => phone)).toEqual(csv.slice(1).map((line) => line.split(",")[1]));
}
