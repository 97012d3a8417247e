// Sections 2.2 and 2.3, 2.6, 2.7, 2.11 and 2.12: extensions, queues, blocked numbers, contacts, CRM, web phone.

import { expect } from "vitest";
import type { World } from "../exchange-world.ts";
import { form, jsonType, type Row } from "./row.ts";

const NUMBER = /^\d+$/;

export function peopleRows(world: World): Row[] {
  return [
    ...numberRows(world),
    ...extensionRows(world),
    ...queueRows(world),
    ...blockedRows,
    ...groupRows(world),
    ...contactRows(world),
    ...crmRows,
    ...tokenRows(world),
  ];
}

function numberRows({ ours }: World): Row[] {
  const [first, second] = ours.callerIds as [string, string];
  return [
    { what: "caller IDs are an array of strings", ask: "GET /caller_ids", json: ours.callerIds },
    {
      what: "an outbound number is chosen",
      ask: `GET /update_outbound_caller_id?extension=1000&caller_id=${first}`,
      text: "OK",
      after: async ({ ask }) =>
        expect((await ask("GET /extensions/1000")).text).toContain(`"outbound_caller_id_number":"${first}"`),
    },
    {
      what: "in national form, by POST",
      ask: "POST /update_outbound_caller_id",
      headers: form,
      body: `extension=1001&caller_id=0${second.slice(2)}`,
      text: "OK",
    },
    {
      what: "with a number the exchange does not own",
      ask: "GET /update_outbound_caller_id?extension=1000&caller_id=902120000000",
      status: 400,
      text: "invalid caller_id: 902120000000",
    },
    {
      what: "for an extension that does not exist",
      ask: `GET /update_outbound_caller_id?extension=1005&caller_id=${first}`,
      status: 400,
      text: "extension 1005 not found",
    },
    {
      what: "without a caller ID",
      ask: "GET /update_outbound_caller_id?extension=1000",
      status: 400,
      text: "caller_id can't be blank",
    },
    {
      what: "without an extension",
      ask: `GET /update_outbound_caller_id?caller_id=${first}`,
      status: 400,
      text: "extension can't be blank",
    },
  ];
}

function extensionRows({ ours }: World): Row[] {
  const shown = (number: string, dnd = false) => ({
    number,
    name: `DAHİLİ-${number}`,
    dnd,
    is_agent: false,
    domain: "ours.example.com",
  });
  const detail = {
    number: "1002",
    domain: "ours.example.com",
    name: "DAHİLİ-1002",
    dnd: false,
    is_agent: false,
    max_calls: 2,
    use_webrtc: false,
    time_range_begin: "00:00",
    time_range_end: "23:59",
    outbound_caller_id_number: "",
  };
  return [
    { what: "extensions are listed", ask: "GET /extensions", json: [shown("1000"), shown("1001"), shown("1002")] },
    { what: "an extension is shown without its password", ask: "GET /extensions/1002", json: detail },
    { what: "an unknown extension", ask: "GET /extensions/1005", status: 404, text: "extension 1005 not found" },
    { what: "do-not-disturb on", ask: "GET /dnd/1000?state=on", text: "Changed DND of 1000 to on." },
    {
      what: "is seen in the statuses",
      ask: "GET /user_statuses",
      json: [
        { user: 1000, status: "SS_DND" },
        { user: 1001, status: "UNREGISTERED" },
        { user: 1002, status: "UNREGISTERED" },
      ],
    },
    {
      what: "and found by the filter",
      ask: "GET /user_statuses?status=SS_DND",
      json: [{ user: 1000, status: "SS_DND" }],
    },
    { what: "do-not-disturb off, in capitals", ask: "GET /dnd/1000?state=OFF", text: "Changed DND of 1000 to off." },
    { what: "is seen at once", ask: "GET /user_statuses?user=1000", json: [{ user: 1000, status: "UNREGISTERED" }] },
    {
      what: "do-not-disturb by POST with parameters",
      ask: "POST /dnd",
      headers: form,
      body: "id=1000&state=off",
      text: "Changed DND of 1000 to off.",
    },
    { what: "do-not-disturb without a state", ask: "GET /dnd/1000", status: 400, text: "state must be on or off" },
    {
      what: "do-not-disturb with another state",
      ask: "GET /dnd/1000?state=maybe",
      status: 400,
      text: "state must be on or off",
    },
    {
      what: "do-not-disturb of an unknown extension",
      ask: "GET /dnd/1005?state=on",
      status: 400,
      text: "extension 1005 not found",
    },
    {
      what: "an unknown status to filter by",
      ask: "GET /user_statuses?status=BUSY",
      status: 400,
      text: "invalid status: BUSY",
    },
    { what: "a status in other letters", ask: "GET /user_statuses?status=available", json: [] },
    { what: "an unknown user", ask: "GET /user_statuses?user=4711", json: [] },
    {
      what: "agents without a session are logged out",
      ask: "GET /agent_statuses",
      json: [
        { agent: "1000", status: "LOGGED_OUT", queues: ["200"] },
        { agent: "1001", status: "LOGGED_OUT", queues: ["200"] },
      ],
    },
    {
      what: "a break has a description",
      ask: "GET /agent_statuses?agent=1001",
      json: [{ agent: "1001", status: "LOGGED_OUT", queues: ["200"] }],
      after: async ({ db, ask }) => {
        await db.query(
          `insert into agent_states (exchange_id, extension_id, status, break_description) select exchange_id, id, 'ON_BREAK', 'Kahve' from extensions where exchange_id = $1 and number = '1001'`,
          [ours.id],
        );
        expect((await ask("GET /agent_statuses?status=ON_BREAK")).text).toBe(
          '[{"agent":"1001","status":"ON_BREAK","queues":["200"],"break_description":"Kahve"}]',
        );
        await db.query(`delete from agent_states where exchange_id = $1`, [ours.id]);
      },
    },
    { what: "agents of one queue", ask: "GET /agent_statuses?queue=201", json: [] },
    {
      what: "agents of a queue by name",
      ask: "GET /agent_statuses?queue=Kuyruk%201&agent=1000",
      json: [{ agent: "1000", status: "LOGGED_OUT", queues: ["200"] }],
    },
    {
      what: "an unknown agent status",
      ask: "GET /agent_statuses?status=SLEEPING",
      status: 400,
      text: "invalid status: SLEEPING",
    },
  ];
}

