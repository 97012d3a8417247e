import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { blankField, type WantedField } from "../forms/definition.ts";
import { fillCallForm, findCallForm, formsOfCall, formsOwedBy, oweForms, putFormAside } from "./call-forms.ts";
import { updateExchange } from "./exchanges.ts";
import { countChoices, type FormFilter, reportForms, walkForms } from "./form-report.ts";
import { createForm, deleteForm, findForm, formVersions, listForms, updateForm } from "./forms.ts";
import { createQueue, updateQueue } from "./queues.ts";
import { sql } from "./sql.ts";

const { db } = await freshDatabase();
const at = new Date("2026-03-02T09:00:00Z");
const subject = { ...blankField, label: "Konu", required: true };
const wish: Omit<WantedField, "id"> = { ...blankField, label: "İstek", is: "several-of", choices: ["İade", "Değişim"] };
let exchangeId = 0;
let made = 0;

beforeEach(async () => {
  made += 1;
  const [row] = await db.query<{ id: number }>(
    sql`insert into exchanges (name, sip_domain, crm_secret) values ($1, $1, $1) returning id`,
    [`forms-${made}.example`],
  );
  exchangeId = row!.id;
});

async function form(name = "Görüşme", fields: readonly WantedField[] = [subject, wish]): Promise<number> {
  return Number(await createForm(db, { exchangeId, name, active: true, fields }));
}

async function owe(formId: number, more: { extension?: string; version?: number; queue?: string; atMs?: number } = {}) {
  const callUuid = randomUUID();
  const about = { direction: "inbound", number: "05321234567", name: "Ali Veli" } as const;
  const { extension = "1001", version = 1, queue = "200", atMs = at.getTime() } = more;
  await oweForms(db, [{ exchangeId, callUuid, extension, formId, version, atMs, queue, ...about }]);
  return callUuid;
}

const fill = (callUuid: string, answers: Record<string, string | string[] | boolean>, by = "1001") =>
  fillCallForm(db, { exchangeId, callUuid, extension: "1001", answers, by, at });

test("a version that no call has is changed in its place, one that a call has is followed by the next", async () => {
  const id = await form();
  expect(await updateForm(db, { exchangeId, id, fields: [wish] })).toEqual({ version: 1 });
  const first = (await findForm(db, exchangeId, id))!;
  const callUuid = await owe(id);
  expect(await updateForm(db, { exchangeId, id, fields: first.fields, name: "Yeni ad" })).toEqual({ version: 1 });
  const renamed = { ...first.fields[0]!, label: "Dilek", choices: ["İade", "Bilgi"] };
  expect(await updateForm(db, { exchangeId, id, fields: [renamed] })).toEqual({ version: 2 });
  expect(await updateForm(db, { exchangeId, id, fields: [renamed, subject] }), "nobody has it yet").toEqual({
    version: 2,
  });
  expect((await formVersions(db, exchangeId, id)).map(({ version, fields }) => [version, fields.length])).toEqual([
    [2, 2],
    [1, 1],
  ]);
  await fill(callUuid, { f3: ["Değişim"] });
  const [kept] = await formsOfCall(db, exchangeId, callUuid);
  expect(kept, "under the labels it was asked with").toMatchObject({ form: "Yeni ad", version: 1 });
  expect(kept?.fields).toMatchObject([{ id: "f3", label: "İstek", choices: ["İade", "Değişim"] }]);
  expect(await listForms(db, exchangeId)).toMatchObject([{ name: "Yeni ad", version: 2, filled: 1, owed: 0 }]);
});

test("two forms do not have one name, and one that is chosen or filled in is not deleted", async () => {
  const id = await form();
  expect(await createForm(db, { exchangeId, name: "Görüşme", active: true, fields: [subject] })).toMatchObject({
    refused: "name-taken",
  });
  const other = await form("Öbürü");
  expect(await updateForm(db, { exchangeId, id: other, name: "Görüşme" })).toMatchObject({ refused: "name-taken" });
  await createQueue(db, { exchangeId, number: "200", name: "Destek" });
  await updateQueue(db, { exchangeId, number: "200", changes: { form: "Görüşme" } });
  expect(await deleteForm(db, exchangeId, id)).toMatchObject({
    refused: "in-use",
    by: { noun: "queue", which: "200" },
  });
  await updateQueue(db, { exchangeId, number: "200", changes: { form: null } });
  await updateExchange(db, exchangeId, { outbound_form: "Görüşme" });
  expect(await deleteForm(db, exchangeId, id)).toMatchObject({ refused: "in-use", by: { noun: "exchange" } });
  await updateExchange(db, exchangeId, { outbound_form: null });
  await owe(other);
  expect(await deleteForm(db, exchangeId, other)).toMatchObject({ refused: "in-use", by: { noun: "call" } });
  expect(await deleteForm(db, exchangeId, id)).toBeUndefined();
  expect(await deleteForm(db, exchangeId, id)).toMatchObject({ refused: "not-found" });
});

