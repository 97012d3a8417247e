import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { pause, realClock, stopwatch } from "../../src/clock.ts";
import { sql } from "../../src/store/sql.ts";
import { eventually } from "../ground/eventually.ts";
import { nodeTown } from "../ground/nodes.ts";
import { type SantralProcess, temporaryFolder } from "../ground/santral-process.ts";
import { whenOver } from "../ground/when-over.ts";
import { startBaresip } from "../phones/baresip.ts";
import { CLEAR, type FirstRun, toneFile, toneIn } from "../town/real-town.ts";

vi.setConfig({ testTimeout: 240_000 });

test("a node that is drained lets its calls go on elsewhere: they are heard from there, end there, and have one record each", async () => {
  const town = await nodeTown();
  const one = await town.start("one");
  const firstRun = JSON.parse(readFileSync(join(town.folderOf("one"), "first-run.json"), "utf8")) as FirstRun;
  const { sip_domain: domain } = firstRun.exchange;
  await town.root.query(sql`update exchanges set record_internal = true`);
  await eventually("it lives there", async () => one.output().includes("exchanges live here from now on"));
  const liveAt = async () =>
    (await town.root.query<{ node: string }>(sql`select node from live_calls`)).map(({ node }) => node);
  const tones = temporaryFolder();
  const phone = async (user: string, hz: number, answerMode: "auto" | "manual" = "auto") => {
    const password = firstRun.extensions.find(({ number }) => number === user)?.password ?? "";
    const plays = toneFile(tones, hz);
    const server = one.run.sip ?? "";
    const started = await startBaresip({ user, password, domain, server, plays, answerMode });
    whenOver(() => started.kill());
    await started.registered();
    return started;
  };
  const [caller, callee] = [await phone("1000", 440), await phone("1001", 660)];
  const [holder, held] = [await phone("1002", 550), await phone("1003", 770)];
  const rung = await phone("1004", 880, "manual");
  const two = await town.start("two");
  await caller.dial("1001");
  await callee.event("CALL_ESTABLISHED");
  await holder.dial("1003");
  await held.event("CALL_ESTABLISHED");
  await holder.command("hold");
  await holder.dial("1004");
  await rung.event("CALL_INCOMING");
  await pause(realClock, 2_000);
  const goesTo = async (node: SantralProcess, from: string, ...how: string[]) => {
    const before = node.output().length;
    const elapsedMs = stopwatch(realClock);
    expect(await town.command("node", "drain", from, ...how)).toContain("gives its 1 exchanges");
    await eventually("the calls go on there", async () =>
      node.output().slice(before).includes("calls that were up go on"),
    );
    process.stdout.write(`calls went on ${Math.round(elapsedMs())} ms after the command was given\n`);
    await pause(realClock, 3_000);
  };
  const drained = await town.command("node", "drain", "one");
  expect(drained).toMatch(/it waits for the end of 1 calls that cannot move[\s\S]*1 in which somebody is rung/);
  expect(await town.command("node", "list")).toMatch(/^one .* 1 rings$/m);
  await goesTo(two, "one", "--now"); // who rings is not waited for, and rung again
  expect(await liveAt()).toEqual(["two", "two", "two"]);
  await rung.event("CALL_CLOSED");
  await rung.event("CALL_INCOMING");
  await rung.command("accept");
  await rung.event("CALL_ESTABLISHED");
  await pause(realClock, 1_000);
  await town.command("node", "resume", "one");
  await goesTo(one, "two");
  expect(await liveAt()).toEqual(["one", "one", "one"]);
  await two.end("SIGTERM");
  await pause(realClock, 2_000);
  await caller.hangUp();
  await callee.event("CALL_CLOSED");
  for (const other of [rung, held]) {
    await other.hangUp();
    await holder.event("CALL_CLOSED");
  }
  const records = await eventually("they have their records", async () => {
    const rows = await town.root.query<{ cause: string; seconds: number; story: { is: string }[] }>(
      sql`select hangup_cause as cause, talk_seconds as seconds, story from cdrs join call_stories using (call_uuid)`,
    );
    return rows.length > 2 && rows;
  });
  expect(records).toHaveLength(3);
  for (const { cause, seconds, story } of records) {
    expect(cause).toBe("NORMAL_CLEARING");
    expect(seconds).toBeGreaterThan(3);
    expect(story.filter(({ is }) => is === "resumed")).toHaveLength(2);
  }
  const [heard = ""] = (await callee.recordings("dec")).slice(-1);
  expect(toneIn(heard, 440, { lastMs: 2_000 })).toBeGreaterThan(CLEAR);
  for (const { output } of [one, two]) expect(output()).not.toMatch(/a leg of a call broke|does not expect/);
});