function queueRows(_: World): Row[] {
  const members = async ({ ask }: World) => (await ask("GET /queue/user_list?queue_number=201")).text;
  return [
    {
      what: "queues are listed with integer numbers",
      ask: "GET /queues",
      json: [
        { number: 200, name: "Kuyruk 1" },
        { number: 201, name: "Kuyruk 2" },
      ],
    },
    {
      what: "members come in order",
      ask: "GET /queue/user_list?queue_number=200",
      json: [
        { user: 1001, name: "DAHİLİ-1001" },
        { user: 1000, name: "DAHİLİ-1000" },
      ],
    },
    {
      what: "members by the other parameter",
      ask: "GET /queue/user_list?queue=200",
      shows: (list: unknown[]) => expect(list).toHaveLength(2),
    },
    {
      what: "members of an unknown queue",
      ask: "GET /queue/user_list?queue_number=209",
      status: 404,
      text: "Queue_number value null or none 209",
    },
    { what: "members of no queue", ask: "GET /queue/user_list", status: 400, text: "Queue_number value null or none" },
    {
      what: "members are set in order",
      ask: "GET /queue/manage_users?queue_number=201&user_list=1002,1000",
      text: "OK",
      after: async (world) =>
        expect(await members(world)).toBe('[{"user":1002,"name":"DAHİLİ-1002"},{"user":1000,"name":"DAHİLİ-1000"}]'),
    },
    {
      what: "members are reordered, one leaves, one comes",
      ask: "GET /queue/manage_users?queue_number=201&user_list=1000,%201001",
      text: "OK",
      after: async (world) =>
        expect(await members(world)).toBe('[{"user":1000,"name":"DAHİLİ-1000"},{"user":1001,"name":"DAHİLİ-1001"}]'),
    },
    {
      what: "an unknown member changes nothing",
      ask: "GET /queue/manage_users?queue_number=201&user_list=1002,1039",
      status: 400,
      text: "User value null or none 1039",
      after: async (world) => expect(await members(world)).toContain('"user":1000'),
    },
    {
      what: "no member list",
      ask: "GET /queue/manage_users?queue_number=201",
      status: 400,
      text: "user_list value null or none",
    },
    {
      what: "an empty member list",
      ask: "GET /queue/manage_users?queue_number=201&user_list=",
      status: 400,
      text: "user_list value null or none",
    },
    {
      what: "no queue",
      ask: "GET /queue/manage_users?user_list=1000",
      status: 400,
      text: "Queue_number value null or none",
    },
    {
      what: "an unknown queue",
      ask: "GET /queue/manage_users?queue_number=200000&user_list=1000",
      status: 404,
      text: "Queue_number value null or none 200000",
    },
    {
      what: "one member added by the other spelling",
      ask: "GET /queue/manage_users?queue=Kuyruk%202&extension=1002&action=add",
      text: "OK",
      after: async (world) => expect(await members(world)).toMatch(/1000.*1001.*1002/),
    },
    {
      what: "added twice",
      ask: "GET /queue/manage_users?queue_number=201&user=1002&action=add",
      status: 400,
      text: "You are trying to add an existing user 1002",
    },
    {
      what: "one member removed",
      ask: "GET /queue/manage_users?queue_number=201&user=1000&action=remove",
      text: "OK",
      after: async (world) => expect(await members(world)).not.toContain("1000"),
    },
    {
      what: "JSON numbers as members",
      ask: "POST /queue/manage_users",
      headers: jsonType,
      body: '{"queue_number":201,"user_list":[1002]}',
      text: "OK",
    },
  ];
}