test("a form is owed once for each call and agent, and not when it is gone", async () => {
  const id = await form();
  const callUuid = randomUUID();
  const about = { direction: "outbound", number: "1", name: "", queue: null, atMs: at.getTime(), version: 1 } as const;
  const owed = (extension: string, formId = id) => ({ exchangeId, callUuid, extension, formId, ...about });
  await oweForms(db, [owed("1001"), owed("1002"), owed("1003", id + 1_000)]);
  await oweForms(db, [owed("1001")]);
  expect((await formsOfCall(db, exchangeId, callUuid)).map(({ extension }) => extension)).toEqual(["1001", "1002"]);
});

test("who filled it in first stays known, and who changed it last", async () => {
  const callUuid = await owe(await form());
  expect(await formsOwedBy(db, { exchangeId, extension: "1001", since: at, most: 5 })).toHaveLength(1);
  expect(await putFormAside(db, { exchangeId, callUuid, extension: "1001" })).toBe(true);
  expect(await formsOwedBy(db, { exchangeId, extension: "1001", since: at, most: 5 })).toMatchObject([
    { putAside: true, answers: null },
  ]);
  await fill(callUuid, { f1: "İlk" });
  expect(await findCallForm(db, { exchangeId, callUuid, extension: "1001" })).toMatchObject({
    answers: { f1: "İlk" },
    filledBy: "1001",
    changedBy: null,
  });
  await fill(callUuid, { f1: "Sonra" }, "ann@example.com");
  expect(await findCallForm(db, { exchangeId, callUuid, extension: "1001" })).toMatchObject({
    answers: { f1: "Sonra" },
    filledBy: "1001",
    changedBy: "ann@example.com",
  });
  expect(await putFormAside(db, { exchangeId, callUuid, extension: "1001" }), "filled in").toBe(false);
  expect(await fillCallForm(db, { exchangeId, callUuid, extension: "1009", answers: {}, by: "", at })).toBe(false);
});

test("the report finds by form, agent, queue, day and text, and counts choices", async () => {
  const id = await form();
  const other = await form("Öbürü");
  await fill(await owe(id), { f1: "Kargo %50", f2: ["İade", "Değişim"] });
  await fill(await owe(id, { queue: "201" }), { f1: "Fatura", f2: ["İade"] });
  await fill(await owe(other), { f1: "Başka" });
  await owe(id, { extension: "1002" });
  await owe(id, { atMs: at.getTime() - 86_400_000 });
  const days = { from: at, before: new Date(at.getTime() + 1) };
  const found = async (more: Partial<FormFilter> = {}) => {
    const { rows, total } = await reportForms(
      db,
      exchangeId,
      { ...days, filled: true, ...more },
      { page: 1, limit: 9 },
    );
    expect(rows).toHaveLength(total);
    return rows.map(({ answers, extension }) => answers?.f1 ?? extension).sort();
  };
  expect(await found()).toEqual(["Başka", "Fatura", "Kargo %50"]);
  expect(await found({ form: id })).toEqual(["Fatura", "Kargo %50"]);
  expect(await found({ queues: ["201"] })).toEqual(["Fatura"]);
  expect(await found({ extension: "1002" })).toEqual([]);
  expect(await found({ about: "%50" })).toEqual(["Kargo %50"]);
  expect(await found({ about: "_" }), "a sign like any other").toEqual([]);
  expect(await found({ about: "değiş" })).toEqual(["Kargo %50"]);
  expect(await found({ about: "f1" }), "what is asked is not what was answered").toEqual([]);
  expect(await found({ about: "532123" })).toHaveLength(3);
  expect(await found({ filled: false })).toEqual(["1002"]);
  expect(await found({ filled: false, from: new Date(0) })).toEqual(["1001", "1002"]);
  const every = { filled: true, from: new Date(0), before: days.before };
  const walked: string[] = [];
  for await (const rows of walkForms(db, exchangeId, every, { atOnce: 1 }))
    walked.push(...rows.map((row) => row.callUuid));
  const { rows } = await reportForms(db, exchangeId, every, { page: 1, limit: 99 });
  expect(walked).toEqual(rows.map((row) => row.callUuid));
  expect(await countChoices(db, exchangeId, { ...days, filled: true, form: id }, ["f2"])).toEqual([
    { field: "f2", choice: "İade", count: 2 },
    { field: "f2", choice: "Değişim", count: 1 },
  ]);
});

test("answers go with the record of their call", async () => {
  const callUuid = await owe(await form());
  await fill(callUuid, { f1: "Silinecek" });
  await db.query(
    sql`insert into cdrs (exchange_id, call_uuid, direction, start_stamp, end_stamp, caller_id_number, destination_number,
       hangup_cause) values ($1, $2, 'inbound', $3, $3, '1', '2', 'NORMAL_CLEARING')`,
    [exchangeId, callUuid, at],
  );
  await db.query(sql`delete from cdrs where call_uuid = $1`, [callUuid]);
  expect(await formsOfCall(db, exchangeId, callUuid)).toEqual([]);
});

test("an exchange is deleted with its forms and what was filled in", async () => {
  await fill(await owe(await form()), { f1: "x" });
  await db.query(sql`delete from exchanges where id = $1`, [exchangeId]);
  expect(await db.query(sql`select 1 from call_forms where exchange_id = $1`, [exchangeId])).toEqual([]);
});
