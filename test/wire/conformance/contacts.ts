// Contacts: every field, every rule between fields, every spelling of their groups.

import { expect } from "vitest";
import { sql } from "../../../src/store/sql.ts";
import type { World } from "../../town/exchange-world.ts";
import { form, jsonType, type Row } from "./row.ts";

const NUMBER = /^\d+$/;

export function contactRows({ ours }: World): Row[] {
  const base = "name=Ali&surname=Veli&phone=05531234567";
  const id = ours.contactId;
  const group = ours.groupId;
  const groupsOfLast = async ({ db }: World) =>
    (
      await db.query<{ ids: number[] }>(
        sql`select array(select group_id from contact_group_members where contact_id = c.id order by 1)::int[] as ids from contacts c where exchange_id = $1 order by id desc limit 1`,
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
          sql`select max(id) as id, count(*) - 1 as before from contacts where exchange_id = $1`,
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
      what: "m is shown as a word",
      ask: `POST /contacts?${base}&gender=m`,
      text: NUMBER,
      after: async ({ ask }) => expect((await ask("GET /contacts?limit=100")).text).toContain('"gender":"Erkek"'),
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
        await db.query(sql`update exchanges set external_contacts = true where id = $1`, [ours.id]);
        for (const line of [
          `POST /contacts?${base}`,
          "PATCH /contact_groups/1?name=x",
          "DELETE /contact_groups/1",
          "POST /contact_groups?name=x",
          "DELETE /contacts/1",
        ])
          expect(await ask(line), line).toMatchObject({ status: 400, text: "google contacts integration is active" });
        expect((await ask("GET /contacts")).status).toBe(200);
        await db.query(sql`update exchanges set external_contacts = false where id = $1`, [ours.id]);
      },
    },
  ];
}
