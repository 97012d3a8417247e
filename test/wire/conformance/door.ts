// Sections 1 and 10 of the contract: keys, encodings, paths and values as real clients send them.

import { expect } from "vitest";
import type { World } from "../exchange-world.ts";
import { form, jsonType, type Row } from "./row.ts";

const wrongKey = "K12345678-1234-5678-4321-123456789012";
const NUMBER = /^\d+$/;

export function doorRows({ ours }: World): Row[] {
  const contact = "name=Ali&surname=Veli&phone=05531234567";
  const json = JSON.stringify({ key: ours.key, name: "Ali", surname: "Veli", phone: "05531234567" });
  return [
    {
      what: "a wrong key is echoed",
      ask: "GET /caller_ids",
      key: wrongKey,
      status: 401,
      text: `Gecersiz anahtar: ${wrongKey}`,
    },
    {
      what: "a missing key has an empty tail",
      ask: "GET /caller_ids",
      key: null,
      status: 401,
      text: "Gecersiz anahtar: ",
    },
    {
      what: "an empty key counts as missing",
      ask: "GET /caller_ids",
      key: "",
      status: 401,
      text: "Gecersiz anahtar: ",
    },
    {
      what: "an overlong key is echoed in part",
      ask: "GET /caller_ids",
      key: "x".repeat(5_000),
      status: 401,
      text: `Gecersiz anahtar: ${"x".repeat(100)}…`,
    },
    {
      what: "a key is case-sensitive",
      ask: "GET /caller_ids",
      key: ours.key.toLowerCase(),
      status: 401,
      text: `Gecersiz anahtar: ${ours.key.toLowerCase()}`,
    },
    {
      what: "markup in a key stays text",
      ask: "GET /caller_ids",
      key: "%3Cscript%3E",
      status: 401,
      text: "Gecersiz anahtar: <script>",
    },
    ...(["POST /contacts", "PATCH /contacts/1", "DELETE /contacts/1", "POST /recording_url"] as const).map((ask) => ({
      what: `${ask} needs a key too`,
      ask,
      key: wrongKey,
      status: 401,
      text: `Gecersiz anahtar: ${wrongKey}`,
    })),
    {
      what: "the key may be in a form",
      ask: "POST /contact_groups",
      key: null,
      headers: form,
      body: `key=${ours.key}&name=F`,
      text: NUMBER,
    },
    {
      what: "the key may be in JSON",
      ask: "POST /contact_groups",
      key: null,
      headers: jsonType,
      body: JSON.stringify({ key: ours.key, name: "J" }),
      text: NUMBER,
    },
    {
      what: "the key may be in the body of a DELETE",
      ask: "DELETE /contacts/999999",
      key: null,
      headers: form,
      body: `key=${ours.key}`,
      status: 400,
      text: "cannot find group with id: 999999",
    },
    {
      what: "the key may be in the JSON body of a DELETE",
      ask: "DELETE /contact_groups/999999",
      key: null,
      headers: jsonType,
      body: JSON.stringify({ key: ours.key }),
      status: 400,
      text: "cannot find group with id: 999999",
    },
    {
      what: "the query's key goes before the body's",
      ask: "POST /contact_groups",
      headers: form,
      body: `key=${wrongKey}&name=Q`,
      text: NUMBER,
    },
    {
      what: "a wrong key in the query is not saved by the body's",
      ask: "POST /contact_groups",
      key: wrongKey,
      headers: form,
      body: `key=${ours.key}&name=Q`,
      status: 401,
      text: `Gecersiz anahtar: ${wrongKey}`,
    },

    { what: "a POST with everything in the query and no body", ask: `POST /contacts?${contact}`, text: NUMBER },
    { what: "a POST with an empty form body", ask: `POST /contacts?${contact}`, headers: form, body: "", text: NUMBER },
    {
      what: "a POST with Content-Type JSON and an empty body",
      ask: `POST /contacts?${contact}`,
      headers: jsonType,
      body: "",
      text: NUMBER,
    },
    { what: "a form", ask: "POST /contacts", headers: form, body: contact, text: NUMBER },
    { what: "a form without a content type", ask: "POST /contacts", body: contact, text: NUMBER },
    {
      what: "a form called text/plain",
      ask: "POST /contacts",
      headers: { "content-type": "text/plain" },
      body: contact,
      text: NUMBER,
    },
    { what: "a form called JSON", ask: "POST /contacts", headers: jsonType, body: contact, text: NUMBER },
    { what: "JSON", ask: "POST /contacts", key: null, headers: jsonType, body: json, text: NUMBER },
    {
      what: "JSON with a charset",
      ask: "POST /contacts",
      headers: { "content-type": "application/json; charset=utf-8" },
      body: json,
      text: NUMBER,
    },
    { what: "JSON without a content type", ask: "POST /contacts", body: json, text: NUMBER },
    { what: "JSON called a form", ask: "POST /contacts", headers: form, body: json, text: NUMBER },
    {
      what: "JSON called text/plain",
      ask: "POST /contacts",
      headers: { "content-type": "text/plain" },
      body: json,
      text: NUMBER,
    },
    {
      what: "JSON with a byte order mark",
      ask: "POST /contacts",
      headers: jsonType,
      body: `\ufeff${json}`,
      text: NUMBER,
    },
    { what: "JSON behind blanks", ask: "POST /contacts", body: `\r\n  ${json}`, text: NUMBER },
    {
      what: "a content type that is none",
      ask: "POST /contacts",
      headers: { "content-type": ";;;nonsense" },
      body: contact,
      text: NUMBER,
    },
    {
      what: "a multipart form",
      ask: "POST /contacts",
      headers: { "content-type": "multipart/form-data; boundary=XX" },
      body: multipart({ name: "Ali", surname: "Veli", phone: "0553" }),
      text: NUMBER,
    },
    {
      what: "a body over a query: the body wins",
      ask: "POST /contact_groups?name=query",
      headers: form,
      body: "name=body",
      after: async ({ ask }) => expect((await ask("GET /contact_groups")).text).toContain('"body"'),
      text: NUMBER,
    },
    {
      what: "a GET with a JSON content type and no body",
      ask: "GET /caller_ids",
      headers: jsonType,
      json: ours.callerIds,
    },
    {
      what: "broken JSON",
      ask: "POST /contacts",
      headers: jsonType,
      body: '{"name": "Ali",}',
      status: 400,
      text: "INVALID_JSON",
    },
    {
      what: "JSON that lacks a comma",
      ask: "POST /contacts",
      body: '{"name": "Ali" "surname": "V"}',
      status: 400,
      text: "INVALID_JSON",
    },
    {
      what: "a JSON list where an object belongs",
      ask: "POST /contacts",
      headers: jsonType,
      body: "[1,2]",
      status: 400,
      text: "INVALID_JSON",
    },
    {
      what: "a JSON string where an object belongs",
      ask: "POST /contacts",
      headers: jsonType,
      body: '"Ali"',
      status: 400,
      text: "INVALID_JSON",
    },
    ...["*/*", "text/plain", "application/json", "application/json, text/plain, */*", "image/png"].map((accept) => ({
      what: `Accept: ${accept} is never a reason to refuse`,
      ask: `POST /contacts?${contact}`,
      headers: { accept },
      text: NUMBER,
    })),

    { what: "a trailing slash", ask: "GET /caller_ids/", json: ours.callerIds },
    { what: "doubled slashes", ask: "GET //caller_ids", json: ours.callerIds },
    { what: "a .json suffix", ask: "GET /caller_ids.json", json: ours.callerIds },
    {
      what: "a .json suffix behind an ID",
      ask: "DELETE /contacts/999999.json",
      status: 400,
      text: "cannot find group with id: 999999",
    },
    { what: "a POST with a trailing slash is not redirected", ask: `POST /contacts/?${contact}`, text: NUMBER },
    { what: "POST /contacts/{id} is no delete", ask: "POST /contacts/1", status: 405, text: "Method Not Allowed" },
    { what: "an unknown path", ask: "GET /nothing", status: 404, text: "Not Found" },
    {
      what: "an unknown path needs no key to be unknown",
      ask: "GET /nothing",
      key: null,
      status: 404,
      text: "Not Found",
    },
    {
      what: "the documentation's payload examples are not an operation",
      ask: "GET /webhook-payload-examples",
      status: 404,
      text: "Not Found",
    },
    { what: "stopping a campaign by GET", ask: "GET /ivr_campaigns/112/stop", status: 404, text: "Not Found" },
    { what: "a wrong method", ask: "DELETE /caller_ids", status: 405, text: "Method Not Allowed" },

    {
      what: "an empty optional value is absent",
      ask: `POST /contacts?${contact}&email=&gender=&monthly_sms_day=&birthday_sms=`,
      text: NUMBER,
    },
    {
      what: "null is absent",
      ask: "POST /contacts",
      headers: jsonType,
      body: JSON.stringify({ ...JSON.parse(json), email: null, gender: null, group_ids: null }),
      text: NUMBER,
    },
    {
      what: "an empty required value is missing",
      ask: "POST /contacts?name=&surname=V&phone=1",
      status: 400,
      text: "name can't be blank",
    },
    {
      what: "blanks are missing, too",
      ask: "POST /contacts?name=%20%20&surname=V&phone=1",
      status: 400,
      text: "name can't be blank",
    },
    {
      what: "a number where text belongs",
      ask: "POST /contacts",
      body: JSON.stringify({ name: 5, surname: 6, phone: 905321112233 }),
      text: NUMBER,
    },
    {
      what: "unknown parameters are ignored",
      ask: "GET /caller_ids?format=json&custom_call_type=x&action=y",
      json: ours.callerIds,
    },
    {
      what: "an object where text belongs",
      ask: "POST /contacts",
      body: JSON.stringify({ name: {}, surname: "V", phone: "1" }),
      status: 400,
      text: "name is invalid",
    },
    {
      what: "NUL never reaches the database",
      ask: "POST /contacts?name=a%00b&surname=V&phone=1",
      status: 400,
      text: "name is invalid",
    },
    {
      what: "NUL in JSON neither",
      ask: "POST /contacts",
      body: '{"name":"a\\u0000b","surname":"V","phone":"1"}',
      status: 400,
      text: "name is invalid",
    },
    {
      what: "half a surrogate pair",
      ask: "POST /contacts",
      body: '{"name":"a\\ud800b","surname":"V","phone":"1"}',
      status: 400,
      text: "name is invalid",
    },
    {
      what: "a query that is not UTF-8",
      ask: "POST /contacts?name=%FE%FF&surname=V&phone=1",
      status: 400,
      text: "INVALID_UTF8",
    },
    {
      what: "a form that is not UTF-8",
      ask: "POST /contacts",
      headers: form,
      body: Buffer.from("name=\xfe&surname=V&phone=1", "latin1"),
      status: 400,
      text: "INVALID_UTF8",
    },
    {
      what: "JSON that is not UTF-8",
      ask: "POST /contacts",
      headers: jsonType,
      body: Buffer.from('{"name":"\xfe"}', "latin1"),
      status: 400,
      text: "INVALID_JSON",
    },
    {
      what: "an overlong name",
      ask: `POST /contacts?name=${"a".repeat(256)}&surname=V&phone=1`,
      status: 400,
      text: "name is too long (maximum is 255 characters)",
    },
    {
      what: "an overlong body",
      ask: "POST /contacts",
      headers: form,
      body: `name=${"a".repeat(2_000_000)}`,
      status: 413,
      text: "Request Entity Too Large",
    },
    {
      what: "an overlong URL",
      ask: `POST /contacts?name=${"a".repeat(1_060_000)}`,
      status: 414,
      text: "Request-URI Too Large",
    },
    {
      what: "overlong headers",
      ask: "GET /caller_ids",
      headers: { "x-long": "a".repeat(70_000) },
      status: 431,
      text: "Request Header Fields Too Large",
    },
    {
      what: "too many parameters",
      ask: `GET /caller_ids?${"a=1&".repeat(1_200)}`,
      status: 400,
      text: "too many parameters",
    },

    ...pagingRows,
  ];
}

