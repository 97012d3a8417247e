import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { realClock } from "../../src/clock.ts";
import { openDatabase } from "../../src/store/db.ts";
import { connectionTo } from "../../src/store/embedded.ts";
import { sql } from "../../src/store/sql.ts";
import { changesInWords } from "../../src/words/audit/changes.ts";
import { ownCommand } from "../ground/own-command.ts";
import { type SantralProcess, santral, startProcess, temporaryFolder } from "../ground/santral-process.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 }); // several servers are started

const folder = join(temporaryFolder(), "data");
const run = (...words: string[]) => ownCommand(folder, words);
const json = async (...words: string[]) => {
  const { code, stdout, stderr } = await run(...words, "--json");
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown> & Record<string, unknown>[];
};
const refusal = async (...words: string[]) => {
  const { code, stdout, stderr } = await run(...words);
  expect(stdout).toBe("");
  expect(stderr).not.toMatch(/\n\s+at /);
  return { code, says: stderr.trim().replace(/^santral: /, "") };
};

test("where nothing was started yet, a command says so and makes nothing", async () => {
  const { code, says } = await refusal("extension", "list");
  expect(code).toBe(1);
  expect(says).toContain('run "santral start" first');
});

describe("beside a running server", () => {
  let server: SantralProcess;
  beforeAll(async () => {
    server = await startProcess(folder);
  });
  afterAll(() => server.end("SIGTERM"));

  test("a new key works at once, and a revoked one is dead at once", async () => {
    const made = await json("key", "create", "--label", "second");
    expect(made.key).toMatch(/^K[0-9a-f-]{36}$/);
    const ask = async () => (await server.get(`/caller_ids?key=${made.key}`)).status;
    expect(await ask()).toBe(200);
    await json("key", "revoke", String(made.id), "--yes");
    expect(await ask()).toBe(401);
    expect(JSON.stringify(await json("key", "list"))).not.toContain(made.key);
    expect(await refusal("key", "revoke", String(made.id), "--yes")).toMatchObject({ code: 1 });
    expect(await refusal("key", "revoke", "1'; drop table api_keys --", "--yes")).toMatchObject({ code: 1 });
  });

  test("an extension is made, changed, given a new password and deleted", async () => {
    const made = await json(
      "extension",
      "create",
      "1042",
      "name=Derya Ak",
      "agent=yes",
      "outbound-caller-id=0850 532 00 00".replace("0850", "90850"),
    );
    expect(made).toEqual({
      number: "1042",
      password: expect.stringMatching(/^\w{24}$/),
      sip_domain: expect.any(String),
    });
    const { key } = (JSON.parse(readFileSync(join(folder, "first-run.json"), "utf8")) as { exchange: { key: string } })
      .exchange;
    expect(await (await server.get(`/extensions?key=${key}`)).text()).toContain("1042");
    expect(await refusal("extension", "create", "1042")).toEqual({
      code: 1,
      says: "1042 is already the number of an extension",
    });
    expect(await refusal("extension", "create", "200")).toEqual({
      code: 1,
      says: "200 is already the number of a queue",
    });
    expect(await refusal("extension", "create", "12ab")).toMatchObject({
      code: 1,
      says: expect.stringContaining("2 to 8 digits"),
    });
    expect(await refusal("extension", "create", "1043", "--password", "short")).toMatchObject({ code: 2 });
    expect(await refusal("extension", "create", "1043", "--password", "qwerty12345")).toMatchObject({ code: 2 });
    expect(await refusal("mailbox", "set", "1000", "--pin", "1234")).toMatchObject({ code: 2 });
    expect(await refusal("extension", "set", "1042", "max-calls=many")).toMatchObject({
      code: 2,
      says: expect.stringContaining("whole number"),
    });
    expect(await refusal("extension", "set", "1042", "colour=red")).toMatchObject({
      code: 2,
      says: expect.stringContaining('no setting "colour"'),
    });
    await json("extension", "set", "1042", "dnd=yes", "forward-no-answer=voicemail/1000", "forward-busy=");
    expect((await json("extension", "list")).find((it) => it.number === "1042")).toMatchObject({
      dnd: true,
      is_agent: true,
    });
    expect((await json("extension", "password", "1042")).password).not.toBe(made.password);
    expect(await refusal("extension", "password", "9999")).toEqual({ code: 1, says: "there is no extension 9999" });
    expect(await refusal("extension", "delete", "1042")).toMatchObject({
      code: 2,
      says: expect.stringContaining("--yes"),
    });
    await json("extension", "delete", "1042", "--yes");
  });

  test("queues, groups and menus name only what exists, and are not deleted under a number that leads to them", async () => {
    await json("queue", "create", "210", "Muhasebe", "strategy=random", "--members", "1001,1000");
    expect((await json("queue", "members", "210")).map((it) => it.extension)).toEqual(["1001", "1000"]);
    expect(await refusal("queue", "members", "210", "1000,1777")).toEqual({
      code: 1,
      says: "there is no extension 1777",
    });
    expect(await refusal("queue", "members", "210", "1000,1000")).toEqual({
      code: 1,
      says: "1000 stands in the list twice",
    });
    expect((await json("queue", "members", "210", "1002")).map((it) => it.extension)).toEqual(["1002"]);
    await json("group", "create", "710", "Saha", "no-answer-target=queue/210", "--members", "1003,905321234567");
    expect((await json("group", "members", "710")).map((it) => it.member)).toEqual(["1003", "905321234567"]);
    await json(
      "menu",
      "create",
      "11",
      "Gece",
      "keys=1:queue/210;2:group/710;*:restart",
      "timeout-target=hangup/hangup",
    );
    expect(await refusal("menu", "set", "11", "keys=1:queue/999")).toMatchObject({
      code: 2,
      says: "keys: there is no queue 999",
    });
    expect(await refusal("menu", "set", "11", "keys=12:queue/210")).toMatchObject({ code: 2 });
    await json("number", "create", "+90 850 532 00 99", "ivr/11", "closed-target=voicemail/1000", "office-days=1-5");
    expect(await refusal("number", "create", "908505320099", "ivr/11")).toMatchObject({
      says: "908505320099 already belongs to an exchange",
    });
    expect(await refusal("number", "set", "908505320099", "target=nowhere/5")).toMatchObject({ code: 2 });
    expect(await refusal("menu", "delete", "11", "--yes")).toMatchObject({
      says: "menu 11 is in use by number 908505320099: change that first",
    });
    expect(await refusal("queue", "delete", "210", "--yes")).toMatchObject({ code: 1 });
    await json("number", "delete", "908505320099", "--yes");
    await json("menu", "delete", "11", "--yes");
    await json("group", "delete", "710", "--yes");
    await json("queue", "delete", "210", "--yes");
  });

  test("trunks, rules, staff and holidays", async () => {
    await json(
      "trunk",
      "create",
      "carrier",
      "sip.example.com",
      "transport=tls",
      "port=5061",
      "source-addresses=192.0.2.0/24",
      "password=secret word",
    );
    expect(JSON.stringify(await json("trunk", "list"))).not.toContain("secret");
    const ofCarrier = { name: "carrier", approved: ["192.0.2.0/24", "sip.example.com"] };
    expect(await json("trunk", "approve", "carrier")).toEqual(ofCarrier);
    expect(await json("trunk", "approve", "carrier", "--withdraw")).toEqual({ name: "carrier", approved: [] });
    expect(await refusal("trunk", "approve", "carrier", "--withdraw")).toMatchObject({ code: 1 });
    expect(await refusal("trunk", "approve", "nobody")).toMatchObject({ says: "there is no trunk nobody" });
    expect(await refusal("trunk", "set", "carrier", "source-addresses=300.1.2.3")).toMatchObject({ code: 2 });
    await json(
      "rule",
      "create",
      "country",
      "--prefix",
      "90",
      "--priority",
      "1",
      "--trunk",
      "carrier",
      "--caller-id",
      "908505320000",
    );
    const mobiles = ["rule", "create", "mobiles", "--prefix", "905", "--priority", "2", "--trunk", "carrier"];
    expect((await run(...mobiles)).stdout).toContain("mobiles never gets a call: country matches first");
    expect((await run("rule", "list")).stdout).toContain("mobiles never gets a call: country matches first");
    expect(await refusal("trunk", "delete", "carrier", "--yes")).toMatchObject({
      says: expect.stringContaining("in use by rule"),
    });
    expect(await refusal("rule", "create", "x", "--trunk", "none")).toEqual({
      code: 1,
      says: "there is no trunk none",
    });
    const staff = await json(
      "staff",
      "create",
      "deniz@example.com",
      "Deniz Ak",
      "--role",
      "read-only",
      "--extension",
      "1001",
    );
    expect(staff.password).toMatch(/^\w{24}$/);
    expect(await refusal("staff", "create", "deniz@example.com", "Deniz")).toMatchObject({
      says: expect.stringContaining("already a staff account"),
    });
    await json("staff", "set", "deniz@example.com", "role=supervisor", "recordings=no");
    expect(await json("staff", "list")).toContainEqual(
      expect.objectContaining({ email: "deniz@example.com", role: "supervisor", recordings: "no" }),
    );
    expect(await refusal("staff", "create", "nobody", "Nobody")).toMatchObject({ code: 2 });
    const holiday = await json("holiday", "create", "2026-10-29", "Cumhuriyet Bayramı", "--target", "hangup/hangup");
    expect(await refusal("holiday", "create", "2026-02-30")).toMatchObject({ code: 2 });
    await json("holiday", "delete", String(holiday.id), "--yes");
    for (const words of [
      ["staff", "delete", "deniz@example.com"],
      ["rule", "delete", "mobiles"],
      ["rule", "delete", "country"],
      ["trunk", "delete", "carrier"],
    ])
      await json(...words, "--yes");
  });

  test("a spending limit needs prices, and says so", async () => {
    const limit = ["exchange", "set", "monthly-spending-limit=500"];
    expect((await run(...limit)).stdout).toContain("no minute has a price yet");
    await json("rate", "set", "all", "9");
    await json("rate", "set", "905", "0.40");
    expect(await json("rate", "list")).toMatchObject([
      { prefix: "905", minute_price: 0.4 },
      { prefix: "", minute_price: 9 },
    ]);
    expect((await run(...limit)).stdout).not.toContain("no minute has a price yet");
    expect(await json("rate", "spent")).toMatchObject({ spent: 0, limit: "500.00" });
    const march = ["--from", "2026-03-01", "--to", "2026-03-31"];
    expect(await json("rate", "spent", "--by", "trunk", ...march)).toEqual({
      ...{ from: "2026-03-01", to: "2026-03-31", by: "trunk", lines: [] },
      sum: { calls: 0, minutes: 0, amount: 0 },
    });
    expect((await run("rate", "spent", "--by", "day", ...march)).stdout).toMatch(
      /^day +calls +minutes +amount\n2026-03-01 /,
    );
    expect(await refusal("rate", "spent", "--by", "moon")).toMatchObject({ code: 2 });
    expect(await refusal("rate", "spent", "--by", "day", "--from", "2026-02-30")).toMatchObject({ code: 2 });
    expect(await refusal("rate", "set", "+90", "1")).toMatchObject({ code: 2 });
    expect(await refusal("rate", "delete", "49")).toEqual({ code: 1, says: "there is no price for 49" });
    for (const prefix of ["905", "all"]) await json("rate", "delete", prefix);
    await json("exchange", "set", "monthly-spending-limit=");
  });

  test("the audit trail tells what commands made of holidays, special days and secrets in files, and no secret", async () => {
    const file = join(folder, "secret.txt");
    writeFileSync(file, "a word of the provider\n");
    const holiday = await json("holiday", "create", "2026-10-28", "Bayram", "--until", "2026-10-29");
    await json("holiday", "delete", String(holiday.id), "--yes");
    await json("sms", "special-days", "SANTRAL", "at=09:30");
    await json("archive", "set", "kind=webdav", "url=https://store.example.com/", "user=us", "--secret-file", file);
    await json("archive", "set", "--secret-file", file);
    const provider = ["issuer=https://id.example.com", "client-id=santral"];
    await json("sso", "set", ...provider, "--client-secret-file", file);
    const db = openDatabase(connectionTo(join(folder, "pg"), "postgres"), realClock, { connections: 1 });
    const lines = await db
      .query<{ details: Record<string, unknown> }>(
        sql`select details from audit_lines where did = 'command' order by id desc limit 6`,
      )
      .finally(() => db.close());
    expect(JSON.stringify(lines)).not.toContain("a word of the provider");
    const told = lines.reverse().map(({ details }) => {
      const changes = changesInWords({ did: "command", details }, "en");
      return changes.map(({ label, was, now }) => [label, was, now].filter((it) => it !== undefined).join(" | "));
    });
    expect(told).toEqual([
      ["Day | 28/10/2026", "Last day | 29/10/2026", "Description | Bayram"],
      ["Day | 28/10/2026 | —", "Last day | 29/10/2026 | —", "Description | Bayram | —"],
      ["By the exchange's clock | 10:00 | 09:30", "Kind of recipient, if they are commercial | Individual | —"],
      expect.arrayContaining(["Access key, or user | us", "Secret key, or password | (hidden)"]),
      ["Secret key, or password | (hidden)"],
      ["Issuer | https://id.example.com", "Client ID | santral", "Client secret | (hidden)"],
    ]);
    await json("sms", "special-days", "SANTRAL", "at=10:00", "commercial=BIREYSEL");
    await json("archive", "off");
    await json("sso", "off");
  });

  test("a second exchange has to be named, and what is done is written down", async () => {
    const second = await json("exchange", "create", "İkinci Şirket");
    expect(second).toMatchObject({ sip_domain: "ikinci-sirket.localhost", key: expect.stringMatching(/^K/) });
    expect(await refusal("exchange", "create", "İkinci Şirket")).toMatchObject({ code: 1 });
    expect(await refusal("extension", "list")).toMatchObject({ code: 2, says: expect.stringContaining("--exchange") });
    expect(await json("extension", "list", "--exchange", String(second.id))).toEqual([]);
    expect(await refusal("extension", "list", "--exchange", "x")).toEqual({ code: 1, says: "there is no exchange x" });
    await json(
      "exchange",
      "set",
      "ring-seconds=25",
      "office-days=1-6",
      "time-zone=Europe/Berlin",
      "--exchange",
      String(second.id),
    );
    expect(await json("exchange", "show", "--exchange", String(second.id))).toMatchObject({
      ring_seconds: 25,
      time_zone: "Europe/Berlin",
    });
    expect(await refusal("exchange", "set", "sip-domain=x.example", "--exchange", "101")).toMatchObject({ code: 1 });
    expect(await refusal("exchange", "set", "time-zone=Mars/Olympus", "--exchange", "101")).toMatchObject({ code: 2 });
    expect((await server.get(`/caller_ids?key=${second.key}`)).status).toBe(200);
    await json("exchange", "delete", String(second.id), "--yes");
    expect((await server.get(`/caller_ids?key=${second.key}`)).status).toBe(401);
    expect(await refusal("exchange", "delete", "abc", "--yes")).toEqual({ code: 1, says: "there is no exchange abc" });
  });

  test("status, config, version, doctor and jobs answer", async () => {
    expect(await json("status")).toMatchObject({
      running: true,
      state: "ready",
      http: server.run.http,
      calls: 0,
      refusing_calls: false,
      calls_refused: 0,
    });
    const settings = await json("config");
    expect(settings.find((it) => it.variable === "SANTRAL_DATA")).toMatchObject({ value: folder });
    expect(await json("version")).toMatchObject({ version: expect.stringMatching(/^\d/) });
    const { healthy, findings } = (await json("doctor")) as unknown as {
      healthy: boolean;
      findings: { check: string; says: string }[];
    };
    expect(healthy).toBe(true);
    expect(findings).toContainEqual(
      expect.objectContaining({ check: "database", is: "ok", says: "what it has acknowledged survives a power cut" }),
    );
    expect(await json("jobs", "dead")).toEqual([]);
    expect(await refusal("jobs", "retry", "7")).toEqual({ code: 1, says: "there is no given-up job 7" });
    expect(await refusal("jobs", "discard", "7", "--yes")).toEqual({ code: 1, says: "there is no given-up job 7" });
    expect(await json("jobs", "discard", "all", "--yes")).toEqual({ discarded: 0 });
    expect((await run("nonsense")).code).toBe(2);
    expect((await run("extension", "create")).code).toBe(2);
    expect((await run("--help")).code).toBe(0);
  });

  test("restore is refused while it runs, backup is not", async () => {
    const file = join(folder, "..", "running.tar.gz");
    expect(await json("backup", file)).toMatchObject({ rows: expect.any(Number) });
    expect(await refusal("backup", file)).toMatchObject({ code: 2, says: expect.stringContaining("Replace it?") });
    expect(await refusal("restore", file)).toMatchObject({ code: 4, says: expect.stringContaining("stop it first") });
    expect(await refusal("backup", "/nowhere/at/all.tar.gz")).toMatchObject({ code: 1 });
  });
});