const blockedRows: Row[] = [
  {
    what: "blocked numbers are listed",
    ask: "GET /blocked_numbers",
    shows: ({ blocked_numbers: [first] }: { blocked_numbers: [{ id: number; number: string }] }) =>
      expect(Object.keys(first)).toEqual(["id", "number"]),
  },
  {
    what: "a number is blocked",
    ask: "POST /blocked_numbers",
    headers: jsonType,
    body: '{"number":"05531234567"}',
    text: NUMBER,
    after: async ({ ask }) => expect((await ask("GET /blocked_numbers")).text).toContain('"number":"905531234567"'),
  },
  ...[
    "905531234567",
    "%2B905531234567",
    "+905531234567",
    "5531234567",
    "0090%20553%20123-45-67",
    "(0553)%20123%2045%2067",
  ].map((number) => ({
    what: `${number} is the same number`,
    ask: `POST /blocked_numbers?number=${number}`,
    status: 400,
    text: "905531234567 is already blocked",
  })),
  { what: "without a number", ask: "POST /blocked_numbers", status: 400, text: "number required" },
  { what: "with a word", ask: "POST /blocked_numbers?number=abc", status: 400, text: "invalid number: abc" },
  {
    what: "in the other direction",
    ask: "POST /blocked_numbers?number=05531234567&direction=outbound",
    text: NUMBER,
    after: async ({ ask }) =>
      expect((await ask("GET /blocked_numbers")).text).toContain('"number":"905531234567","direction":"outbound"'),
  },
  {
    what: "in no known direction",
    ask: "POST /blocked_numbers?number=05531234567&direction=up",
    status: 400,
    text: "direction must be inbound or outbound",
  },
  {
    what: "a number is unblocked in every direction",
    ask: "DELETE /blocked_numbers/delete?number=5531234567",
    text: "OK",
    after: async ({ ask }) => expect((await ask("GET /blocked_numbers")).text).not.toContain("905531234567"),
  },
  {
    what: "a number that is not blocked",
    ask: "DELETE /blocked_numbers/delete?number=5531234567",
    status: 400,
    text: "905531234567 is not blocked",
  },
  { what: "unblocking nothing", ask: "DELETE /blocked_numbers/delete", status: 400, text: "number required" },
];

