import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { pause, realClock, stopwatch } from "../../src/clock.ts";
import { sql } from "../../src/store/sql.ts";
import { eventually } from "../ground/eventually.ts";
import { nodeTown } from "../ground/nodes.ts";
import { temporaryFolder } from "../ground/santral-process.ts";
import { whenOver } from "../ground/when-over.ts";
import { startBaresip } from "../phones/baresip.ts";
import { CLEAR, type FirstRun, toneFile, toneIn } from "../town/real-town.ts";

vi.setConfig({ testTimeout: 240_000 });

test("two talk on though their node was killed: the other node asks both to come over, and of the call there is one record", async () => {
  const town = await nodeTown();
  const one = await town.start("one");
  const firstRun = JSON.parse(readFileSync(join(town.folderOf("one"), "first-run.json"), "utf8")) as FirstRun;
  const { id, sip_domain: domain } = firstRun.exchange;
  await eventually("it lives there", async () => one.output().includes("exchanges live here from now on"));
  const tones = temporaryFolder();
  const phone = async (user: string, hz: number) => {
    const password = firstRun.extensions.find(({ number }) => number === user)?.password ?? "";
    const plays = toneFile(tones, hz);
    const started = await startBaresip({
      user,
      password,
      domain,
      server: one.run.sip ?? "",
      plays,
      answerMode: "auto",
    });
    whenOver(() => started.kill());
    await started.registered();
    return started;
  };
  const [caller, callee] = [await phone("1000", 440), await phone("1001", 660)];
  const two = await town.start("two");
  await caller.dial("1001");
  await caller.event("CALL_ESTABLISHED");
  await callee.event("CALL_ESTABLISHED");
  await pause(realClock, 3_000);
  const elapsedMs = stopwatch(realClock);
  await one.end("SIGKILL");
  await eventually("the call goes on there", async () => two.output().includes("calls that were up go on"));
  process.stdout.write(`calls went on ${Math.round(elapsedMs())} ms after the kill\n`);
  expect(await town.nodeOf(id)).toBe("two");
  await pause(realClock, 4_000);
  const live = await town.root.query(sql`select call_uuid from live_calls`);
  expect(live).toHaveLength(1);
  await caller.hangUp();
  await callee.event("CALL_CLOSED");
  const [record] = await eventually("it has its record", async () => {
    const rows = await town.root.query<{ cause: string; seconds: number; story: { is: string }[] }>(
      sql`select hangup_cause as cause, talk_seconds as seconds, story from cdrs join call_stories using (call_uuid)`,
    );
    return rows.length > 0 && rows;
  });
  expect(record).toMatchObject({ cause: "NORMAL_CLEARING" });
  expect(record?.seconds).toBeGreaterThan(5);
  expect(record?.story.map(({ is }) => is)).toContain("resumed");
  expect(await town.root.query(sql`select from cdrs`)).toHaveLength(1);
  const [heard = ""] = (await callee.recordings("dec")).slice(-1);
  expect(toneIn(heard, 440, { lastMs: 2_000 })).toBeGreaterThan(CLEAR);
});
