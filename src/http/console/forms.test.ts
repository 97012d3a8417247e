import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { consoleTown } from "../../../test/town/console-town.ts";
import { blankField } from "../../forms/definition.ts";
import { listAuditLines } from "../../store/audit.ts";
import { oweForms } from "../../store/call-forms.ts";
import { sql } from "../../store/sql.ts";

const { db, ours, theirs, member } = await consoleTown();
const [boss, agent, reader] = await Promise.all([member("administrator"), member("standard"), member("read-only")]);
const subject = { ...blankField, label: "Konu", required: true, choices: [] as string[] };
const mood = { ...blankField, label: "Sonuç", is: "one-of" as const, choices: ["İyi", "Kötü"] };
const STRETCH = { from: "2026-03-01T00:00:00Z", before: "2026-03-03T00:00:00Z" };
const atMs = Date.parse("2026-03-01T22:30:00Z");
let made = 0;

const form = async () => {
  made += 1;
  return (await boss.ask("forms.create", { name: `Form ${made}`, active: true, fields: [subject, mood] })).id;
};

async function owe(formId: number, extension: string): Promise<string> {
  const callUuid = randomUUID();
  const about = { direction: "inbound", number: "0532", name: "=Ali", queue: "200", version: 1 } as const;
  await oweForms(db, [{ ...about, callUuid, extension, formId, atMs, exchangeId: ours.id }]);
  return callUuid;
}

const filled = (uuid: string, extension: string, f1: string, f2 = "İyi") => ({ uuid, extension, answers: { f1, f2 } });

test("only administrators define forms, and a bad definition is refused with its place", async () => {
  const wanted = { name: "Yeni", active: true, fields: [subject] };
  for (const person of [agent, reader])
    expect(await person.refused("forms.create", wanted)).toMatchObject({ refused: "not-your-role" });
  const bad = { ...wanted, fields: [subject, { ...mood, choices: [" "] }] };
  expect(await boss.refused("forms.create", bad)).toMatchObject({
    refused: "form-definition",
    problems: [{ at: 1, why: "no-choices" }],
  });
  const many = Array.from({ length: 41 }, (_, at) => ({ ...subject, label: `Alan ${at}` }));
  expect(await boss.refused("forms.create", { ...wanted, fields: many })).toMatchObject({ refused: "invalid" });
  expect(await boss.refused("queues.update", { number: "200", changes: { form: "Yok" } })).toMatchObject({
    refused: "not-found",
    what: "form",
  });
});

test("an agent fills in his own calls, administrators everybody's, and each change has its line", async () => {
  await db.query(
    sql`update staff set extension_id = (select id from extensions where exchange_id = $1 and number = '1000')
     where exchange_id = $1 and role = 'standard'`,
    [ours.id],
  );
  const id = await form();
  const [own, other] = [await owe(id, "1000"), await owe(id, "1001")];
  expect(await reader.refused("forms.fill", filled(own, "1000", "x"))).toMatchObject({ refused: "not-your-role" });
  expect(await agent.refused("forms.fill", filled(other, "1001", "x"))).toMatchObject({ refused: "not-your-role" });
  expect(await agent.refused("forms.fill", filled(other, "1000", "x"))).toMatchObject({ refused: "not-found" });
  await agent.ask("forms.fill", filled(own, "1000", "Benim"));
  await boss.ask("forms.fill", filled(other, "1001", "Onun"));
  expect(await boss.refused("forms.fill", filled(own, "1000", " ", "Yok"))).toMatchObject({
    refused: "form-answers",
    problems: [
      { field: "f1", is: "required" },
      { field: "f2", is: "not-a-choice" },
    ],
  });
  const lines = (await listAuditLines(db, ours.id)).filter(({ did }) => did === "forms.fill");
  expect(lines).toMatchObject([
    { details: { uuid: other, extension: "1001", answers: "(hidden)" } },
    { details: { uuid: own, extension: "1000", answers: "(hidden)" } },
  ]);
});

test("the report counts choices of all versions, and the table is in the exchange's time and without formulas", async () => {
  const id = await form();
  const first = await owe(id, "1000");
  await boss.ask("forms.fill", filled(first, "1000", '=1+1, "iki"'));
  const { fields } = (await boss.ask("forms.list", {})).find((it) => it.id === id)!;
  const renamed = fields.map((field) =>
    field.id === "f2" ? { ...field, label: "Netice", choices: ["Harika"] } : field,
  );
  expect(await boss.ask("forms.update", { id, fields: renamed })).toEqual({ version: 2 });
  const { rows, total } = await reader.ask("reports.forms", { ...STRETCH, form: id, page: 1, limit: 10 });
  expect([total, rows[0]?.fields[1]?.label, rows[0]?.version]).toEqual([1, "Sonuç", 1]);
  expect(await reader.ask("reports.formChoices", { ...STRETCH, form: id })).toEqual([
    {
      id: "f2",
      is: "one-of",
      label: "Netice",
      choices: [
        { choice: "Harika", count: 0 },
        { choice: "İyi", count: 1 },
      ],
    },
  ]);
  const query = new URLSearchParams({ ...STRETCH, form: String(id), lang: "tr" });
  const table = await (await reader.get(`/console/forms.csv?${query}`)).text();
  const [head = "", row = ""] = table.split("\r\n");
  expect(head).toMatch(/;Konu;Netice$/);
  expect(row).toContain("02.03.2026 01:30:00;"); // in Istanbul
  expect(row.endsWith(`${first};"'=1+1, ""iki""";İyi`)).toBe(true);
  expect(row).toContain(";'=Ali;");
  const owed = await owe(id, "1002");
  const waiting = await reader.ask("reports.forms", { ...STRETCH, owed: true, form: id, page: 1, limit: 10 });
  expect(waiting.rows.map(({ callUuid }) => callUuid)).toEqual([owed]);
  expect((await reader.get("/console/forms.csv?from=x")).status).toBe(400);
});

test("a neighbour's administrator finds, changes and fills in nothing", async () => {
  const id = await form();
  const call = await owe(id, "1000");
  const stranger = await member("administrator", theirs.id);
  expect(await stranger.ask("forms.list", {})).toEqual([]);
  expect(await stranger.refused("forms.update", { id, active: false })).toMatchObject({ refused: "not-found" });
  expect(await stranger.refused("forms.delete", { id })).toMatchObject({ refused: "not-found" });
  expect(await stranger.refused("forms.fill", filled(call, "1000", "x"))).toMatchObject({ refused: "not-found" });
  expect(await stranger.ask("reports.forms", { ...STRETCH, page: 1, limit: 10 })).toEqual({ rows: [], total: 0 });
});