function groupRows({ ours }: World): Row[] {
  const id = ours.groupId;
  return [
    {
      what: "groups are listed",
      ask: "GET /contact_groups",
      shows: (groups: unknown[]) => expect(groups[0]).toEqual({ id, name: "Müşteriler" }),
    },
    {
      what: "a group is created",
      ask: "POST /contact_groups",
      headers: jsonType,
      body: JSON.stringify({ key: ours.key, name: "Bayiler" }),
      text: NUMBER,
    },
    { what: "a group without a name", ask: "POST /contact_groups", status: 400, text: "name can't be blank" },
    { what: "a group is renamed", ask: `PATCH /contact_groups/${id}?name=M%C3%BC%C5%9Fteri`, text: "OK" },
    {
      what: "a group is renamed to nothing",
      ask: `PATCH /contact_groups/${id}`,
      status: 400,
      text: "name can't be blank",
    },
    {
      what: "an unknown group is renamed",
      ask: "PATCH /contact_groups/20212?name=x",
      status: 400,
      text: "cannot find group with id: 20212",
    },
    {
      what: "a group with an impossible id",
      ask: "PATCH /contact_groups/abc?name=x",
      status: 400,
      text: "cannot find group with id: abc",
    },
    {
      what: "an id beyond every number",
      ask: "DELETE /contact_groups/99999999999999999999",
      status: 400,
      text: "cannot find group with id: 99999999999999999999",
    },
    {
      what: "an unknown group is deleted",
      ask: "DELETE /contact_groups/20212",
      status: 400,
      text: "cannot find group with id: 20212",
    },
  ];
}

