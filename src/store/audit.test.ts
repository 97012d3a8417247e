import { expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { migrate } from "./migrate.ts";
import { sql } from "./sql.ts";

const MIGRATION = "0180-audit-facts.sql";

test("the sentences of an older exchange become facts, and what is none of them stays", async () => {
  const { owner: db } = await freshDatabase();
  await db.query(sql`alter table audit_lines drop column doer`);
  await db.query(sql`delete from migrations where name = $1`, [MIGRATION]);
  const old = [
    ["a@example.com", "made a queue", { number: "200" }],
    ["the queue", "agent 1001: AVAILABLE to ON_BREAK", { break: "missed calls" }],
    ["extension 1000", "supervises extension 1001 (listen), call 358c", {}],
    ["web phone of extension 1000", "agent 1000: ON_BREAK to AVAILABLE", {}],
    ["extension 1002", "was refused to supervise extension 1001 (whisper)", {}],
    ["the exchange", "the spending limit of 500.00 is reached: no more calls to the outside in 2026-11", {}],
    ["command line (root)", "santral queue create 200", {}],
    ["santral start", "made the demo exchange of the first run", { exchange: 1 }],
    ["a@example.com", "painted the door", {}],
  ];
  for (const [who, did, details] of old)
    await db.query(sql`insert into audit_lines (who, did, details) values ($1, $2, $3)`, [who, did, details]);
  expect(await migrate(db, "src/store/migrations")).toEqual({ applied: [MIGRATION] });
  expect(await db.query(sql`select doer, who, did, details from audit_lines order by id`)).toEqual([
    { doer: "staff", who: "a@example.com", did: "queues.create", details: { number: "200" } },
    {
      doer: "queue",
      who: "",
      did: "agent-moved",
      details: { extension: "1001", from: "AVAILABLE", to: "ON_BREAK", break: "missed calls" },
    },
    {
      doer: "extension",
      who: "1000",
      did: "call-supervised",
      details: { extension: "1001", mode: "listen", call: "358c" },
    },
    {
      doer: "web phone",
      who: "1000",
      did: "agent-moved",
      details: { extension: "1000", from: "ON_BREAK", to: "AVAILABLE" },
    },
    {
      doer: "extension",
      who: "1002",
      did: "supervision-refused",
      details: { extension: "1001", mode: "whisper" },
    },
    {
      doer: "exchange",
      who: "",
      did: "spending-limit-reached",
      details: { limit: "500.00", month: "2026-11" },
    },
    { doer: "command line", who: "root", did: "command", details: { command: "santral queue create 200" } },
    { doer: "start", who: "", did: "demo-made", details: { exchange: 1 } },
    { doer: "staff", who: "a@example.com", did: "painted the door", details: {} },
  ]);
});