test("the run file of a killed server fools nobody, though its number is that of another process by now", async () => {
  const runFile = join(folder, "run.json");
  const killed = await startProcess(folder);
  await killed.end("SIGKILL");
  const left = JSON.parse(readFileSync(runFile, "utf8")) as { pid: number; began: string };
  writeFileSync(runFile, JSON.stringify({ ...left, pid: process.pid }));
  expect(await run("status")).toMatchObject({ code: 1, stdout: expect.stringContaining("no server runs") });
  expect((await run("doctor")).stdout).not.toContain("open by our server");
  expect(await refusal("phone", "1000")).toMatchObject({ says: expect.stringContaining("no server runs") });
  expect((await run("extension", "list")).code).toBe(0);
});

test("without a server, a command starts the database for itself, and several wait for one another", async () => {
  const several = await Promise.all(["1", "2", "3"].map((n) => santral(folder, ["extension", "create", `130${n}`])));
  expect(several.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect((await json("extension", "list")).filter((it) => String(it.number).startsWith("130"))).toHaveLength(3);
  expect((await run("status")).code).toBe(1);
});

test("a backup of everything comes back in another folder, with files, and starts", async () => {
  const file = join(folder, "..", "all.tar.gz");
  await json("demo", "--cdrs", "300", "--contacts", "40", "--seed", "test");
  expect(await json("demo", "--cdrs", "300", "--contacts", "40", "--seed", "test")).toMatchObject({
    calls: 0,
    contacts: 0,
  });
  const done = await json("backup", file);
  const other = join(temporaryFolder(), "data");
  const restored = await ownCommand(other, ["restore", file, "--json"]);
  expect(restored.stderr).toBe("");
  expect(JSON.parse(restored.stdout)).toMatchObject({ files: done.files });
  const server = await startProcess(other);
  const { key } = (JSON.parse(readFileSync(join(folder, "first-run.json"), "utf8")) as { exchange: { key: string } })
    .exchange;
  const page = (await (await server.get(`/cdrs?key=${key}&start_date=2000-01-01&limit=10`)).json()) as {
    pagination?: { total_count: number };
  };
  expect(page.pagination?.total_count).toBe(300);
  await server.end("SIGTERM");
});