function contactRows({ ours }: World): Row[] {
  const base = "name=Ali&surname=Veli&phone=05531234567";
  const id = ours.contactId;
  const group = ours.groupId;
  const groupsOfLast = async ({ db }: World) =>
    (
      await db.query<{ ids: number[] }>(
        `select array(select group_id from contact_group_members where contact_id = c.id order by 1)::int[] as ids from contacts c where exchange_id = $1 order by id desc limit 1`,
        [ours.id],
      )
    )[0]!.ids;
  const inGroup = async (world: World) => expect(await groupsOfLast(world)).toEqual([group]);
  const whole = {
    name: "Ayşe",
    surname: "Yılmaz",
    phone: "05531234567",
    phone1: "05539999999",
    salutation: "Sayın",
    tckn: "12345678901",
    description: "d",
    email: "a@example.com",
    title: "t",
    phone2: "2",
    fax: "3",
    gender: "F",
    birthday: "21.03.1980",
    birthday_sms: "true",
    weddingday: "2001-09-01",
    weddingday_sms: "t",
    address: "a",
    note1: "1",
    note2: "2",
    note3: "3",
    note4: "4",
    company_name: "c",
    monthly_sms_day: "9",
    monthly_sms_message: "m",
    group_ids: [String(group)],
  };
  const shown = {
    salutation: "Sayın",
    name: "Ayşe",
    surname: "Yılmaz",
    tckn: "12345678901",
    description: "d",
    phone: "05531234567",
    phone1: "05539999999",
    email: "a@example.com",
    title: "t",
    phone2: "2",
    fax: "3",
    gender: "Kadın",
    birthday: "21.03.1980",
    birthday_sms: true,
    weddingday: "01.09.2001",
    weddingday_sms: true,
    address: "a",
    note1: "1",
    note2: "2",
    note3: "3",
    note4: "4",
    company_name: "c",
    monthly_sms_day: 9,
    monthly_sms_message: "m",
    group_ids: [group],
  };
  return [
    {
      what: "a contact with every field",
      ask: "POST /contacts",
      headers: jsonType,
      body: JSON.stringify(whole),
      text: NUMBER,
      after: async ({ ask, db }) => {
        const [last] = await db.query<{ id: number; before: number }>(
          `select max(id) as id, count(*) - 1 as before from contacts where exchange_id = $1`,
          [ours.id],
        );
        const { contacts } = JSON.parse(
          (await ask(`GET /contacts?limit=10&page=${Math.floor(last!.before / 10) + 1}`)).text,
        ) as { contacts: unknown[] };
        expect(JSON.stringify(contacts.at(-1))).toBe(JSON.stringify({ id: last!.id, ...shown }));
      },
    },
    {
      what: "fields that are not set are empty",
      ask: "GET /contacts",
      shows: ({ contacts: [first] }: { contacts: [Record<string, unknown>] }) =>
        expect(first).toMatchObject({
          id,
          name: "Fatma",
          email: "",
          gender: "",
          birthday: "",
          birthday_sms: false,
          monthly_sms_day: null,
          group_ids: [],
        }),
    },
    { what: "name is required", ask: "POST /contacts?surname=V&phone=1", status: 400, text: "name can't be blank" },
    { what: "surname is required", ask: "POST /contacts?name=A&phone=1", status: 400, text: "surname can't be blank" },
    { what: "phone is required", ask: "POST /contacts?name=A&surname=V", status: 400, text: "phone can't be blank" },
    {
      what: "birthday_sms needs a birthday",
      ask: `POST /contacts?${base}&birthday_sms=true`,
      status: 400,
      text: "birthday can't be blank",
    },
    {
      what: "weddingday_sms needs a weddingday",
      ask: `POST /contacts?${base}&weddingday_sms=1`,
      status: 400,
      text: "weddingday can't be blank",
    },
    {
      what: "monthly_sms_day needs a message",
      ask: `POST /contacts?${base}&monthly_sms_day=9`,
      status: 400,
      text: "monthly_sms_message can't be blank",
    },
    {
      what: "monthly_sms_day 32",
      ask: `POST /contacts?${base}&monthly_sms_day=32&monthly_sms_message=m`,
      status: 400,
      text: "monthly_sms_day must be between 1 and 31",
    },
    {
      what: "monthly_sms_day 0",
      ask: `POST /contacts?${base}&monthly_sms_day=0&monthly_sms_message=m`,
      status: 400,
      text: "monthly_sms_day must be between 1 and 31",
    },
    {
      what: "a gender that is none",
      ask: `POST /contacts?${base}&gender=x`,
      status: 400,
      text: "gender must be m or f",
    },
    {
      what: "a birthday that is none",
      ask: `POST /contacts?${base}&birthday=31.02.1980`,
      status: 400,
      text: "birthday is invalid",
    },
    {
      what: "a flag that is none",
      ask: `POST /contacts?${base}&birthday_sms=perhaps`,
      status: 400,
      text: "birthday_sms must be true or false",
    },
    ...["true", "True", "t", "1", "on"].map((flag) => ({
      what: `birthday_sms=${flag} is true`,
      ask: `POST /contacts?${base}&birthday=21.03.1980&birthday_sms=${flag}`,
      text: NUMBER,
    })),
    ...["false", "0", "off", "f"].map((flag) => ({
      what: `birthday_sms=${flag} is false`,
      ask: `POST /contacts?${base}&birthday_sms=${flag}`,
      text: NUMBER,
    })),
    { what: "a group once", ask: `POST /contacts?${base}&group_ids=${group}`, text: NUMBER, after: inGroup },
    {
      what: "a group repeated",
      ask: `POST /contacts?${base}&group_ids=${group}&group_ids=${group}`,
      text: NUMBER,
      after: inGroup,
    },
    {
      what: "group_ids[]",
      ask: "POST /contacts",
      headers: form,
      body: `${base}&group_ids[]=${group}`,
      text: NUMBER,
      after: inGroup,
    },
    {
      what: "group_ids%5B0%5D",
      ask: "POST /contacts",
      headers: form,
      body: `${base}&group_ids%5B0%5D=${group}`,
      text: NUMBER,
      after: inGroup,
    },
    {
      what: "a JSON list of strings",
      ask: "POST /contacts",
      body: JSON.stringify({ name: "A", surname: "B", phone: "1", group_ids: [`${group}`] }),
      text: NUMBER,
      after: inGroup,
    },
    {
      what: "the JSON key group_ids:[] given twice keeps both",
      ask: "POST /contacts",
      body: `{"name":"A","surname":"B","phone":"1","group_ids:[]":"${group}","group_ids:[]":"987654"}`,
      status: 400,
      text: "invalid group_ids: 987654",
    },
    {
      what: "the JSON key group_ids:[]",
      ask: "POST /contacts",
      body: `{"name":"A","surname":"B","phone":"1","group_ids:[]":"${group}"}`,
      text: NUMBER,
      after: inGroup,
    },
    {
      what: "an unknown group",
      ask: `POST /contacts?${base}&group_ids=987654`,
      status: 400,
      text: "invalid group_ids: 987654",
    },
    {
      what: "a group that is a word",
      ask: `POST /contacts?${base}&group_ids=abc`,
      status: 400,
      text: "invalid group_ids: abc",
    },
    {
      what: "a contact is changed",
      ask: `PATCH /contacts/${id}?phone=05530000000`,
      text: "OK",
      after: async ({ ask }) =>
        expect((await ask("GET /contacts")).text).toContain(
          '"name":"Fatma","surname":"Demir","tckn":"","description":"","phone":"05530000000"',
        ),
    },
    {
      what: "a change that breaks a rule",
      ask: `PATCH /contacts/${id}?birthday_sms=true`,
      status: 400,
      text: "birthday can't be blank",
    },
    { what: "an ISO birthday on change", ask: `PATCH /contacts/${id}?birthday=1980-03-21`, text: "OK" },
    { what: "the rule holds with what is stored", ask: `PATCH /contacts/${id}?birthday_sms=true`, text: "OK" },
    {
      what: "an unknown contact is changed",
      ask: "PATCH /contacts/10203?name=x",
      status: 400,
      text: "cannot find group with id: 10203",
    },
    {
      what: "an unknown contact is deleted",
      ask: "DELETE /contacts/10203",
      status: 400,
      text: "cannot find group with id: 10203",
    },
    { what: "a contact is deleted", ask: `DELETE /contacts/${id}`, text: "OK" },
    {
      what: "a deleted contact is gone",
      ask: `DELETE /contacts/${id}`,
      status: 400,
      text: `cannot find group with id: ${id}`,
    },
    {
      what: "a deleted group leaves its contacts",
      ask: `DELETE /contact_groups/${group}`,
      text: "OK",
      after: async (world) => expect(await groupsOfLast(world)).toEqual([]),
    },
    {
      what: "writes are refused while the contacts live elsewhere",
      ask: "GET /contact_groups",
      shows: () => undefined,
      after: async ({ ask, db }) => {
        await db.query(`update exchanges set external_contacts = true where id = $1`, [ours.id]);
        for (const line of [
          `POST /contacts?${base}`,
          "PATCH /contact_groups/1?name=x",
          "DELETE /contact_groups/1",
          "POST /contact_groups?name=x",
          "DELETE /contacts/1",
        ])
          expect(await ask(line), line).toMatchObject({ status: 400, text: "google contacts integration is active" });
        expect((await ask("GET /contacts")).status).toBe(200);
        await db.query(`update exchanges set external_contacts = false where id = $1`, [ours.id]);
      },
    },
  ];
}

