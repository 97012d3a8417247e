// Values that are empty, odd, too long or not text at all, and paging.

import { expect } from "vitest";
import type { World } from "../../town/exchange-world.ts";
import { form, jsonType, type Row } from "./row.ts";

const NUMBER = /^\d+$/;

export function valueRows({ ours }: World): Row[] {
  const contact = "name=Ali&surname=Veli&phone=05531234567";
  const json = JSON.stringify({ key: ours.key, name: "Ali", surname: "Veli", phone: "05531234567" });
  return [
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
  {
    what: "a page begun is a page",
    ask: "GET /contacts?limit=10",
    shows: ({ pagination: { total_count, total_pages } }: Paged) => {
      expect(total_count % 10).not.toBe(0);
      expect(total_pages).toBe(Math.ceil(total_count / 10));
    },
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

type Paged = { pagination: { limit: number; total_count: number; total_pages: number } };
