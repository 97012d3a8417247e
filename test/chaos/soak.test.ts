// Many calls for hours, each with its voice and its recording, coming and going: nothing may grow, be late or be lost.
// SANTRAL_SOAK_HOURS=8 SANTRAL_SOAK_CALLS=300, or `npm run chaos -- --soak 8 --calls 300`.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { pause, realClock } from "../../src/clock.ts";
import { openDatabase } from "../../src/store/db.ts";
import { connectionTo } from "../../src/store/embedded.ts";
import { sql } from "../../src/store/sql.ts";
import { eventually } from "../ground/eventually.ts";
import { freePorts } from "../ground/free-ports.ts";
import { putMadeFolder } from "../ground/made-folder.ts";
import { santral, temporaryFolder } from "../ground/santral-process.ts";
import { startSupervised } from "../ground/supervised-process.ts";
import { whenOver } from "../ground/when-over.ts";
import type { FirstRun } from "../town/real-town.ts";
import { openSoakers } from "./soakers.ts";

const HOURS = Number(process.env.SANTRAL_SOAK_HOURS ?? 0);
const CALLS = Number(process.env.SANTRAL_SOAK_CALLS ?? 300);
const SAMPLES = 60;
/** Until all calls are up, caches are full and the first have gone. */
const WARM_UP_SHARE = 0.15;

/** From the end of the warm-up to the end: what a process may take more without being said to grow. */
const MOST_GROWTH = { residentShare: 1.25, residentMb: 60, descriptors: 60 };
const MOST_LOST_SHARE = 0.001;

vi.setConfig({ testTimeout: HOURS * 3_600_000 + 900_000, hookTimeout: 600_000 });

type Sample = {
  minute: number;
  callsUp: number;
  residentMb: number;
  descriptors: number;
  loopDelayMs: number;
  journalLagSeconds: number;
  lostShare: number;
};

test.skipIf(HOURS === 0)(`${CALLS} calls for ${HOURS} hours`, async () => {
  const folder = join(temporaryFolder(), "data");
  await putMadeFolder(folder);
  const [http, sip] = [await freePorts(1), await freePorts(1)];
  const doors = { SANTRAL_SIP: `127.0.0.1:${sip}`, SANTRAL_HTTP: `127.0.0.1:${http}` };
  const ports = { SANTRAL_RTP_PORTS: "22000-29999" };
  const supervised = startSupervised(folder, { ...doors, ...ports, SANTRAL_LOG: "warn", SANTRAL_SANDBOX: "off" });
  const { pid } = await supervised.ready;
  await santral(folder, ["exchange", "set", "record-internal=yes"]);
  const { exchange } = JSON.parse(readFileSync(join(folder, "first-run.json"), "utf8")) as FirstRun;
  const soakers = await openSoakers({
    calls: CALLS,
    domain: exchange.sip_domain,
    server: { transport: "udp", address: "127.0.0.1", port: sip },
    async extension(number) {
      const { stdout } = await santral(folder, ["extension", "create", number, "max-calls=100", "--json"]);
      return (JSON.parse(stdout) as { password: string }).password;
    },
  });
  whenOver(() => soakers.close());
  const samples: Sample[] = [];
  for (let taken = 0; taken < SAMPLES; taken++) {
    const before = soakers.counted();
    await pause(realClock, (HOURS * 3_600_000) / SAMPLES);
    const { sent, missing } = soakers.counted();
    const lostShare = (missing - before.missing) / Math.max(1, sent - before.sent);
    const minute = Math.round((HOURS * 60 * (taken + 1) * 10) / SAMPLES) / 10;
    samples.push({ minute, ...(await sampleOf(pid, http)), lostShare });
    console.log(JSON.stringify(samples.at(-1)));
  }
  const { begun, refused, badGoodbyes } = await soakers.end();
  const db = openDatabase(connectionTo(join(folder, "pg"), "postgres"), realClock, { connections: 1 });
  whenOver(() => db.close());
  const [count] = await eventually("all records and recordings", async () => {
    const rows = await db.query<{ records: number; recorded: number; up: number }>(
      sql`select count(*)::int as records, (select count(*)::int from recordings where duration_ms > 0) as recorded,
       (select count(*)::int from live_calls) as up from cdrs`,
    );
    return rows[0]?.up === 0 && rows[0].recorded >= begun && rows;
  });
  console.log(tableOf(samples), { begun, refused, badGoodbyes, ...count });
  expect({ refused, badGoodbyes, ...count }).toEqual({
    refused: 0,
    badGoodbyes: 0,
    records: begun,
    recorded: begun,
    up: 0,
  });
  expectSteady(samples);
});

async function sampleOf(pid: number, http: number): Promise<Omit<Sample, "minute" | "lostShare">> {
  const metrics = await (await fetch(`http://127.0.0.1:${http}/metrics`)).text();
  const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)`, "m").exec(metrics)?.[1] ?? Number.NaN);
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return {
    callsUp: metric("santral_calls_up"),
    residentMb: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    loopDelayMs: Math.round(metric("nodejs_eventloop_lag_p99_seconds") * 1_000),
    journalLagSeconds: metric("santral_journal_lag_seconds"),
  };
}

function expectSteady(samples: Sample[]): void {
  const warm = samples.slice(Math.ceil(SAMPLES * WARM_UP_SHARE));
  const middle = (of: Sample[], what: "residentMb" | "descriptors") =>
    of.map((sample) => sample[what]).sort((one, other) => one - other)[Math.floor(of.length / 2)] ?? 0;
  const [first, last] = [warm.slice(0, 10), warm.slice(-10)];
  const [before, after] = [middle(first, "residentMb"), middle(last, "residentMb")];
  expect(after, "MB at the end").toBeLessThan(before * MOST_GROWTH.residentShare + MOST_GROWTH.residentMb);
  expect(middle(last, "descriptors")).toBeLessThan(middle(first, "descriptors") + MOST_GROWTH.descriptors);
  const lost = warm.reduce((sum, { lostShare }) => sum + lostShare, 0) / warm.length;
  expect(lost, "share of packets that were lost").toBeLessThan(MOST_LOST_SHARE);
}

function tableOf(samples: Sample[]): string {
  const chosen = samples.filter((_, at) => at % Math.ceil(SAMPLES / 12) === 0 || at === samples.length - 1);
  return [
    "minute | calls up | MB | descriptors | loop delay p99, ms | journal behind, s | packets lost",
    ...chosen.map((it) =>
      [
        ...[it.minute, it.callsUp, it.residentMb, it.descriptors, it.loopDelayMs, it.journalLagSeconds],
        `${(it.lostShare * 100).toFixed(4)} %`,
      ].join(" | "),
    ),
  ].join("\n");
}