const crmRows: Row[] = [
  {
    what: "CRM settings are read",
    ask: "GET /crm_integrations",
    json: { ringing: "on", answered: "on", hangup: "on", notification_url: "" },
  },
  {
    what: "CRM settings are changed in part, by a form without a content type",
    ask: "POST /crm_integrations",
    body: "ringing=off&notification_url=https%3A%2F%2Fcrm.example.com%2Fcalls",
    text: "OK",
  },
  {
    what: "and stay changed",
    ask: "GET /crm_integrations",
    json: { ringing: "off", answered: "on", hangup: "on", notification_url: "https://crm.example.com/calls" },
  },
  {
    what: "only what is sent is changed",
    ask: "POST /crm_integrations?hangup=OFF",
    text: "OK",
    after: async ({ ask }) =>
      expect((await ask("GET /crm_integrations")).text).toBe(
        '{"ringing":"off","answered":"on","hangup":"off","notification_url":"https://crm.example.com/calls"}',
      ),
  },
  {
    what: "a switch that is neither on nor off",
    ask: "POST /crm_integrations?ringing=maybe",
    status: 400,
    text: "ringing must be on or off",
  },
  ...["ftp://example.com", "example.com", "http://", "javascript:alert(1)", "https://exa mple.com"].map((url) => ({
    what: `the URL ${url}`,
    ask: `POST /crm_integrations?notification_url=${encodeURIComponent(url)}`,
    status: 400,
    text: `invalid notification_url: ${url}`,
  })),
];

function tokenRows({ ours }: World): Row[] {
  return [
    { what: "a token without an extension", ask: "POST /webphone_tokens", status: 400, text: "missing extension" },
    {
      what: "a token for nobody",
      ask: "POST /webphone_tokens?extension=1005",
      status: 400,
      text: "cannot find user for extension",
    },
    {
      what: "a token without a staff account",
      ask: "POST /webphone_tokens?extension=1000",
      status: 400,
      text: "cannot find employee for extension",
      after: async ({ db }) => {
        await db.query(
          `insert into staff (exchange_id, name, email, role, password_hash, extension_id) select exchange_id, 'A', 'a@example.com', 'standard', '', id from extensions where exchange_id = $1 and number = '1000'`,
          [ours.id],
        );
      },
    },
    {
      what: "a token",
      ask: "POST /webphone_tokens",
      headers: jsonType,
      body: JSON.stringify({ key: ours.key, extension: 1000 }),
      text: /^W[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/,
    },
  ];
}
