import { expect, test } from "vitest";
import { httpTown } from "../../../test/town/http-town.ts";
import { createTitle } from "../../store/sms-titles.ts";
import { sql } from "../../store/sql.ts";

const probed: [string, string | undefined][] = [];
const { ask, db, ours, theirs } = await httpTown({
  probeUrl: async (url, body) => {
    probed.push([url, body]);
    return !url.includes("dead");
  },
});

const usual = { call_type: "ivr", name: "Anket", phone_list: [{ phone: "905321234567" }], digit_target_1: "hangup" };
const create = (more: object, key?: string) =>
  ask("POST /ivr_campaigns.json", {
    body: JSON.stringify({ ...usual, ...more }),
    headers: { "content-type": "application/json" },
    ...(key ? { key } : {}),
  });

test("a webhook is tried with an empty POST before anything is written", async () => {
  expect(await create({ webhook_url: "https://dead.example.com/keys" })).toMatchObject({
    status: 400,
    text: "webhook_url did not return 200",
  });
  expect(await db.query(sql`select from call_campaigns`)).toEqual([]);
  expect((await create({ webhook_url: "https://crm.example.com/keys" })).status).toBe(200);
  expect(probed).toEqual([
    ["https://dead.example.com/keys", ""],
    ["https://crm.example.com/keys", ""],
  ]);
});

test("whoever sells names an approved brand of his own", async () => {
  await createTitle(db, ours.id, { name: "MAGAZA", iysBrandCode: 700123 });
  await createTitle(db, theirs.id, { name: "BASKA", iysBrandCode: 700999 });
  const selling = { is_commercial: "true", iys_recipient_type: "bireysel" };
  expect((await create({ ...selling, iys_brand_code: 700999 })).text).toBe("invalid iys_brand_code: 700999");
  const id = (await create({ ...selling, iys_brand_code: 700123 })).text;
  expect(JSON.parse((await ask(`GET /ivr_campaigns/${id}`)).text)).toMatchObject({
    is_commercial: true,
    iys_recipient_type: "BIREYSEL",
    iys_brand_code: 700123,
  });
});

test("whoever stands in the list twice with the same words is called once", async () => {
  const list = ["905321234567", "05321234567", "905321234568"].map((phone) => ({ phone }));
  const id = (await create({ phone_list: [...list, { phone: "905321234567", phrase: "73.56" }] })).text;
  const { ivr_leads: leads } = JSON.parse((await ask(`GET /ivr_campaigns/${id}/report`)).text) as {
    ivr_leads: { phone: string }[];
  };
  expect(leads.map(({ phone }) => phone)).toEqual(["905321234567", "905321234568", "905321234567"]);
});

test.each([
  ["short", ""],
  ["long", " ".repeat(600_000)],
])("numbers come as a list, as its JSON text or with commas, in a %s body", async (_length, blanks) => {
  const list = ["905321234567", "905321234568"].map((phone) => ({ phone }));
  for (const phone_list of [list, `${JSON.stringify(list)}${blanks}`, `905321234567, 905321234568,${blanks}`]) {
    const id = (await create({ phone_list, caller_name: blanks })).text;
    const { ivr_leads: leads } = JSON.parse((await ask(`GET /ivr_campaigns/${id}/report`)).text) as {
      ivr_leads: { phone: string }[];
    };
    expect(leads.map(({ phone }) => phone)).toEqual(["905321234567", "905321234568"]);
  }
  expect(await create({ phone_list: `${"[".repeat(20)}${blanks}` })).toMatchObject({ status: 400 });
});

test("the multi-line module and the stricter reading of targets are the exchange's to switch", async () => {
  await db.query(sql`update exchanges set multi_line_campaigns = false, strict_campaign_targets = true where id = $1`, [
    ours.id,
  ]);
  expect(await create({ max_thread_count: 5 })).toMatchObject({
    status: 403,
    text: "multi-line automatic calls are off",
  });
  const queue = { call_type: "queue", queue_number: "200", digit_target_1: "" };
  expect((await create(queue)).text).toBe("at least one digit target is required");
  expect((await create({ ...queue, timeout_target: "hangup/hangup" })).status).toBe(200);
  const id = (await create({})).text;
  expect(JSON.parse((await ask(`GET /ivr_campaigns/${id}`)).text)).toMatchObject({ max_thread_count: 1 });
  await db.query(sql`update exchanges set multi_line_campaigns = true, strict_campaign_targets = false where id = $1`, [
    ours.id,
  ]);
});

test("more numbers than a campaign may have are refused, and one wrong number refuses all", async () => {
  const many = Array.from({ length: 100_001 }, (_, n) => ({ phone: `90532${1_000_000 + n}` }));
  expect((await create({ phone_list: many })).text).toBe("phone_list is too long (maximum is 100000 numbers)");
  const before = await db.query(sql`select count(*) as n from campaign_numbers`);
  expect((await create({ phone_list: [...many.slice(0, 10), { phone: "12345678901234567890" }] })).status).toBe(400);
  expect(await db.query(sql`select count(*) as n from campaign_numbers`)).toEqual(before);
});

test("a stranger neither sees, stops nor deletes a campaign", async () => {
  const id = (await create({})).text;
  for (const line of [
    `GET /ivr_campaigns/${id}`,
    `PATCH /ivr_campaigns/${id}?status=off`,
    `DELETE /ivr_campaigns/${id}`,
  ])
    expect(await ask(line, { key: theirs.key })).toMatchObject({
      status: 404,
      text: `Cannot find ivr_campaign with ID ${id}`,
    });
  expect((await ask(`GET /ivr_campaigns/${id}`)).text).toContain('"status":"on"');
});

test("the report is a CSV file, too", async () => {
  const id = (await create({ phone_list: [{ phone: "05321234567" }, { phone: "00491701234567" }] })).text;
  const { status, type, text } = await ask(`GET /ivr_campaigns/${id}/report.csv`);
  expect({ status, type }).toEqual({ status: 200, type: "text/csv; charset=utf-8" });
  const [head, first, second, end] = text.split("\n");
  expect(head).toMatch(/^ivr_lead_id,phone,state,attempts,digit,result,duration,/);
  expect(first).toMatch(/^\d+,905321234567,waiting,0,,,00:00:00,,false,false,false,,$/);
  expect(second).toContain(",00491701234567,");
  expect(end).toBe("");
});
