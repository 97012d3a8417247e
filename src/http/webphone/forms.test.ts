import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { httpTown } from "../../../test/town/http-town.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import type { WebLogins } from "../../exchange/signalling/registrar/web-logins.ts";
import { blankField } from "../../forms/definition.ts";
import { listAuditLines } from "../../store/audit.ts";
import { findCallForm, oweForms } from "../../store/call-forms.ts";
import { createForm } from "../../store/forms.ts";
import { sql } from "../../store/sql.ts";
import { issueWebphoneToken } from "../../store/webphone-tokens.ts";
import type { FormSaved, FormShown } from "./shown.ts";

const parts = { exchange: {} as Exchange, webLogins: { issue: () => ({}) } as unknown as WebLogins };
const { db, ours, theirs, ask } = await httpTown(parts);

async function phoneOf(exchangeId: number, extension: string) {
  await db.query(
    sql`insert into staff (exchange_id, name, email, role, password_hash, extension_id)
     select exchange_id, number, $3, 'standard', 'none', id from extensions where exchange_id = $1 and number = $2`,
    [exchangeId, extension, `${extension}-${exchangeId}@example.com`],
  );
  const token = await issueWebphoneToken(db, { exchangeId, extension, now: Date.now() });
  const headers = { authorization: `Bearer ${String(token)}` };
  const json = { ...headers, "content-type": "application/json" };
  return {
    forms: async () => JSON.parse((await ask("GET /webphone/forms", { headers, key: null })).text) as FormShown[],
    session: async () => JSON.parse((await ask("POST /webphone/session", { headers, key: null })).text) as object,
    send: (call: string, body: string) => ask(`POST /webphone/form?call=${call}`, { headers: json, body, key: null }),
    aside: (call: string) => ask(`POST /webphone/form-aside?call=${call}`, { headers, key: null }),
    async save(call: string, answers: object) {
      const reply = await this.send(call, JSON.stringify({ answers: JSON.stringify(answers) }));
      expect(reply).toMatchObject({ status: 200 });
      return JSON.parse(reply.text) as FormSaved;
    },
  };
}

const ann = await phoneOf(ours.id, "1000");
const bob = await phoneOf(ours.id, "1001");
const stranger = await phoneOf(theirs.id, "1000");
const fields = [
  { ...blankField, label: "Konu", required: true },
  { ...blankField, label: "Not", is: "long-text" as const },
];
const formId = Number(await createForm(db, { exchangeId: ours.id, name: "Görüşme", active: true, fields }));

async function owes(extension: string): Promise<string> {
  const callUuid = randomUUID();
  const about = { direction: "inbound", number: "0532", name: "Ali", queue: "200", version: 1 } as const;
  await oweForms(db, [{ ...about, callUuid, extension, formId, atMs: Date.now(), exchangeId: ours.id }]);
  return callUuid;
}

const kept = (callUuid: string, extension = "1000") => findCallForm(db, { exchangeId: ours.id, callUuid, extension });

test("a phone is shown what it owes, saves it with a line in the audit trail, and is shown it no more", async () => {
  const call = await owes("1000");
  expect(await ann.session()).toMatchObject({ hasForms: true });
  expect(await stranger.session()).toMatchObject({ hasForms: false });
  expect(await ann.forms()).toMatchObject([
    { callUuid: call, form: "Görüşme", number: "0532", name: "Ali", queue: "200", aside: false, isUp: false },
  ]);
  const note = "uzun\nmetin ".repeat(300);
  expect(await ann.save(call, { f1: " İade ", f2: note })).toEqual({ saved: true });
  expect(await ann.forms()).toEqual([]);
  expect(await kept(call)).toMatchObject({ answers: { f1: "İade", f2: note.trim() }, filledBy: "1000" });
  const [line] = await listAuditLines(db, ours.id);
  expect(line).toMatchObject({ doer: "web phone", who: "1000", did: "forms.fill", details: { uuid: call } });
  expect(JSON.stringify(line), "answers go with their call").not.toContain("İade");
});

test("what cannot be kept is told field by field, and nothing is written", async () => {
  const call = await owes("1000");
  const problems = [
    { field: "f9", is: "no-such-field" },
    { field: "f1", is: "unreadable" },
    { field: "f2", is: "too-long", limit: 4_000 },
  ];
  expect(await ann.save(call, { f1: "a\u0000b", f2: "x".repeat(4_001), f9: 1 })).toEqual({ problems });
  expect(await ann.save(call, {})).toEqual({ problems: [{ field: "f1", is: "required" }] });
  for (const hostile of ["null", "[]", "7", '"x"', "{", "", '{"__proto__":{"f1":"x"}}'])
    expect((await ann.send(call, JSON.stringify({ answers: hostile }))).text, hostile).not.toContain("saved");
  for (const body of ["", "{}", "[1]", "answers", `{"answers":{"f1":"x"}}`, `{"call":"${randomUUID()}"}`])
    expect((await ann.send(call, body)).status, body).toBe(400);
  expect((await ann.send(call, JSON.stringify({ answers: "x".repeat(1_600_000) }))).status).toBe(413);
  expect(await kept(call)).toMatchObject({ answers: null });
  await ann.save(call, { f1: "sonunda" });
});

test("the form of a call that another took is nobody else's, in this exchange or another", async () => {
  const call = await owes("1001");
  for (const phone of [ann, stranger]) {
    expect(await phone.forms()).toEqual([]);
    expect(await phone.send(call, JSON.stringify({ answers: '{"f1":"x"}' }))).toMatchObject({ status: 400 });
    expect(await phone.aside(call)).toMatchObject({ status: 400 });
  }
  for (const call of ["", "x", "' or 1=1 --", randomUUID()]) {
    const reply = await bob.send(encodeURIComponent(call), JSON.stringify({ answers: '{"f1":"x"}' }));
    expect(reply.status).toBe(400);
  }
  expect(await kept(call, "1001")).toMatchObject({ answers: null, putAside: false });
  expect(await bob.aside(call)).toMatchObject({ status: 200 });
  expect(await bob.forms()).toMatchObject([{ aside: true }]);
  expect(await bob.save(call, { f1: "sonra" })).toEqual({ saved: true });
  expect(await bob.aside(call), "it is filled in").toMatchObject({ status: 400 });
});

test("answers that are more than a form can hold are refused unread, and long texts are not", async () => {
  const call = await owes("1000");
  const send = (answers: string) => ann.send(call, JSON.stringify({ answers }));
  for (const wide of [`{"f1":[${"{},".repeat(20_000)}1]}`, `{${'"a":1,'.repeat(20_000)}"b":1}`, "[".repeat(20_000)])
    expect(await send(wide)).toMatchObject({ status: 400 });
  expect(await ann.save(call, { f1: "a, [b], {c}", f2: `"${",".repeat(3_990)}` })).toEqual({ saved: true });
});