const limits = "limit must be between 10 and 100";

const pagingRows: Row[] = [
  {
    what: "pages have a default",
    ask: "GET /blocked_numbers",
    shows: ({ pagination }: Paged) =>
      expect(JSON.stringify(pagination)).toBe('{"page":1,"total_count":1,"total_pages":1,"limit":10}'),
  },
  {
    what: "a page beyond the end is empty with true totals",
    ask: "GET /blocked_numbers?page=7&limit=100",
    shows: (body: Paged) =>
      expect(body).toEqual({
        blocked_numbers: [],
        pagination: { page: 7, total_count: 1, total_pages: 1, limit: 100 },
      }),
  },
  ...["9", "101", "0", "-1", "abc", "1e1", "10.5", "99999999999999999999"].map((limit) => ({
    what: `limit=${limit}`,
    ask: `GET /contacts?limit=${limit}`,
    status: 400,
    text: limits,
  })),
  ...["0", "-1", "x", "99999999999999999999"].map((page) => ({
    what: `page=${page}`,
    ask: `GET /contacts?page=${page}`,
    status: 400,
    text: "page must be greater than 0",
  })),
  {
    what: "paging parameters as JSON numbers",
    ask: "GET /contacts?page=1&limit=10",
    shows: ({ pagination }: Paged) => expect(pagination.limit).toBe(10),
  },
];

type Paged = { pagination: { limit: number } };

function multipart(fields: Record<string, string>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--XX\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join("")}--XX--\r\n`;
}
